package io.reprise.sql.compile.runtime;

/** Checks the arguments of OFFSET, FETCH and GENERATE_SERIES. */
public final class Limits {
    private Limits() {}

    /** OFFSET and FETCH together; more than a BIGINT is all rows, and one that is negative stays so, to be refused. */
    public static long sum(long one, long other) {
        if (one < 0 || other < 0) {
            return Math.min(one, other);
        }
        return one + other < 0 ? Long.MAX_VALUE : one + other;
    }

    /** The number of steps of a series after its first number; -1 if it has no number. */
    public static long steps(long start, long stop, long step) {
        if (step == 0) {
            throw Errors.invalid("the step of GENERATE_SERIES must not be 0");
        } else if (step > 0 ? start > stop : start < stop) {
            return -1;
        }
        long steps = step > 0 ? Long.divideUnsigned(stop - start, step) : Long.divideUnsigned(start - stop, -step);
        return steps < 0 ? Long.MAX_VALUE : steps;
    }

    /** Throws if the value is NULL or negative. */
    public static long check(String what, long value, boolean isNull) {
        if (isNull || value < 0) {
            throw Errors.invalid(what + " must be 0 or a positive number, not " + (isNull ? "NULL" : value));
        }
        return value;
    }
}
