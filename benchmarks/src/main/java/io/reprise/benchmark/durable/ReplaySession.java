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
        setup = load.setup(warehouses)
                .in(
                        folder.resolve(load + "-" + logging.key()),
                        logging.durability().withStateHash(false));
        run = EngineRun.load(setup);
    }

    /**
     * What one turn has shown.
     *
     * @param transactions that are in the log
     * @param liveSeconds how long they took when they ran
     * @param liveCpuSeconds how much time of processors that was
     * @param replaySeconds how long they took when they were replayed
     * @param replayCpuSeconds how much time of processors that was
     */
    record Turn(
            long transactions,
            double liveSeconds,
            double liveCpuSeconds,
            double replaySeconds,
            double replayCpuSeconds) {
        double liveRate() {
            return transactions / liveSeconds;
        }

        double replayRate() {
            return transactions / replaySeconds;
        }

        double ratio() {
            return liveSeconds / replaySeconds;
        }

        double cpuRatio() {
            return liveCpuSeconds / replayCpuSeconds;
        }
    }

    /** Lets the clients run for so long, without recording anything. */
    void warmUp(double seconds) {
        run.measure(workload, 0, seconds);
    }

    /** One turn, with so many seconds of transactions at full speed. */
    Turn turn(double seconds) {
        return turn(seconds, 0);
    }

    /**
     * One turn, with so many seconds of transactions.
     *
     * @param callsPerSecond of the client; 0: as fast as they are answered
     */
    Turn turn(double seconds, double callsPerSecond) {
        snapshot();
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        long begin = System.nanoTime();
        long beginCpu = RecoveryTimes.processCpuNs();
        run.start(workload, callsPerSecond);
        EngineRun.sleep(seconds);
        run.stop();
        double liveSeconds = (System.nanoTime() - begin) * 1e-9;
        double liveCpuSeconds = (RecoveryTimes.processCpuNs() - beginCpu) * 1e-9;
        long transactions = log.records() - before;
        RecoveryTimes times = restart();
        return new Turn(transactions, liveSeconds, liveCpuSeconds, times.replaySeconds(), times.replayCpuSeconds());
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
