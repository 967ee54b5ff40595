package io.reprise.execution;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.WorkMemory;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.plan.PlanField;
import java.math.BigDecimal;
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
    private static final SqlType[] DECIMALS = new SqlType[SqlType.MAX_DECIMAL_PRECISION + 1];
    private static final int KEPT_SHAPES = 4;

    static {
        Arrays.setAll(DECIMALS, scale -> SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, scale));
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

    /** An empty table, which grows within this. */
    public FilledTable(WorkMemory work, String... names) {
        this.work = work;
        rows.chargeTo(work);
        this.names = names.clone();
        types = new SqlType[names.length];
        nullWords = RowShape.nullWords(names.length);
        stride = RowShape.stride(names.length);
        beginRow();
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
        } else if (known.kind() != type.kind()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "column " + names[at] + " of the result table holds " + known.kind() + " values, not "
                            + type.kind());
        }
        rows.words[rowStart + nullWords + at] = word;
        column++;
        return this;
    }

    private int checkColumn() {
        if (column == names.length) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "a row of the result table has " + names.length + " columns: call endRow before adding more");
        }
        return column;
    }

    private static SqlType decimal(int scale) {
        return scale >= 0 && scale < DECIMALS.length
                ? DECIMALS[scale]
                : SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, scale);
    }

    /** Gives the completed rows away, and is empty; goes on with what it is given. */
    HeapRows exchange(HeapRows next) {
        HeapRows full = rows;
        full.complete(shape(), rowStart);
        full.chargeToNobody();
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
