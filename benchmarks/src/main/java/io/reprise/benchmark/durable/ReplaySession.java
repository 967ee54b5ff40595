package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.log.LogStats;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.workload.Workload;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A database that is run and recovered by turns: a snapshot, a stretch of transactions at full speed, a clean end, and a
 * start that replays that stretch. What comes back is compared with what was there by a hash over all rows.
 */
final class ReplaySession implements AutoCloseable {
    private final Workload workload;
    private final EngineRun.Setup setup;
    private EngineRun run;

    ReplaySession(Load load, int warehouses, Logging logging, Path folder) {
        workload = load.workload(warehouses);
        setup = load.setup(warehouses).in(folder.resolve(load + "-" + logging.key()), logging.durability());
        run = EngineRun.load(setup);
    }

    /**
     * What one turn has shown.
     *
     * @param transactions that are in the log
     * @param liveSeconds how long they took when they ran
     * @param replaySeconds how long they took when they were replayed
     */
    record Turn(long transactions, double liveSeconds, double replaySeconds) {
        double liveRate() {
            return transactions / liveSeconds;
        }

        double replayRate() {
            return transactions / replaySeconds;
        }

        double ratio() {
            return liveSeconds / replaySeconds;
        }
    }

    /** Lets the clients run for so long, without recording anything. */
    void warmUp(double seconds) {
        run.measure(workload, 0, seconds);
    }

    /** One turn, with so many seconds of transactions. */
    Turn turn(double seconds) {
        snapshot();
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        long begin = System.nanoTime();
        run.measure(workload, 0, seconds);
        double liveSeconds = (System.nanoTime() - begin) * 1e-9;
        long transactions = log.records() - before;
        return new Turn(transactions, liveSeconds, restart().replaySeconds());
    }

    /** A snapshot, from which the next start begins. */
    SnapshotReport snapshot() {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        return report;
    }

    /** Runs at least so many more transactions that write something. Returns how many there were. */
    long run(long atLeast) {
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        run.start();
        while (log.records() - before < atLeast) {
            EngineRun.sleep(0.001);
        }
        run.stop();
        return log.records() - before;
    }

    /** Ends the engine and opens it again. */
    RecoveryTimes restart() {
        long[] hashes = run.engine().contentHashes();
        run.close();
        RecoveryTimes times = new RecoveryTimes();
        run = EngineRun.reopen(setup.tellingOfRecovery(times));
        times.opened();
        if (!Arrays.equals(hashes, run.engine().contentHashes())) {
            throw new IllegalStateException("what was recovered is not what was there");
        }
        return times;
    }

    @Override
    public void close() {
        run.close();
    }
}
