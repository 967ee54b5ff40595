package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Options;
import io.reprise.engine.RecoveryForecast;
import io.reprise.engine.RecoveryObjective;
import io.reprise.engine.SortedLogSettings;
import io.reprise.snapshot.SnapshotSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** TPC-C with logged commands at full speed, and the backlog of a recovery over time. Told: folder, {@link Policy}, objective in seconds. */
public final class BacklogTask implements ForkedTask {
    private static final int WAREHOUSES = 2;
    private static final int INTERVAL_MS = 5_000;

    /** The first answer is to be so many times earlier than the last row. */
    private static final int FIRST_SHARE = 10;

    private static final double NS = 1e9;

    /** The seconds between two points of a curve. */
    static final double STEP_SECONDS = 0.1;

    private Policy policy;
    private EngineRun run;

    /** The way in which the backlog is kept short. */
    enum Policy {
        /** It is not. */
        NONE,
        /** A snapshot every five seconds. */
        INTERVAL,
        /** Snapshots for an objective. */
        OBJECTIVE,
        /** Runs with images of commands, and an objective for the first answer. */
        RUNS,
        /** The sorted log as the only storage. */
        STORED;

        private Options add(Options options, double seconds) {
            long bound = (long) (seconds * NS);
            return switch (this) {
                case NONE -> options;
                case INTERVAL ->
                    options.durability(Logging.COMMAND
                            .durability()
                            .with(SnapshotSettings.usual().every(INTERVAL_MS, 0)));
                case OBJECTIVE -> options.recoveryObjective(new RecoveryObjective(bound, false));
                case RUNS ->
                    options.recoverOnDemand(true)
                            .sortedLog(SortedLogSettings.DEFAULTS.withImages(true))
                            .recoveryObjective(new RecoveryObjective(0, bound / FIRST_SHARE, 0, false));
                case STORED -> options.storeInLog(true);
            };
        }
    }

    /** Nothing is open. */
    public BacklogTask() {}

    @Override
    public void open(List<String> words) {
        policy = Policy.valueOf(words.get(1));
        double seconds = Double.parseDouble(words.get(2));
        run = EngineRun.load(Load.TPCC
                .setup(WAREHOUSES)
                .in(Path.of(words.get(0)), Logging.COMMAND.durability())
                .with(options -> policy.add(options, seconds)));
        if (!run.engine().snapshot().succeeded()) {
            throw new IllegalStateException("the snapshot failed");
        }
    }

    /** Runs for so many seconds. Returns for each step the forecasts until all rows are there and of the first answer, and the throughput. */
    @Override
    public Map<String, Double> answer(List<String> request) {
        double seconds = Double.parseDouble(request.getFirst());
        Map<String, Double> seen = new TreeMap<>();
        run.start();
        long before = run.completed();
        for (int step = 0; step * STEP_SECONDS < seconds; step++) {
            EngineRun.sleep(STEP_SECONDS);
            RecoveryForecast forecast = run.engine().recoveryForecast().orElseThrow();
            seen.put("all" + step, forecast.expectedNs() / NS);
            seen.put("first" + step, forecast.firstNs() / NS);
        }
        seen.put("rate", (run.completed() - before) / seconds);
        run.stop();
        return seen;
    }

    @Override
    public void close() {
        if (run != null) {
            Runtime.getRuntime().halt(0);
        }
    }
}
