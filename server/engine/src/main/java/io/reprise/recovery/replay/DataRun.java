package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Invocation;
import io.reprise.execution.Partition;
import io.reprise.execution.Scope;
import io.reprise.log.physiological.DataRedo;
import io.reprise.log.physiological.DivergedReplayException;
import io.reprise.log.physiological.RedoBatch;

/**
 * What data records that follow each other in the log have done to one partition, decoded, to be stored in one go: a record is so little
 * work that sending each for itself would cost more.
 *
 * <p>Filled by the thread that decodes, then the replaying thread's, which sends it, then the executor's, then free again.
 */
final class DataRun extends EngineWork implements AutoCloseable {
    private final RunOutlet home;
    private final DataRedo[] redo;
    private final RedoBatch batch;
    private int lane;
    private long firstPosition;

    /** The transaction that could not be stored; 0: there is none. */
    private long diverged;

    /**
     * A run that is empty.
     *
     * @param home where it goes back to
     * @param redo by partition, what stores its records
     */
    DataRun(RunOutlet home, DataRedo... redo) {
        super("data records");
        this.home = home;
        this.redo = redo;
        batch = new RedoBatch();
    }

    /** Begins, for this partition, with a record at this position of the log, which ends at the other. */
    void begin(int forLane, long logPosition, long logEnd) {
        lane = forLane;
        firstPosition = logPosition;
        diverged = 0;
        batch.at(logPosition, logEnd);
    }

    RedoBatch batch() {
        return batch;
    }

    /** Whose it is. */
    int lane() {
        return lane;
    }

    /** The log position of the first record. */
    long firstPosition() {
        return firstPosition;
    }

    /** The transaction whose record does not fit the rows that there are; 0: there is none. */
    long diverged() {
        return diverged;
    }

    /** It has been stored. */
    void goHome() {
        batch.clear();
        home.giveBack(this);
    }

    @Override
    public void close() {
        batch.close();
    }

    @Override
    public void run(Partition partition, Invocation invocation) {
        try {
            redo[partition.slot()].apply(batch);
        } catch (DivergedReplayException e) {
            diverged = e.transactionId();
            throw e;
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
