package io.reprise.client;

/** The kind of failure that ended a call. */
public enum ErrorCode {
    /** A newer server named a failure that this client does not know. */
    UNKNOWN(0),
    /** The procedure asked for the rollback. */
    USER_ABORT(1),
    /** PRIMARY KEY, UNIQUE or NOT NULL. */
    CONSTRAINT_VIOLATION(2),
    /** A number left the range of its type. */
    NUMERIC_OVERFLOW(3),
    /** Division by zero. */
    DIVISION_BY_ZERO(4),
    /** A string or binary value is longer than its column, or what the transaction has to log is longer than the server takes. */
    VALUE_TOO_LONG(5),
    /** A value can't be converted, or an argument has the wrong type. */
    INVALID_VALUE(6),
    /** A scalar subquery gave more than one row. */
    CARDINALITY(7),
    /** A statement touched rows outside the partitions that the transaction holds. */
    SCOPE_VIOLATION(8),
    /** The server's memory limit is reached; reads and deletes still work. Or the transaction needs too much to work in. */
    MEMORY_LIMIT(9),
    /** The procedure ran longer than the server allows. */
    TIME_LIMIT(10),
    /** The procedure threw something else. */
    PROCEDURE_FAILURE(11),
    /** Unknown procedure, wrong number of arguments, SQL that can't be planned. */
    INVALID_REQUEST(12),
    /** Too much waits already, at the server or in this client; the call was not run. */
    OVERLOADED(13),
    /** The server is closing; the call was not run. */
    SHUTTING_DOWN(14),
    /** The call's timeout was over before it began; it was not run. */
    DEADLINE_PASSED(15),
    /** The transaction's writes are committed, but its result is longer than the server sends. */
    RESULT_TOO_LARGE(16),
    /** The connection broke, or the time was over, before the reply came: whether the call was run is not known. */
    OUTCOME_UNKNOWN(17),
    /** The call was made more than once, ran once and committed; its result is not kept. */
    RESULT_LOST(18),
    /** The server's disk is full or read-only, so that nothing can be logged; the transaction was rolled back. */
    STORAGE_UNAVAILABLE(19),
    /** The user that the client is may not do this; nothing was run. */
    NOT_PERMITTED(20),
    /** Another node leads the partition; the call was not run. */
    MOVED(21),
    /** No node leads the partition, or its leader can't be reached; the call was not run. */
    PARTITION_UNAVAILABLE(22),
    /** The client or an operator canceled the request; the transaction was rolled back. */
    CANCELED(23),
    /** No server can be reached; the call was not sent. */
    NOT_CONNECTED(1000),
    /** The server does not take the user and the password, or wants to have them; the call was not run. */
    NOT_AUTHENTICATED(1001);

    private static final ErrorCode[] BY_NUMBER = new ErrorCode[24];

    static {
        for (ErrorCode code : values()) {
            if (code.number < BY_NUMBER.length) {
                BY_NUMBER[code.number] = code;
            }
        }
    }

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** Whether the call was not run because its partition has another leader, or none. */
    boolean meansNoLeader() {
        return this == MOVED || this == PARTITION_UNAVAILABLE;
    }

    /** The code that has this number in the protocol. */
    public static ErrorCode of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN;
    }
}
