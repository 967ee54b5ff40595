package io.reprise.sql.compile.runtime;

/** Checks the arguments of OFFSET and FETCH. */
public final class Limits {
    private Limits() {}

    /** OFFSET and FETCH together; more than a BIGINT is all rows, and one that is negative stays so, to be refused. */
    public static long sum(long one, long other) {
        if (one < 0 || other < 0) {
            return Math.min(one, other);
        }
        return one + other < 0 ? Long.MAX_VALUE : one + other;
    }

    /** Throws if the value is NULL or negative. */
    public static long check(String what, long value, boolean isNull) {
        if (isNull || value < 0) {
            throw Errors.invalid(what + " must be 0 or a positive number, not " + (isNull ? "NULL" : value));
        }
        return value;
    }
}
