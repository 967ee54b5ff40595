package io.reprise.execution;

import io.reprise.runtime.agent.RunMonitor;
import io.reprise.storage.PartitionStore;
import java.util.List;

/**
 * A partition as running transactions see it: its store, and, for a transaction that this partition's thread runs over
 * several partitions, what it was lent. Owned by its executor's thread, or by the one it is lent to.
 */
public final class Partition {
    private final int index;
    private final PartitionStore store;
    private final RunMonitor monitor = new RunMonitor(LoopBrake.INSTANCE);
    private final RunMonitor unwatched = new RunMonitor(LoopBrake.INSTANCE);
    private final Lent lent;
    private long committed;
    private long aborted;

    /** The partitions of an engine, over their stores. */
    public static List<Partition> over(List<PartitionStore> stores, BucketMap buckets) {
        Partition[] peers = new Partition[stores.size()];
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new Partition(i, stores.get(i), buckets, peers);
        }
        return List.of(peers);
    }

    /** A partition among its peers, an array that the caller fills before any transaction runs. */
    private Partition(int index, PartitionStore store, BucketMap buckets, Partition[] peers) {
        this.index = index;
        this.store = store;
        this.lent = new Lent(buckets, peers);
    }

    /** Its number, from 0. */
    public int index() {
        return index;
    }

    /** What it stores. */
    public PartitionStore store() {
        return store;
    }

    /** The partitions that a transaction run by this partition's thread holds. */
    public Lent lent() {
        return lent;
    }

    /** For the watcher of overdue transactions. */
    public RunMonitor monitor() {
        return monitor;
    }

    /** What a run of this work is told to: nobody watches for how long the engine's own works take. */
    public RunMonitor monitor(Work work) {
        return work.isLimited() ? monitor : unwatched;
    }

    /** Begins an invocation's transaction at this partition. */
    public void begin(Invocation invocation) {
        store.begin(invocation.id());
        if (invocation.bucket() != Invocation.NO_BUCKET) {
            store.confineTo(invocation.bucket());
        }
    }

    /** Counts a transaction that this partition's thread ran. */
    public void count(boolean success) {
        if (success) {
            committed++;
        } else {
            aborted++;
        }
    }

    /** How many transactions this partition's thread committed. */
    public long committed() {
        return committed;
    }

    /** How many transactions this partition's thread rolled back. */
    public long aborted() {
        return aborted;
    }
}
