package io.reprise.redo;

/**
 * A data record does not fit the rows that it is applied to: it changes one that isn't there, or inserts one that is. The
 * partition is not what it was when the transaction ran first, so replay must not go on.
 */
public final class DivergedReplayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long transactionId;

    /** A divergence that was found at the end, of an unknown transaction. */
    public DivergedReplayException(String message) {
        this(0, message, null);
    }

    /** Says which transaction, table and key. */
    public DivergedReplayException(long transactionId, String message) {
        this(transactionId, message, null);
    }

    /** The same with what noticed it. */
    public DivergedReplayException(long transactionId, String message, Throwable cause) {
        super(message, cause);
        this.transactionId = transactionId;
    }

    /** The transaction that does not come to what it came to the first time; 0 if it is not known. */
    public long transactionId() {
        return transactionId;
    }
}
