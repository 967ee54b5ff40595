package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Durability;
import io.reprise.engine.RecoveryReport;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.runtime.SeededRandomness;
import io.reprise.snapshot.SnapshotSettings;
import java.util.List;

/**
 * The forecast of a recovery, asked just before an end without a snapshot, against the time that the recovery takes. TPC-C in one partition, a
 * third of the transactions logged as data, for random times behind a snapshot. All recoveries are in one process; the first ones, from which the
 * node learns, are not counted.
 */
final class PredictBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final double DATA = 0.33;
    private static final int SNAPSHOT_EVERY = 3;
    private static final double SHORTEST_SECONDS = 0.2;

    @Override
    public String name() {
        return "predict";
    }

    @Override
    public String description() {
        return "Forecasts of recoveries against the time that they take";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("r2", "share of the times' variance that the forecasts explain")
                        .atLeast(0.95),
                Key.of("error_p90", "relative error that nine of ten forecasts do not exceed")
                        .atMost(0.2),
                Key.of("shortest_s", "the shortest recovery, in seconds"),
                Key.of("longest_s", "the longest recovery"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("crashes", 1));
    }

    @Override
    public Result run(Context context) {
        int crashes = context.option("crashes", context.quickOr(5, 30));
        int learnt = context.quickOr(3, 8);
        Durability durability = Durability.standard()
                .with(LoggingMethod.ADAPTIVE)
                .with(AdaptiveSettings.random(DATA))
                .with(SnapshotSettings.usual().onDemand())
                .withStateHash(false);
        EngineRun.Setup setup = Load.TPCC.setup(WAREHOUSES).in(context.scratch(), durability);
        SeededRandomness random = new SeededRandomness(1);
        double[] expected = new double[crashes];
        double[] took = new double[crashes];
        try (Restarts database = new Restarts(setup)) {
            database.snapshot();
            for (int i = -learnt; i < crashes; i++) {
                if (random.nextInt(SNAPSHOT_EVERY) == 0) {
                    database.snapshot();
                }
                database.work(
                        Load.TPCC.workload(WAREHOUSES),
                        SHORTEST_SECONDS + random.nextInt(100) / 100.0 * context.quickOr(1, 3));
                double forecast =
                        database.run().engine().recoveryForecast().orElseThrow().expectedNs() / 1e9;
                RecoveryReport report = database.restart();
                double seconds = (report.loadNs() + report.replayNs()) / 1e9;
                context.progress("expected %.2f s, took %.2f s", forecast, seconds);
                if (i >= 0) {
                    expected[i] = forecast;
                    took[i] = seconds;
                }
            }
        }
        return Forecasts.compare(expected, took)
                .put("shortest_s", new Samples(took).min())
                .put("longest_s", new Samples(took).max());
    }
}
