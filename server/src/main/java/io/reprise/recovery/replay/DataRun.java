package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Invocation;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.log.physiological.DataRedo;
import io.reprise.log.physiological.DataScout;
import io.reprise.log.physiological.Lookups;
import io.reprise.runtime.memory.Memory;

/**
 * The data records of one partition that follow each other in the log, copied out of it and stored in one go: a record is
 * so little work that sending each for itself would cost more.
 *
 * <pre>
 *  for each record: long transaction id | long log position | int length | int end of its lookups | payload, padded to 8 bytes
 * </pre>
 *
 * <p>Filled by the replaying thread, then the executor's, then free again.
 */
final class DataRun extends EngineWork {
    private static final int HEADER = 24;
    private static final int START = 64;
    private static final int FULL = 256 << 10;

    /** How many rows are fetched together: enough to wait for once, few enough to be still there when they are used. */
    private static final int FETCHED = 48;

    private final Memory memory;
    private final DataRedo[] redo;
    private final Lookups lookups = new Lookups();
    private long end = START;
    private int count;

    /** A run that is empty; by partition, what stores its records. */
    DataRun(long largestRecord, DataRedo[] redo) {
        super("data records");
        this.redo = redo;
        memory = Memory.reserve(START + FULL + HEADER + largestRecord + 2L * Memory.HUGE_PAGE);
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return end - START >= FULL;
    }

    /** The log position of the first record. */
    long firstPosition() {
        return memory.getLong(START + 8);
    }

    /** Adds a record, and what the scout of the partition finds in it. */
    void add(DataScout scout, long transactionId, long logPosition, Memory source, long address, int length) {
        scout.scan(source, address, length, lookups);
        memory.putLong(end, transactionId);
        memory.putLong(end + 8, logPosition);
        memory.putInt(end + 16, length);
        memory.putInt(end + 20, lookups.count());
        memory.copyFrom(source, address, end + HEADER, length);
        end += HEADER + (length + 7L & -8);
        count++;
    }

    void clear() {
        end = START;
        count = 0;
        lookups.clear();
    }

    void close() {
        memory.close();
    }

    @Override
    public void run(Partition partition, Invocation invocation) {
        DataRedo here = redo[partition.index()];
        int fetched = 0;
        long at = START;
        while (at < end) {
            int length = memory.getInt(at + 16);
            int needed = memory.getInt(at + 20);
            if (needed > fetched) {
                int from = fetched;
                fetched = Math.min(lookups.count(), Math.max(needed, from + FETCHED));
                here.fetch(lookups, from, fetched);
            }
            here.apply(memory.getLong(at), memory, at + HEADER, length);
            at += HEADER + (length + 7L & -8);
        }
    }

    @Override
    public void runLent(Partition at, Invocation invocation) {
        throw new UnsupportedOperationException("data records are stored by each partition for itself");
    }

    @Override
    public Scope scope() {
        return Scope.PARTITION;
    }

    @Override
    public void route(Invocation invocation, BucketMap buckets) {
        throw new UnsupportedOperationException("data records are sent by the replay");
    }
}
