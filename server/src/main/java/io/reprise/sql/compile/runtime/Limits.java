package io.reprise.sql.compile.runtime;

/** Checks the arguments of OFFSET and FETCH. */
public final class Limits {
    private Limits() {}

    /** Throws if the value is NULL or negative. */
    public static long check(String what, long value, boolean isNull) {
        if (isNull || value < 0) {
            throw Errors.invalid(what + " must be 0 or a positive number, not " + (isNull ? "NULL" : value));
        }
        return value;
    }
}
