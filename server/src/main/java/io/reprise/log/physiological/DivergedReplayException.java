package io.reprise.log.physiological;

/**
 * A data record does not fit the rows that it is applied to: it changes one that isn't there, or inserts one that is. The
 * partition is not what it was when the transaction ran first, so replay must not go on.
 */
public final class DivergedReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says which transaction, table and key. */
    public DivergedReplayException(String message) {
        super(message);
    }

    /** The same with what noticed it. */
    public DivergedReplayException(String message, Throwable cause) {
        super(message, cause);
    }
}
