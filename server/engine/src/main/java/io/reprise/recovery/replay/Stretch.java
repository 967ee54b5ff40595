package io.reprise.recovery.replay;

import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogStretch;
import io.reprise.log.RecordKind;
import java.util.EnumSet;
import java.util.Set;

/**
 * A stretch of the log on its way through a replay, and what was found in it. Filled by the replaying thread, then the one that decodes it,
 * then the replaying thread's again.
 */
final class Stretch implements AutoCloseable {
    private static final Set<RecordKind> DATA_ONLY = EnumSet.of(RecordKind.DATA, RecordKind.SNAPSHOT_BEGIN);

    private final LogStretch log = new LogStretch();
    private final Callers callers = new Callers();
    private boolean hasData;
    private boolean dataOnly;
    private long logEnd;
    private long lastId;
    private long transactions;
    private Throwable failure;
    private long failedTransaction;
    private long failedPosition;

    /** Fills it with so many bytes of what comes next in the log. Returns whether there is anything. */
    boolean fill(LogReader reader, long enough) {
        callers.clear();
        logEnd = reader.end();
        lastId = 0;
        transactions = 0;
        failure = null;
        return reader.next(log, enough);
    }

    /** Whether it has been filled, ever. */
    boolean isOfLog() {
        return logEnd != 0;
    }

    LogStretch log() {
        return log;
    }

    /** Where the log ends that it is of. */
    long logEnd() {
        return logEnd;
    }

    /** Looks what kinds of records it has. */
    void look() {
        Set<RecordKind> kinds = log.kinds();
        hasData = kinds.contains(RecordKind.DATA);
        dataOnly = DATA_ONLY.containsAll(kinds);
    }

    /** Whether all that has to be done for it is decoding, as far as {@link #look} has found. */
    boolean isDataOnly() {
        return dataOnly;
    }

    boolean hasData() {
        return hasData;
    }

    /** Notes what every record has. */
    void note(LogRecords record) {
        lastId = Math.max(lastId, record.transactionId());
        if (record.hasCaller()) {
            callers.add(record);
        }
    }

    /** Notes that a record was a transaction's. */
    void noteTransaction() {
        transactions++;
    }

    /** It can't be decoded further than to this record. */
    void fail(LogRecords at, Throwable why) {
        failure = why;
        failedTransaction = at.transactionId();
        failedPosition = at.framePosition();
    }

    Callers callers() {
        return callers;
    }

    long lastId() {
        return lastId;
    }

    long transactions() {
        return transactions;
    }

    /** Why it could not be decoded, or null. */
    Throwable failure() {
        return failure;
    }

    long failedTransaction() {
        return failedTransaction;
    }

    long failedPosition() {
        return failedPosition;
    }

    @Override
    public void close() {
        log.close();
    }
}
