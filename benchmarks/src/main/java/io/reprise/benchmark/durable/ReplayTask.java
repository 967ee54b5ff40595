package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.log.LogStats;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.workload.Workload;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * In a process of its own: a database that is run and recovered by turns: a snapshot, a stretch of transactions, a
 * clean end, and a start that replays that stretch. A hash over all rows compares the content before and after. Told:
 * load, logging, folder.
 */
public final class ReplayTask implements ForkedTask {
    private static final int WAREHOUSES = 2;

    private Workload workload;
    private EngineRun.Setup setup;
    private EngineRun run;

    /** Nothing is open. */
    public ReplayTask() {}

    static Fork start(Load load, Logging logging, Path scratch) {
        return Fork.start(ReplayTask.class, words(load, logging, scratch));
    }

    /** The same in a JVM that lacks a flag of this one. */
    static Fork startWithout(String flag, Load load, Logging logging, Path scratch) {
        return Fork.startWithout(flag, ReplayTask.class, words(load, logging, scratch));
    }

    private static String[] words(Load load, Logging logging, Path scratch) {
        return new String[] {
            load.name(),
            logging.name(),
            scratch.resolve(load + "-" + logging.key()).toString()
        };
    }

    /** Lets the clients run for so long, without recording anything. */
    static void warmUp(Fork fork, double seconds) {
        fork.ask("warm-up", Double.toString(seconds));
    }

    /**
     * One turn, with so many seconds of transactions.
     *
     * @param callsPerSecond of the client; 0: as fast as they are answered
     * @return the number of them replayed in a second
     */
    static double turn(Fork fork, double callsPerSecond, double seconds) {
        return fork.ask("turn", Double.toString(callsPerSecond), Double.toString(seconds))
                .get("replayed");
    }

    @Override
    public void open(List<String> words) {
        Load load = Load.valueOf(words.get(0));
        workload = load.workload(WAREHOUSES);
        setup = load.setup(WAREHOUSES)
                .in(
                        Path.of(words.get(2)),
                        Logging.valueOf(words.get(1)).durability().withStateHash(false));
        run = EngineRun.load(setup);
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case "warm-up" -> {
                run.measure(workload, 0, Double.parseDouble(request.get(1)));
                yield Map.of();
            }
            case "turn" ->
                Map.of("replayed", turn(Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2))));
            default -> throw new IllegalArgumentException("asked for " + request);
        };
    }

    private double turn(double callsPerSecond, double seconds) {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        LogStats log = run.engine().logStats().orElseThrow();
        long before = log.records();
        run.start(workload, callsPerSecond);
        run.watch(seconds);
        run.stop();
        long transactions = log.records() - before;
        return transactions / restart().replaySeconds();
    }

    /** Ends the engine and opens it again. */
    private RecoveryTimes restart() {
        long[] hashes = run.engine().contentHashes();
        run.close();
        RecoveryTimes times = new RecoveryTimes();
        run = EngineRun.reopen(setup.tellingOfRecovery(times));
        if (!Arrays.equals(hashes, run.engine().contentHashes())) {
            throw new IllegalStateException("what was recovered is not what was there");
        }
        return times;
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}
