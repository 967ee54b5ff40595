package io.reprise.execution;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.plan.PlanField;
import io.reprise.storage.row.Ref;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A result table that a procedure fills. A column has the type of the first value in it that is not NULL: BIGINT, DOUBLE,
 * DECIMAL of that scale, or VARCHAR. Values are kept as words, strings as bytes on the heap; memory is kept from one
 * transaction to the next. Owned by the thread that runs the procedure.
 */
public final class FilledTable extends ResultTable {
    private static final SqlType BIGINT = SqlType.of(SqlType.Kind.BIGINT);
    private static final SqlType DOUBLE = SqlType.of(SqlType.Kind.DOUBLE);
    private static final SqlType VARCHAR = SqlType.varchar(SqlType.MAX_STRING_BYTES);
    private static final SqlType[] DECIMALS = new SqlType[SqlType.MAX_DECIMAL_PRECISION + 1];
    private static final int INITIAL = 256;
    private static final int KEPT_VIEWS = 4;

    static {
        Arrays.setAll(DECIMALS, scale -> SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, scale));
    }

    private final String[] names;
    private final SqlType[] types;
    private final int nullWords;
    private final int stride;

    private long[] words = new long[INITIAL];
    private byte[] bytes = new byte[INITIAL];
    private int rowStart;
    private int used;
    private int column;

    /** Views of the tables of late, because which columns hold nothing but NULL changes from one to the next. */
    private final View[] views = new View[KEPT_VIEWS];

    private int lastView;

    /** An empty table. */
    public FilledTable(String... names) {
        this.names = names.clone();
        types = new SqlType[names.length];
        nullWords = RowShape.nullWords(names.length);
        stride = RowShape.stride(names.length);
    }

    /** Empties it, types included, before a transaction. */
    public void clear() {
        rowStart = 0;
        used = 0;
        column = 0;
        Arrays.fill(types, null);
        Arrays.fill(words, 0, nullWords, 0);
    }

    @Override
    public ResultTable add(long value) {
        SqlType type = types[checkColumn()];
        if (type != null && type.kind() == SqlType.Kind.DECIMAL) {
            return add(BigDecimal.valueOf(value));
        }
        if (type != null && type.kind() == SqlType.Kind.DOUBLE) {
            return add((double) value);
        }
        return append(BIGINT, value);
    }

    @Override
    public ResultTable add(double value) {
        return append(DOUBLE, Double.doubleToRawLongBits(value));
    }

    @Override
    public ResultTable add(String value) {
        if (value == null) {
            return addNull();
        }
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        long ref = reserve(encoded.length);
        System.arraycopy(encoded, 0, bytes, (int) Ref.address(ref), encoded.length);
        return append(VARCHAR, ref);
    }

    @Override
    public ResultTable add(Text value) {
        if (value == null) {
            return addNull();
        }
        long ref = reserve(value.length());
        value.copyTo(0, bytes, (int) Ref.address(ref), value.length());
        return append(VARCHAR, ref);
    }

    @Override
    public ResultTable addUnscaled(long unscaled, int scale) {
        SqlType type = types[checkColumn()];
        if (type == null) {
            return append(decimal(scale), unscaled);
        }
        if (type.kind() == SqlType.Kind.DECIMAL && type.scale() == scale) {
            return append(type, unscaled);
        }
        return add(BigDecimal.valueOf(unscaled, scale));
    }

    @Override
    public ResultTable add(BigDecimal value) {
        if (value == null) {
            return addNull();
        }
        SqlType type = types[checkColumn()];
        int scale = type != null && type.kind() == SqlType.Kind.DECIMAL ? type.scale() : Math.max(0, value.scale());
        try {
            long unscaled = value.setScale(scale).unscaledValue().longValueExact();
            return append(type != null ? type : decimal(scale), unscaled);
        } catch (ArithmeticException e) {
            throw new ProcedureException(
                    ErrorCode.NUMERIC_OVERFLOW,
                    "column " + names[column] + " of the result table can't hold " + value
                            + ": its first value made it a" + " DECIMAL(18," + scale + ")");
        }
    }

    @Override
    public ResultTable addNull() {
        checkColumn();
        words[rowStart + (column >>> 6)] |= 1L << column;
        words[rowStart + nullWords + column] = 0;
        column++;
        return this;
    }

    @Override
    public ResultTable endRow() {
        if (column != names.length) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "a row of the result table has " + names.length + " columns, but " + column + " were added");
        }
        column = 0;
        rowStart += stride;
        if (rowStart + stride > words.length) {
            words = Arrays.copyOf(words, Math.max(2 * words.length, rowStart + stride));
        }
        Arrays.fill(words, rowStart, rowStart + nullWords, 0);
        return this;
    }

    private ResultTable append(SqlType type, long word) {
        int at = checkColumn();
        SqlType known = types[at];
        if (known == null) {
            types[at] = type;
        } else if (known.kind() != type.kind()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "column " + names[at] + " of the result table holds " + known.kind() + " values, not "
                            + type.kind());
        }
        words[rowStart + nullWords + at] = word;
        column++;
        return this;
    }

    private int checkColumn() {
        if (column == names.length) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "a row of the result table has " + names.length + " columns: call endRow before adding more");
        }
        if (stride > words.length) {
            words = new long[2 * stride];
        }
        return column;
    }

    /** Room for a string, to which the reference points. */
    private long reserve(int length) {
        if (used + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + length));
        }
        long ref = Ref.of(used, length);
        used += length;
        return ref;
    }

    private static SqlType decimal(int scale) {
        return scale >= 0 && scale < DECIMALS.length
                ? DECIMALS[scale]
                : SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, scale);
    }

    /** The completed rows, to be copied at once. */
    RowBuffer rows() {
        RowBuffer rows = view().of(bytes);
        rows.clear();
        if (rows.words.length < rowStart) {
            rows.words = new long[Math.max(rowStart, 2 * rows.words.length)];
        }
        System.arraycopy(words, 0, rows.words, 0, rowStart);
        rows.end = rowStart;
        return rows;
    }

    private View view() {
        for (View view : views) {
            if (view != null && Arrays.equals(types, view.types)) {
                return view;
            }
        }
        lastView = (lastView + 1) % KEPT_VIEWS;
        views[lastView] = new View(names, types);
        return views[lastView];
    }

    /** A table's rows with columns of certain types. */
    private static final class View {
        private final SqlType[] types;
        private final RowShape shape;
        private RowBuffer rows;
        private byte[] strings;

        View(String[] names, SqlType... types) {
            this.types = types.clone();
            List<PlanField> fields = new ArrayList<>();
            for (int i = 0; i < names.length; i++) {
                fields.add(new PlanField(names[i], types[i] == null ? BIGINT : types[i], true));
            }
            shape = RowShape.of(fields);
        }

        /** The rows, whose strings are in the given bytes. */
        RowBuffer of(byte[] bytes) {
            if (strings != bytes) {
                strings = bytes;
                rows = new RowBuffer(shape, bytes);
            }
            return rows;
        }
    }
}
