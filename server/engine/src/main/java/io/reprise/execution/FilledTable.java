package io.reprise.execution;

import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.Literals;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A result table that a procedure fills. A column has the type of the first value in it that is not NULL: BIGINT, DOUBLE,
 * DECIMAL of that scale, or VARCHAR. Values are kept as words, strings as bytes on the heap, in what becomes the transaction's
 * result without being copied. Owned by the thread that runs the procedure.
 */
public final class FilledTable extends ResultTable {
    private static final SqlType BIGINT = SqlType.of(SqlType.Kind.BIGINT);
    private static final SqlType DOUBLE = SqlType.of(SqlType.Kind.DOUBLE);
    private static final SqlType VARCHAR = SqlType.varchar(SqlType.MAX_STRING_BYTES);
    private static final SqlType[] DECIMALS = new SqlType[SqlType.MAX_WORD_PRECISION + 1];
    private static final long DECIMAL_LIMIT = Decimals.power(SqlType.MAX_WORD_PRECISION);

    /** As many digits as a long may have. */
    private static final int MOST_DIGITS = 19;

    private static final int KEPT_SHAPES = 4;

    static {
        Arrays.setAll(DECIMALS, scale -> SqlType.decimal(SqlType.MAX_WORD_PRECISION, scale));
    }

    private final String[] names;
    private final SqlType[] types;
    private final int nullWords;
    private final int stride;

    private final WorkMemory work;
    private HeapRows rows = new HeapRows();
    private int rowStart;
    private int column;

    /** Shapes of the tables of late, because which columns hold nothing but NULL changes from one to the next. */
    private final TypedShape[] shapes = new TypedShape[KEPT_SHAPES];

    private int lastShape;

    /**
     * An empty table, which grows within this.
     *
     * @throws ProcedureException if a column's name is null
     */
    public FilledTable(WorkMemory work, String... names) {
        checkNames(names);
        this.work = work;
        rows.chargeTo(work);
        this.names = names.clone();
        types = new SqlType[names.length];
        nullWords = RowShape.nullWords(names.length);
        stride = RowShape.stride(names.length);
        beginRow();
    }

    private static void checkNames(String... names) {
        for (int i = 0; i < names.length; i++) {
            if (names[i] == null) {
                throw new ProcedureException(
                        ErrorCode.INVALID_REQUEST,
                        "the name of column " + (i + 1) + " of a result table is null: give it one");
            }
        }
    }

    /** Empties it, types included, before a transaction. */
    public void clear() {
        rowStart = 0;
        column = 0;
        Arrays.fill(types, null);
        rows.empty();
        beginRow();
    }

    /** Makes room for a row, in which nothing is NULL yet. */
    private void beginRow() {
        rows.reserveWords((long) rowStart + stride);
        Arrays.fill(rows.words, rowStart, rowStart + nullWords, 0);
    }

    @Override
    public ResultTable add(long value) {
        SqlType type = types[checkColumn()];
        if (type != null && type.isDecimal()) {
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
        return append(VARCHAR, rows.keep(value.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public ResultTable add(Text value) {
        if (value == null) {
            return addNull();
        }
        return append(VARCHAR, rows.keep(value));
    }

    @Override
    public ResultTable addUnscaled(long unscaled, int scale) {
        SqlType type = types[checkColumn()];
        boolean known = type == null
                ? scale >= 0 && scale < DECIMALS.length
                : type.kind() == SqlType.Kind.DECIMAL && type.scale() == scale;
        if (known && unscaled < DECIMAL_LIMIT && unscaled > -DECIMAL_LIMIT) {
            return append(DECIMALS[scale], unscaled);
        }
        return add(BigDecimal.valueOf(unscaled, scale));
    }

    @Override
    public ResultTable add(BigDecimal value) {
        if (value == null) {
            return addNull();
        }
        SqlType known = types[checkColumn()];
        SqlType type = known != null ? known : decimal(value);
        if (type.kind() == SqlType.Kind.DECIMAL && isWider(value, type)) {
            widen(column, type);
            type = types[column];
        }
        if (type.isWide()) {
            return append(type, rows.keep(DecimalBytes.of(wide(value, type))));
        }
        return switch (type.kind()) {
            case BIGINT, DECIMAL -> append(type, unscaled(value, type));
            case DOUBLE -> append(type, Double.doubleToRawLongBits(toDouble(value)));
            default -> throw mismatch(type, SqlType.Kind.DECIMAL);
        };
    }

    /** The type of a column whose first value this is. */
    private static SqlType decimal(BigDecimal value) {
        SqlType narrow = DECIMALS[Math.clamp(value.scale(), 0, DECIMALS.length - 1)];
        boolean fits = !isWider(value, narrow)
                && (value.scale() <= narrow.scale()
                        || value.stripTrailingZeros().scale() <= narrow.scale());
        return fits
                ? narrow
                : SqlType.decimal(
                        SqlType.MAX_DECIMAL_PRECISION, Math.clamp(value.scale(), 0, SqlType.MAX_DECIMAL_PRECISION));
    }

    private static boolean isWider(BigDecimal value, SqlType type) {
        return value.signum() != 0 && (long) value.precision() - value.scale() > type.precision() - type.scale();
    }

    /** Makes a DECIMAL of more than 18 digits of a column that has others. */
    private void widen(int at, SqlType type) {
        SqlType wide = SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, type.scale());
        types[at] = wide;
        for (int row = 0; row < rowStart; row += stride) {
            if ((rows.words[row + (at >>> 6)] >>> at & 1) == 0) {
                BigInteger unscaled = BigInteger.valueOf(rows.words[row + nullWords + at]);
                rows.words[row + nullWords + at] = rows.keep(DecimalBytes.of(unscaled));
            }
        }
    }

    private BigInteger wide(BigDecimal value, SqlType type) {
        try {
            return Literals.wide(type, value);
        } catch (ProcedureException e) {
            throw cantHold(value, type);
        }
    }

    /** The value in units of the type's scale; nothing is rounded here, because no rounding was asked for. */
    private long unscaled(BigDecimal value, SqlType type) {
        if (value.signum() == 0) {
            return 0;
        }
        // The digits' distance from the point decides first: 1e-2000000000 with all of its zeros would take minutes.
        long digitsBeforePoint = (long) value.precision() - value.scale();
        if (digitsBeforePoint > -type.scale() && digitsBeforePoint <= MOST_DIGITS - type.scale()) {
            BigDecimal cut = value.setScale(type.scale(), RoundingMode.DOWN);
            BigInteger unscaled = cut.unscaledValue();
            boolean fits = type.kind() == SqlType.Kind.BIGINT
                    ? unscaled.bitLength() < Long.SIZE
                    : digitsBeforePoint <= type.precision() - type.scale();
            if (fits && cut.compareTo(value) == 0) {
                return unscaled.longValue();
            }
        }
        throw cantHold(value, type);
    }

    private double toDouble(BigDecimal value) {
        double number = value.doubleValue();
        if (Double.isInfinite(number)) {
            throw cantHold(value, DOUBLE);
        }
        return number;
    }

    private ProcedureException cantHold(BigDecimal value, SqlType type) {
        return new ProcedureException(
                type.kind() == SqlType.Kind.BIGINT ? ErrorCode.INVALID_VALUE : ErrorCode.NUMERIC_OVERFLOW,
                "column " + names[column] + " of the result table can't hold " + value + ": its first value made it a "
                        + type);
    }

    @Override
    public ResultTable addNull() {
        checkColumn();
        long[] words = rows.words;
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
        beginRow();
        return this;
    }

    private ResultTable append(SqlType type, long word) {
        int at = checkColumn();
        SqlType known = types[at];
        if (known == null) {
            types[at] = type;
        } else if (known.kind() != type.kind() || known.isWide() != type.isWide()) {
            throw mismatch(known, type.kind());
        }
        rows.words[rowStart + nullWords + at] = word;
        column++;
        return this;
    }

    private ProcedureException mismatch(SqlType known, SqlType.Kind given) {
        return new ProcedureException(
                ErrorCode.INVALID_VALUE,
                "column " + names[column] + " of the result table holds "
                        + (known.isWide() ? SqlType.Kind.DECIMAL : known.kind()) + " values, not " + given);
    }

    private int checkColumn() {
        if (column == names.length) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "a row of the result table has " + names.length + " columns: call endRow before adding more");
        }
        return column;
    }

    /** Gives the completed rows away, and is empty; goes on with what it is given. */
    HeapRows exchange(HeapRows next) {
        HeapRows full = rows;
        full.complete(shape(), rowStart);
        full.stopCharging();
        rows = next;
        rows.chargeTo(work);
        clear();
        return full;
    }

    private RowShape shape() {
        for (TypedShape known : shapes) {
            if (known != null && Arrays.equals(types, known.types())) {
                return known.shape();
            }
        }
        lastShape = (lastShape + 1) % KEPT_SHAPES;
        shapes[lastShape] = new TypedShape(types.clone(), shapeOf(names, types));
        return shapes[lastShape].shape();
    }

    private static RowShape shapeOf(String[] names, SqlType... types) {
        List<PlanField> fields = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            fields.add(new PlanField(names[i], types[i] == null ? BIGINT : types[i], true));
        }
        return RowShape.of(fields);
    }

    /** The shape of rows whose columns have these types. */
    private record TypedShape(SqlType[] types, RowShape shape) {}
}
