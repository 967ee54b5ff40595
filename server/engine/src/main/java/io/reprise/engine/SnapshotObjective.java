package io.reprise.engine;

import io.reprise.recovery.run.LogRunAgent;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotStats;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** The engine as an {@link ObjectiveAgent} sees it. Used by the agent's thread. */
final class SnapshotObjective implements ObjectiveAgent.Surroundings {
    private final RecoveryBacklog backlog;
    private final Snapshots snapshots;

    /** Null if the log is not sorted. */
    private final LogRunAgent sorting;

    private final LongSupplier durable;
    private final boolean boundsBuckets;
    private CompletableFuture<SnapshotReport> asked = CompletableFuture.completedFuture(null);

    /** The position up to which a run was asked for. */
    private long askedUpTo;

    /**
     * The engine's parts.
     *
     * @param sorting null if the log is not sorted
     * @param durable the log's durable position
     * @param boundsBuckets whether the objective has a bound for the heaviest bucket
     */
    SnapshotObjective(
            RecoveryBacklog backlog,
            Snapshots snapshots,
            LogRunAgent sorting,
            LongSupplier durable,
            boolean boundsBuckets) {
        this.backlog = backlog;
        this.snapshots = snapshots;
        this.sorting = sorting;
        this.durable = durable;
        this.boundsBuckets = boundsBuckets;
    }

    @Override
    public RecoveryOutlooks outlooks() {
        return backlog.outlooks(sorting != null, boundsBuckets);
    }

    @Override
    public long snapshotNs() {
        return snapshots.stats().last().map(SnapshotReport::tookNs).orElse(0L);
    }

    @Override
    public boolean isIdle() {
        return asked.isDone() && snapshots.stats().now().phase() == SnapshotStats.Phase.IDLE;
    }

    @Override
    public void snapshot() {
        asked = snapshots.request();
    }

    @Override
    public boolean isSorted() {
        return sorting == null || sorting.sorted() >= askedUpTo;
    }

    @Override
    public void sort() {
        if (sorting != null) {
            askedUpTo = durable.getAsLong();
            sorting.wish(askedUpTo);
        }
    }
}
