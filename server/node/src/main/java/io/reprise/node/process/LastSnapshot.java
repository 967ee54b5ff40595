package io.reprise.node.process;

import io.reprise.engine.DurabilityStats;
import io.reprise.engine.Reprise;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.snapshot.SnapshotReport;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshot that a node makes when it stops. It is skipped while a recovery on demand still misses rows: the snapshot would wait for
 * them, and the next start has the older snapshot and the log. Used by the thread that stops the node.
 */
final class LastSnapshot {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.node");
    private static final long LOOK_MS = 100;
    private static final long MS_NS = 1_000_000;

    private final String node;
    private final Reprise engine;

    LastSnapshot(String node, Reprise engine) {
        this.node = node;
        this.engine = engine;
    }

    /** Makes the snapshot, or logs why it was skipped. */
    void make() {
        Optional<LoadStats> missing = engine.load().filter(load -> load.ready() < load.buckets());
        if (missing.isPresent()) {
            LOG.info(
                    "No snapshot at the end, because {} of {} buckets are not loaded; the next start uses the snapshot and the log of"
                            + " this one.",
                    missing.get().buckets() - missing.get().ready(),
                    missing.get().buckets());
            return;
        }
        if (engine.rebuildStats().flatMap(RebuildStats::present).isPresent()) {
            LOG.info(
                    "No snapshot at the end, because a partition is not rebuilt; the next start recovers from snapshot and log.");
            return;
        }
        FutureTask<String> task = new FutureTask<>(this::report);
        Thread.ofPlatform().daemon().name("reprise-" + node + "-last-snapshot").start(task);
        await(task);
    }

    /** Waits for the snapshot, but not while the log can't be written: the snapshot waits for the log, and stopping must not. */
    private void await(FutureTask<String> task) {
        while (true) {
            try {
                LOG.info("{}", task.get(LOOK_MS, TimeUnit.MILLISECONDS));
                return;
            } catch (TimeoutException e) {
                Optional<String> blocked =
                        engine.durabilityStats().map(DurabilityStats::log).flatMap(l -> l.refusesBecause());
                if (blocked.isPresent()) {
                    LOG.warn("No snapshot at the end, because the log can't be written: {}", blocked.get());
                    return;
                }
            } catch (ExecutionException e) {
                LOG.warn("No snapshot at the end: {}", e.getCause().getMessage());
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private String report() {
        SnapshotReport report = engine.snapshot();
        return report.succeeded()
                ? "A last snapshot: " + report.rows() + " rows in " + report.tookNs() / MS_NS + " ms."
                : "No snapshot at the end: " + report.problem();
    }
}
