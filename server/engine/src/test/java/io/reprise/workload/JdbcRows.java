package io.reprise.workload;

import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows as plain objects: Long, Double, BigDecimal, String or null. For tests. */
final class JdbcRows extends Rows {
    private final List<String> names;
    private final List<Object[]> rows = new ArrayList<>();
    private int at = -1;

    JdbcRows(List<String> names) {
        this.names = names;
    }

    static JdbcRows single(Object value) {
        JdbcRows result = new JdbcRows(List.of("VALUE"));
        result.rows.add(new Object[] {value});
        return result;
    }

    static JdbcRows read(ResultSet from) throws SQLException {
        int columns = from.getMetaData().getColumnCount();
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            names.add(from.getMetaData().getColumnLabel(i));
        }
        JdbcRows result = new JdbcRows(names);
        while (from.next()) {
            Object[] row = new Object[columns];
            for (int i = 0; i < columns; i++) {
                row[i] = plain(from.getObject(i + 1));
            }
            result.rows.add(row);
        }
        return result;
    }

    private static Object plain(Object value) {
        return switch (value) {
            case null -> null;
            case java.sql.Timestamp t -> microseconds(t.toLocalDateTime());
            case BigDecimal d -> d;
            case Double d -> d;
            case Number n -> n.longValue();
            default -> value;
        };
    }

    static long microseconds(LocalDateTime time) {
        return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
    }

    private Object value(int column) {
        return rows.get(at)[column];
    }

    private Object notNull(int column) {
        if (value(column) == null) {
            throw new IllegalStateException("column " + names.get(column) + " is NULL");
        }
        return value(column);
    }

    @Override
    public int count() {
        return rows.size();
    }

    @Override
    public boolean next() {
        return ++at < rows.size();
    }

    @Override
    public void rewind() {
        at = -1;
    }

    @Override
    public int columns() {
        return names.size();
    }

    @Override
    public String columnName(int column) {
        return names.get(column);
    }

    @Override
    public String columnType(int column) {
        throw new UnsupportedOperationException("workloads don't ask for types");
    }

    @Override
    public Object valueAt(int column) {
        return value(column);
    }

    @Override
    public boolean isNull(int column) {
        return value(column) == null;
    }

    @Override
    public long longAt(int column) {
        return ((Number) notNull(column)).longValue();
    }

    @Override
    public double doubleAt(int column) {
        return ((Number) notNull(column)).doubleValue();
    }

    @Override
    public long unscaledAt(int column) {
        return ((BigDecimal) notNull(column)).unscaledValue().longValueExact();
    }

    @Override
    public BigDecimal decimalAt(int column) {
        return value(column) instanceof Long whole ? BigDecimal.valueOf(whole) : (BigDecimal) value(column);
    }

    @Override
    public String stringAt(int column) {
        return (String) value(column);
    }

    @Override
    public byte[] bytesAt(int column) {
        return stringAt(column).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Text textAt(int column) {
        return value(column) == null ? null : Text.of(stringAt(column));
    }

    /** A table that a procedure fills, as rows. */
    static final class Table extends ResultTable {
        private final List<String> names;
        private final List<Object> row = new ArrayList<>();
        private JdbcRows filled;

        Table(String... names) {
            this.names = Arrays.asList(names);
            clear();
        }

        void clear() {
            row.clear();
            filled = new JdbcRows(names);
        }

        JdbcRows filled() {
            return filled;
        }

        private Table append(Object value) {
            row.add(value);
            return this;
        }

        @Override
        public ResultTable add(long value) {
            return append(value);
        }

        @Override
        public ResultTable add(double value) {
            return append(value);
        }

        @Override
        public ResultTable add(String value) {
            return append(value);
        }

        @Override
        public ResultTable add(Text value) {
            return append(value == null ? null : value.toString());
        }

        @Override
        public ResultTable addUnscaled(long unscaled, int scale) {
            return append(BigDecimal.valueOf(unscaled, scale));
        }

        @Override
        public ResultTable add(BigDecimal value) {
            return append(value);
        }

        @Override
        public ResultTable addNull() {
            return append(null);
        }

        @Override
        public ResultTable endRow() {
            if (row.size() != names.size()) {
                throw new IllegalStateException("the row has " + row.size() + " values for columns " + names);
            }
            filled.rows.add(row.toArray());
            row.clear();
            return this;
        }
    }
}
