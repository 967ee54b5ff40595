package io.reprise.client;

import io.reprise.wire.WireTable;
import io.reprise.wire.message.Column;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.StringJoiner;

/** The rows that a call returned, read by a cursor that starts before the first. Columns have indexes from 0, and names. Not thread-safe. */
public final class Rows {
    private static final int ROWS_SHOWN = 20;

    private final WireTable table;
    private int at = -1;

    Rows(WireTable table) {
        this.table = table;
    }

    /** The number of rows. */
    public int count() {
        return table.rows().size();
    }

    /** Moves to the next row; false when there is none. */
    public boolean next() {
        at = Math.min(at + 1, count());
        return at < count();
    }

    /** Moves back before the first row. */
    public void rewind() {
        at = -1;
    }

    /** The number of columns of a row. */
    public int columns() {
        return table.columns().size();
    }

    /** A column's name. */
    public String columnName(int column) {
        return table.columns().get(column).name();
    }

    /** A column's type, as in DDL: {@code DECIMAL(12,2)}. */
    public String columnType(int column) {
        WireTable.Column of = table.columns().get(column);
        Column.Type type = Column.Type.forNumber(of.type());
        if (type == Column.Type.DECIMAL) {
            return "DECIMAL(" + of.precision() + "," + of.scale() + ")";
        }
        if (type == Column.Type.VARCHAR || type == Column.Type.VARBINARY) {
            return type + "(" + of.precision() + ")";
        }
        return String.valueOf(type);
    }

    private Object raw(int column) {
        if (at < 0 || at >= count()) {
            throw new IllegalStateException("no current row: call next(), and read only while it gives true");
        }
        return table.rows().get(at)[column];
    }

    private Object notNull(int column) {
        Object value = raw(column);
        if (value == null) {
            throw new IllegalStateException(
                    "column " + columnName(column) + " is NULL: ask isNull before reading it as a number");
        }
        return value;
    }

    /** Whether the column of the current row is NULL. */
    public boolean isNull(int column) {
        return raw(column) == null;
    }

    /** Reads an integer, BOOLEAN (0, 1), TIMESTAMP (microseconds since 1970), DATE (days since 1970), TIME (microseconds since midnight), or the whole part of a DECIMAL. */
    public long longAt(int column) {
        Object value = notNull(column);
        if (table.columns().get(column).type() == Column.Type.DECIMAL_VALUE) {
            return wholePart(decimalAt(column));
        }
        if (value instanceof Long number) {
            return number;
        }
        throw mismatch(column, "an integer");
    }

    private static long wholePart(BigDecimal value) {
        return value.setScale(0, RoundingMode.DOWN).longValueExact();
    }

    /** Reads a value that fits an int; an error where it does not. */
    public int intAt(int column) {
        return Math.toIntExact(longAt(column));
    }

    /** Reads a BOOLEAN. */
    public boolean booleanAt(int column) {
        return longAt(column) != 0;
    }

    /** Reads any number as a double. */
    public double doubleAt(int column) {
        Object value = notNull(column);
        return value instanceof Double number ? number : decimalAt(column).doubleValue();
    }

    /** Reads a DECIMAL in units of its scale (cents for DECIMAL(12,2)). */
    public long unscaledAt(int column) {
        notNull(column);
        if (table.columns().get(column).type() == Column.Type.DECIMAL_VALUE) {
            return decimalAt(column).unscaledValue().longValueExact();
        }
        throw mismatch(column, "a DECIMAL");
    }

    /** Reads a DECIMAL or integer; null for NULL. */
    public BigDecimal decimalAt(int column) {
        Object value = raw(column);
        if (value == null) {
            return null;
        }
        if (value instanceof Long unscaled) {
            WireTable.Column of = table.columns().get(column);
            return BigDecimal.valueOf(unscaled, of.type() == Column.Type.DECIMAL_VALUE ? of.scale() : 0);
        }
        WireTable.Column of = table.columns().get(column);
        if (of.type() == Column.Type.DECIMAL_VALUE && value instanceof byte[] unscaled) {
            return new BigDecimal(new BigInteger(unscaled), of.scale());
        }
        throw mismatch(column, "a DECIMAL or integer");
    }

    /** Reads a VARCHAR; null for NULL. */
    public String stringAt(int column) {
        Object value = raw(column);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw mismatch(column, "a VARCHAR");
    }

    /** Reads a VARBINARY or the UTF-8 bytes of a VARCHAR; null for NULL. */
    public byte[] bytesAt(int column) {
        Object value = raw(column);
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        boolean isNumber = table.columns().get(column).type() == Column.Type.DECIMAL_VALUE;
        if (value == null || value instanceof byte[] && !isNumber) {
            return value == null ? null : ((byte[]) value).clone();
        }
        throw mismatch(column, "a VARBINARY or VARCHAR");
    }

    /** Reads a TIMESTAMP; null for NULL. */
    public Instant instantAt(int column) {
        return isNull(column) ? null : Instant.EPOCH.plus(longAt(column), ChronoUnit.MICROS);
    }

    /** Reads a DATE; null for NULL. */
    public LocalDate dateAt(int column) {
        return isNull(column) ? null : LocalDate.ofEpochDay(longAt(column));
    }

    /** Reads a TIME; null for NULL. */
    public LocalTime timeAt(int column) {
        return isNull(column) ? null : LocalTime.ofNanoOfDay(longAt(column) * 1000);
    }

    /** Reads any value: null, Boolean, Long, Double, BigDecimal, String, byte[], Instant, LocalDate or LocalTime. */
    public Object valueAt(int column) {
        Object value = raw(column);
        if (value == null) {
            return null;
        }
        Column.Type type = Column.Type.forNumber(table.columns().get(column).type());
        if (type == null) {
            return value;
        }
        switch (type) {
            case BOOLEAN:
                return booleanAt(column);
            case DECIMAL:
                return decimalAt(column);
            case TIMESTAMP:
                return instantAt(column);
            case DATE:
                return dateAt(column);
            case TIME:
                return timeAt(column);
            case VARBINARY:
                return bytesAt(column);
            default:
                return value;
        }
    }

    /** The index of a column, whatever the case of its name. Look it up once, outside of a loop over rows. */
    public int column(String name) {
        int found = -1;
        for (int i = 0; i < columns(); i++) {
            if (name.equalsIgnoreCase(columnName(i))) {
                if (found >= 0) {
                    throw new IllegalArgumentException("several columns are called " + name + "; use their indexes, "
                            + found + " and " + i + ", or give them names with AS");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("no column is called " + name + "; there are " + columnNames());
        }
        return found;
    }

    private String columnNames() {
        StringJoiner names = new StringJoiner(", ");
        for (int i = 0; i < columns(); i++) {
            names.add(columnName(i));
        }
        return names.toString();
    }

    /** Whether the column of this name is NULL in the current row. */
    public boolean isNull(String column) {
        return isNull(column(column));
    }

    /** Reads the column of this name; see {@link #longAt(int)}. */
    public long longAt(String column) {
        return longAt(column(column));
    }

    /** Reads the column of this name; see {@link #intAt(int)}. */
    public int intAt(String column) {
        return intAt(column(column));
    }

    /** Reads the column of this name; see {@link #booleanAt(int)}. */
    public boolean booleanAt(String column) {
        return booleanAt(column(column));
    }

    /** Reads the column of this name; see {@link #doubleAt(int)}. */
    public double doubleAt(String column) {
        return doubleAt(column(column));
    }

    /** Reads the column of this name; see {@link #decimalAt(int)}. */
    public BigDecimal decimalAt(String column) {
        return decimalAt(column(column));
    }

    /** Reads the column of this name; see {@link #stringAt(int)}. */
    public String stringAt(String column) {
        return stringAt(column(column));
    }

    /** Reads the column of this name; see {@link #bytesAt(int)}. */
    public byte[] bytesAt(String column) {
        return bytesAt(column(column));
    }

    /** Reads the column of this name; see {@link #instantAt(int)}. */
    public Instant instantAt(String column) {
        return instantAt(column(column));
    }

    /** Reads the column of this name; see {@link #dateAt(int)}. */
    public LocalDate dateAt(String column) {
        return dateAt(column(column));
    }

    /** Reads the column of this name; see {@link #timeAt(int)}. */
    public LocalTime timeAt(String column) {
        return timeAt(column(column));
    }

    /** Reads the column of this name; see {@link #valueAt(int)}. */
    public Object valueAt(String column) {
        return valueAt(column(column));
    }

    /** The columns' names and the first rows, for people. The cursor stays where it is. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(columnNames());
        int before = at;
        for (at = 0; at < Math.min(count(), ROWS_SHOWN); at++) {
            StringJoiner row = new StringJoiner(", ", "\n", "");
            for (int i = 0; i < columns(); i++) {
                row.add(Reply.shown(valueAt(i)));
            }
            text.append(row);
        }
        at = before;
        return text.append(count() > ROWS_SHOWN ? "\n... (" + count() + " rows)" : "")
                .toString();
    }

    private IllegalStateException mismatch(int column, String wanted) {
        return new IllegalStateException(
                "column " + columnName(column) + " is " + columnType(column) + ", not " + wanted);
    }
}
