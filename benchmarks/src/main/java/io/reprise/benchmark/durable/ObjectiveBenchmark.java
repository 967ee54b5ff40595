package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Durability;
import io.reprise.engine.RecoveryForecast;
import io.reprise.engine.RecoveryObjective;
import io.reprise.engine.RecoveryReport;
import io.reprise.engine.SortedLogSettings;
import io.reprise.runtime.SeededRandomness;
import java.util.List;

/**
 * An objective for the time of recoveries, TPC-C at full speed in one partition, and ends at random moments. It counts recoveries within the
 * objective, and compares times with forecasts. The objective is the time of loading the rows and of a second of transactions. The throughput is
 * compared with that without an objective. Then the same for first answers of recoveries on demand.
 */
final class ObjectiveBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final double SHORTEST_SECONDS = 1;

    @Override
    public String name() {
        return "objective";
    }

    @Override
    public String description() {
        return "Recoveries under an objective for their time, after ends at random moments";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("held", "recoveries within the objective, as a share of all")
                        .atLeast(29.0 / 30),
                Key.of("r2", "share of the times' variance that the forecasts explain")
                        .atLeast(0.95),
                Key.of("error_p90", "relative error that nine of ten forecasts do not exceed")
                        .atMost(0.2),
                Key.of("cost_ratio", "throughput with the objective as a ratio to that without"),
                Key.of("longest_ratio", "the longest recovery as a ratio to the objective"),
                Key.of("snapshots", "snapshots made to keep the objective"),
                Key.of("demand_held", "first answers on demand within their objective, as a share of all")
                        .atLeast(0.9),
                Key.of("demand_first_error", "median relative error of forecasts of the first answer on demand")
                        .atMost(0.2),
                Key.of("demand_all_error", "the same until all rows are there").atMost(0.2),
                Key.of("demand_runs", "runs of the log made to keep that objective"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("crashes", 1));
    }

    @Override
    public Result run(Context context) {
        int crashes = context.option("crashes", context.quickOr(4, 30));
        double most = context.quickOr(3, 7);
        Durability durability = Logging.COMMAND.durability().withStateHash(false);
        EngineRun.Setup free = Load.TPCC.setup(WAREHOUSES).in(context.scratch().resolve("whole"), durability);
        SeededRandomness random = new SeededRandomness(1);
        double[] expected = new double[crashes];
        double[] took = new double[crashes];
        int held = 0;
        double longest = 0;
        double paced = 0;
        double unpaced = 0;
        long snapshots = 0;
        try (Restarts database = new Restarts(free)) {
            database.snapshot();
            for (int i = 0; i < context.quickOr(2, 4); i++) {
                unpaced = rate(database, 2);
                database.restart();
                database.snapshot();
            }
            for (int i = 0; i < crashes; i++) {
                // Rows grow, and so does the time of loading them.
                double load = seconds(
                        database.run().engine().recoveryForecast().orElseThrow().expectedNs());
                double bound = 2 * load + context.quickOr(1, 2);
                RecoveryObjective objective = new RecoveryObjective((long) (bound * 1e9), true);
                database.restart(free.with(options -> options.recoveryObjective(objective)));
                paced = rate(database, SHORTEST_SECONDS + random.nextInt(1000) / 1000.0 * (most - SHORTEST_SECONDS));
                snapshots += database.run().engine().objective().orElseThrow().snapshots();
                expected[i] = seconds(
                        database.run().engine().recoveryForecast().orElseThrow().expectedNs());
                RecoveryReport report = database.restart();
                took[i] = seconds(report.loadNs() + report.replayNs());
                held += took[i] <= bound ? 1 : 0;
                longest = Math.max(longest, took[i] / bound);
                context.progress("objective %.2f s, expected %.2f s, took %.2f s", bound, expected[i], took[i]);
                database.snapshot();
            }
        }
        Result result = Forecasts.compare(expected, took);
        onDemand(context, free, random, result);
        return result.put("held", (double) held / crashes)
                .put("longest_ratio", longest)
                .put("cost_ratio", paced / unpaced)
                .put("snapshots", (double) snapshots);
    }

    /** Recoveries on demand with images of commands, and an objective for the first answer: twice what an opening without log takes. */
    private static void onDemand(Context context, EngineRun.Setup free, SeededRandomness random, Result result) {
        int crashes = context.quickOr(3, 10);
        double[] firstError = new double[crashes];
        double[] allError = new double[crashes];
        int held = 0;
        long runs = 0;
        EngineRun.Setup demand = free.in(context.scratch().resolve("demand"), free.durability())
                .with(options -> options.recoverOnDemand(true).sortedLog(SortedLogSettings.DEFAULTS.withImages(true)));
        try (Restarts database = new Restarts(demand)) {
            database.snapshot();
            long boundNs = 0;
            for (int i = -2; i < crashes; i++) {
                // The first two only teach it the machine.
                rate(database, 1 + random.nextInt(1000) / 1000.0);
                RecoveryForecast expected =
                        database.run().engine().recoveryForecast().orElseThrow();
                if (i >= 0) {
                    runs += database.run().engine().objective().orElseThrow().runs();
                }
                RecoveryForecast seen = restartOnDemand(database, demand, boundNs);
                if (i >= 0) {
                    firstError[i] = error(expected.firstNs(), seen.lastFirstNs());
                    allError[i] = error(expected.expectedNs(), seen.lastTookNs());
                    held += seen.lastFirstNs() <= boundNs ? 1 : 0;
                    context.progress(
                            "first answer expected after %.3f s, took %.3f s; all rows %.2f s, %.2f s",
                            seconds(expected.firstNs()),
                            seconds(seen.lastFirstNs()),
                            seconds(expected.expectedNs()),
                            seconds(seen.lastTookNs()));
                }
                database.snapshot();
                boundNs = 2
                        * database.run()
                                .engine()
                                .recoveryForecast()
                                .orElseThrow()
                                .firstNs();
                database.restart(objective(demand, boundNs));
                awaitRows(database);
            }
        }
        result.put("demand_held", (double) held / crashes)
                .put("demand_first_error", new Samples(firstError))
                .put("demand_all_error", new Samples(allError))
                .put("demand_runs", (double) runs);
    }

    private static EngineRun.Setup objective(EngineRun.Setup demand, long boundNs) {
        return demand.with(options -> options.recoveryObjective(new RecoveryObjective(0, boundNs, 0, true)));
    }

    private static RecoveryForecast restartOnDemand(Restarts database, EngineRun.Setup demand, long boundNs) {
        database.restart(boundNs > 0 ? objective(demand, boundNs) : demand);
        return awaitRows(database);
    }

    /** The forecast when all rows have been loaded. */
    private static RecoveryForecast awaitRows(Restarts database) {
        RecoveryForecast forecast = database.run().engine().recoveryForecast().orElseThrow();
        while (forecast.lastTookNs() == 0) {
            EngineRun.sleep(0.01);
            forecast = database.run().engine().recoveryForecast().orElseThrow();
        }
        return forecast;
    }

    private static double error(long expectedNs, long tookNs) {
        return Math.abs((double) expectedNs / tookNs - 1);
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }

    private static double rate(Restarts database, double seconds) {
        long before = database.run().completed();
        long beganNs = System.nanoTime();
        database.work(Load.TPCC.workload(WAREHOUSES), seconds);
        return (database.run().completed() - before) / seconds(System.nanoTime() - beganNs);
    }
}
