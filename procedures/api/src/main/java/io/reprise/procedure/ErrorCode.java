package io.reprise.procedure;

/** The kind of failure that ended a transaction; a client decides by it whether to try again. */
public enum ErrorCode {
    /** The procedure asked for the rollback. */
    USER_ABORT(false),
    /** PRIMARY KEY, UNIQUE or NOT NULL. */
    CONSTRAINT_VIOLATION(false),
    /** A number left the range of its type. */
    NUMERIC_OVERFLOW(false),
    /** Division by zero. */
    DIVISION_BY_ZERO(false),
    /** A string or binary value is longer than its column, or what a transaction has to log is longer than a log record may be. */
    VALUE_TOO_LONG(false),
    /** A value can't be converted, or an argument has the wrong type. */
    INVALID_VALUE(false),
    /** A scalar subquery gave more than one row. */
    CARDINALITY(false),
    /** A statement touched rows outside the partitions that the transaction holds. */
    SCOPE_VIOLATION(false),
    /** The memory limit is reached; reads and deletes still work. Or the transaction needs too much to work in. */
    MEMORY_LIMIT(false),
    /** The procedure ran longer than the configured limit. */
    TIME_LIMIT(false),
    /** The client canceled the request, or its time limit for the statement was over; the transaction was rolled back. */
    CANCELED(false),
    /** The procedure threw something else, or recursed without end. */
    PROCEDURE_FAILURE(false),
    /** Unknown procedure, wrong number of arguments, SQL that can't be planned. */
    INVALID_REQUEST(false),
    /** Admission control refused the request before it began; try again later. */
    OVERLOADED(true),
    /** The disk is full or read-only, so that nothing can be logged; the transaction was rolled back. Try again later. */
    STORAGE_UNAVAILABLE(true),
    /** The engine is closing; the call was not run. */
    SHUTTING_DOWN(true),
    /**
     * The end of a call is not known. It was sent and may have happened, or may still happen; or it repeats a call
     * that is too old to be remembered.
     */
    OUTCOME_UNKNOWN(false),
    /** A call that was made before committed, and what it returned is not kept. */
    RESULT_LOST(false),
    /** A statement's result is longer than a reply may be; it was ended. */
    RESULT_TOO_LARGE(false),
    /** Another node leads the partition; the call was not run. */
    MOVED(true),
    /** No node leads the partition, or its leader can't be reached; the call was not run. Try again later. */
    PARTITION_UNAVAILABLE(true);

    private final boolean retryable;

    ErrorCode(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether the same request may succeed when it is sent again, and had no effect so far. */
    public boolean retryable() {
        return retryable;
    }
}
