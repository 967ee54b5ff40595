package io.reprise.engine;

import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotStats;
import java.util.concurrent.CompletableFuture;

/** The engine as an {@link ObjectiveAgent} sees it. Used by the agent's thread. */
final class SnapshotObjective implements ObjectiveAgent.Surroundings {
    private final RecoveryBacklog backlog;
    private final Snapshots snapshots;
    private CompletableFuture<SnapshotReport> asked = CompletableFuture.completedFuture(null);

    SnapshotObjective(RecoveryBacklog backlog, Snapshots snapshots) {
        this.backlog = backlog;
        this.snapshots = snapshots;
    }

    @Override
    public RecoveryForecast forecast() {
        return backlog.forecast();
    }

    @Override
    public long loadNs() {
        return backlog.loadNs();
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
}
