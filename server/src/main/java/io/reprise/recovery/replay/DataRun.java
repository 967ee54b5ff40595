package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.log.physiological.DataRedo;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.StatementFactory;
import java.util.List;

/**
 * The data records of one partition that follow each other in the log, copied out of it and stored in one go: a record is
 * so little work that sending each for itself would cost more.
 *
 * <pre>
 *  for each record: long transaction id | long log position | long length | payload, padded to 8 bytes
 * </pre>
 *
 * <p>Filled by the replaying thread, then the executor's, then free again.
 */
final class DataRun extends Work {
    private static final int HEADER = 24;
    private static final int START = 64;
    private static final int FULL = 256 << 10;

    private final Memory memory;
    private final DataRedo[] redo;
    private long end = START;
    private int count;

    /** A run that is empty; by partition, what stores its records. */
    DataRun(long largestRecord, DataRedo[] redo) {
        super("data records", false);
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

    void add(long transactionId, long logPosition, Memory source, long address, int length) {
        memory.putLong(end, transactionId);
        memory.putLong(end + 8, logPosition);
        memory.putLong(end + 16, length);
        memory.copyIn(source.segment(), address, end + HEADER, length);
        end += HEADER + (length + 7L & -8);
        count++;
    }

    void clear() {
        end = START;
        count = 0;
    }

    void close() {
        memory.close();
    }

    @Override
    public void run(Partition partition, Invocation invocation) {
        long at = START;
        while (at < end) {
            int length = (int) memory.getLong(at + 16);
            redo[partition.index()].apply(memory.getLong(at), memory.segment(), at + HEADER, length);
            at += HEADER + (length + 7L & -8);
        }
    }

    @Override
    public void runLent(Partition at, Invocation invocation) {
        throw new UnsupportedOperationException("data records are stored by each partition for itself");
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public Scope scope() {
        return Scope.PARTITION;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkArguments(Invocation invocation) {}

    @Override
    public void route(Invocation invocation, BucketMap buckets) {
        throw new UnsupportedOperationException("data records are sent by the replay");
    }

    @Override
    public void bind(List<Partition> partitions) {}
}
