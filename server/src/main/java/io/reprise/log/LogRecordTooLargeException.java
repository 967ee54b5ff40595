package io.reprise.log;

/**
 * A transaction has more to log than a record may hold. Thrown while the record is built, before the transaction has
 * committed: it can be rolled back as if it had failed by itself.
 */
public final class LogRecordTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogRecordTooLargeException(long limit) {
        super("The transaction's log record is larger than the limit of " + limit + " bytes. Split the transaction into"
                + " smaller ones, or raise the log's largest record (and with it the size of its segments).");
    }
}
