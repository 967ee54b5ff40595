package io.reprise.log;

/**
 * A transaction has more to log than a record may hold. Thrown while the record is built, before the transaction has
 * committed: it can be rolled back as if it had failed by itself.
 */
public final class LogRecordTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogRecordTooLargeException(long limit) {
        super("the transaction's log record has more than the " + limit
                + " bytes that one may have (log.largestRecord in"
                + " the node's configuration, at most half of log.segment); write less in one transaction");
    }
}
