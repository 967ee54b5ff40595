package io.reprise.recovery.replay;

import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.redo.DataRedo;
import io.reprise.redo.DivergedReplayException;
import io.reprise.redo.RedoBatch;
import java.util.function.Consumer;

/**
 * A batch of decoded data records of one partition, as the work of an executor. A single record is less work than its hand-over.
 *
 * <p>The replaying thread fills and sends it, the executor applies it, and the replaying thread takes it back.
 */
final class DataRun extends EngineWork implements AutoCloseable {
    private final Consumer<DataRun> home;
    private final DataRedo[] redo;
    private final RedoBatch batch;
    private int lane;
    private long firstPosition;

    /** The transaction that does not fit the rows, or 0. */
    private long diverged;

    private boolean settled;

    /**
     * An empty run.
     *
     * @param home takes it back when it has been applied
     * @param redo applies its records, by partition
     */
    DataRun(Consumer<DataRun> home, DataRedo... redo) {
        super("data records");
        this.home = home;
        this.redo = redo;
        batch = new RedoBatch();
    }

    /** Begins for a lane, at a position of the log, which ends at the other one. */
    void begin(int forLane, long logPosition, long logEnd) {
        lane = forLane;
        firstPosition = logPosition;
        diverged = 0;
        batch.at(logPosition, logEnd);
    }

    RedoBatch batch() {
        return batch;
    }

    /** The lane that it is for. */
    int lane() {
        return lane;
    }

    /** The log position of the first record. */
    long firstPosition() {
        return firstPosition;
    }

    /** The transaction whose record does not fit the rows, or 0. */
    long diverged() {
        return diverged;
    }

    /** Whether it had settled its lane when it was sent. */
    boolean hasSettled() {
        return settled;
    }

    /** Empties it and gives it back. */
    void goHome() {
        settled = batch.settles();
        batch.clear();
        home.accept(this);
    }

    @Override
    public void close() {
        batch.close();
    }

    @Override
    public void run(Partition partition, Execution execution) {
        try {
            redo[partition.slot()].apply(batch);
        } catch (DivergedReplayException e) {
            diverged = e.transactionId();
            throw e;
        }
    }
}
