package io.reprise.workload;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** A procedure's scalar result in the shape that {@link Database#call} gives: one row with one column, or nothing. */
public final class ScalarRows extends Rows {
    private final Object value;
    private final int count;
    private int at = -1;

    private ScalarRows(Object value, int count) {
        this.value = value;
        this.count = count;
    }

    /** An integer or a boolean as 0 or 1. */
    public static ScalarRows of(long value) {
        return new ScalarRows(value, 1);
    }

    /** A double. */
    public static ScalarRows of(double value) {
        return new ScalarRows(value, 1);
    }

    /** A string, or null. */
    public static ScalarRows of(String value) {
        return new ScalarRows(value, 1);
    }

    /** No row: the procedure returns nothing. */
    public static ScalarRows none() {
        return new ScalarRows(null, 0);
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public boolean next() {
        return ++at < count;
    }

    @Override
    public void rewind() {
        at = -1;
    }

    @Override
    public int columns() {
        return count;
    }

    @Override
    public String columnName(int column) {
        return "VALUE";
    }

    @Override
    public String columnType(int column) {
        return value instanceof String ? "VARCHAR" : value instanceof Double ? "DOUBLE" : "BIGINT";
    }

    @Override
    public Object valueAt(int column) {
        return value;
    }

    @Override
    public boolean isNull(int column) {
        return value == null;
    }

    @Override
    public long longAt(int column) {
        return number().longValue();
    }

    @Override
    public double doubleAt(int column) {
        return number().doubleValue();
    }

    @Override
    public long unscaledAt(int column) {
        throw mismatch("a DECIMAL");
    }

    @Override
    public BigDecimal decimalAt(int column) {
        return value == null ? null : new BigDecimal(number().toString());
    }

    @Override
    public String stringAt(int column) {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw mismatch("a string");
    }

    @Override
    public byte[] bytesAt(int column) {
        return value == null ? null : stringAt(column).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Text textAt(int column) {
        return value == null ? null : Text.of(stringAt(column));
    }

    private Number number() {
        if (value instanceof Number number) {
            return number;
        }
        throw mismatch("a number");
    }

    private ProcedureException mismatch(String wanted) {
        return new ProcedureException(ErrorCode.INVALID_VALUE, "the result is not " + wanted + " but " + value);
    }
}
