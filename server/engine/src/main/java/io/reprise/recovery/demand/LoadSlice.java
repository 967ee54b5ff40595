package io.reprise.recovery.demand;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.snapshot.file.BucketBlock;
import java.util.BitSet;

/**
 * A small part of the loading of one partition or several: some rows of a block, or some records of the log. It runs as a transaction
 * of the engine, so clients' transactions come between slices. It reports to the agent when it has run, and is free again when it has been
 * answered.
 */
final class LoadSlice extends EngineWork {
    private static final int MOST_RECORDS = 32;

    private final PartitionLoad[] loads;
    private final MpscRing<LoadSlice> done;
    private final MpscRing<LoadSlice> free;
    private final Execution execution;

    private BucketBlock block;
    private int from;
    private int to;
    private final int[] records = new int[MOST_RECORDS];

    /** By record, the bucket of which the part is to be applied; -1: all of it. */
    private final int[] parts = new int[MOST_RECORDS];

    private int recordCount;
    private boolean data;
    private long reserved;
    private boolean ends;

    /** The bucket that is loaded now, or -1. */
    private int arrived;

    private Throwable failure;

    /** A slice, with the loads of all partitions by slot. */
    LoadSlice(PartitionLoad[] loads, MpscRing<LoadSlice> done, MpscRing<LoadSlice> free) {
        super("load");
        this.loads = loads;
        this.done = done;
        this.free = free;
        execution = new Execution().withoutResult();
    }

    /** Begins anew, for a partition. */
    LoadSlice begin(int partition) {
        block = null;
        recordCount = 0;
        data = false;
        reserved = 0;
        ends = false;
        arrived = -1;
        failure = null;
        execution.prepare(this, finished -> free.offer(this), 0);
        execution.sendTo(partition);
        return this;
    }

    /** To insert rows of a block. */
    LoadSlice rows(BucketBlock ofBlock, int first, int end) {
        block = ofBlock;
        from = first;
        to = end;
        return this;
    }

    /** To give memory back that was kept for rows. */
    void reserved(long bytes) {
        reserved = bytes;
    }

    /** To apply a record, or one bucket's part of it, too. Returns whether there is room for another. */
    boolean record(int number, int part) {
        records[recordCount] = number;
        parts[recordCount++] = part;
        return recordCount < MOST_RECORDS;
    }

    /** To apply a command with all its participants lent; or a data record at each participant. */
    void wideRecord(int number, boolean isData, BucketMap map, BitSet participants) {
        record(number, TailIndex.WHOLE);
        data = isData;
        execution.routeBy(map);
        participants.stream().forEach(execution::addParticipant);
    }

    /** To let transactions touch a bucket. */
    LoadSlice arrived(int bucket) {
        arrived = bucket;
        return this;
    }

    /** To end the partition's loading. */
    LoadSlice end() {
        ends = true;
        return this;
    }

    Execution execution() {
        return execution;
    }

    BucketBlock block() {
        return block;
    }

    int rowCount() {
        return block == null ? 0 : to - from;
    }

    int recordCount() {
        return recordCount;
    }

    int recordNumber(int index) {
        return records[index];
    }

    int part(int index) {
        return parts[index];
    }

    /** Why it could not be done, or null. */
    Throwable failure() {
        return failure;
    }

    @Override
    public boolean needsRows() {
        return false;
    }

    @Override
    public void run(Partition partition, Execution running) {
        try {
            PartitionLoad load = loads[partition.slot()];
            if (block != null) {
                load.inserter().insert(block, from, to);
            }
            for (int i = 0; i < recordCount; i++) {
                load.applier().apply(records[i], parts[i]);
            }
            if (reserved != 0) {
                partition.store().reserve(-reserved);
            }
            if (arrived >= 0) {
                partition.store().scope().have(arrived);
            }
            if (ends) {
                partition.store().finishReplay();
            }
        } catch (RuntimeException | StackOverflowError e) {
            failure = e;
        }
        done.offer(this);
    }

    @Override
    public void runLent(Partition at, Execution running) {
        try {
            if (!data) {
                loads[at.slot()].applier().applyLent(records[0], running);
            }
            for (int i = 0; data && i < running.participantCount(); i++) {
                loads[at.peers().slotOf(running.participant(i))].applier().apply(records[0], TailIndex.WHOLE);
            }
        } catch (RuntimeException | StackOverflowError e) {
            failure = e;
        }
        done.offer(this);
    }
}
