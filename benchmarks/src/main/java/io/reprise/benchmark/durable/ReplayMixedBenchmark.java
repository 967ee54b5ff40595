package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.engine.Durability;
import io.reprise.engine.RecoveryReport;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.snapshot.SnapshotSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The replay of TPC-C logs in which a share of the transactions, drawn by chance, are data records. The time of a transaction at each share is
 * compared with the line between the logs with commands only and with data only.
 */
final class ReplayMixedBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int[] PERCENT = {0, 25, 50, 75, 100};

    @Override
    public String name() {
        return "replay-mixed";
    }

    @Override
    public String description() {
        return "Replay of TPC-C logs with 0 to 100% data records, against the line between the ends; one partition";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        keys.add(
                Key.of("worst", "the lowest replay rate as a ratio to the line").atLeast(0.85));
        for (int percent : PERCENT) {
            keys.add(
                    Key.of("us_" + percent, "microseconds of replay for a transaction, " + percent + "% data records"));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) {
        int rounds = context.option("rounds", context.quickOr(1, 5));
        double seconds = context.option("seconds", context.quickOr(1, 4));
        double[][] us = new double[PERCENT.length][rounds];
        List<Restarts> databases = new ArrayList<>();
        try {
            for (int percent : PERCENT) {
                Durability durability = Durability.standard()
                        .with(LoggingMethod.ADAPTIVE)
                        .with(AdaptiveSettings.random(percent / 100.0))
                        .with(SnapshotSettings.usual().onDemand())
                        .withStateHash(false);
                Restarts database = new Restarts(
                        Load.TPCC.setup(WAREHOUSES).in(context.scratch().resolve("data-" + percent), durability));
                databases.add(database);
                database.snapshot();
                database.work(Load.TPCC.workload(WAREHOUSES), seconds);
                database.restart();
            }
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < PERCENT.length; i++) {
                    RecoveryReport report = databases.get(i).restart();
                    us[i][round] = report.replayNs() / 1e3 / report.transactions();
                }
            }
        } finally {
            databases.forEach(Restarts::close);
        }
        return result(context, us);
    }

    private static Result result(Context context, double[][] us) {
        double[] median = Arrays.stream(us)
                .mapToDouble(times -> Arrays.stream(times).sorted().toArray()[times.length / 2])
                .toArray();
        double worst = 1;
        Result result = new Result();
        for (int i = 0; i < PERCENT.length; i++) {
            double line = median[0] + (median[PERCENT.length - 1] - median[0]) * PERCENT[i] / 100;
            worst = Math.min(worst, line / median[i]);
            result.put("us_" + PERCENT[i], median[i]);
            context.progress("%d%% data: %.2f us, the line %.2f us", PERCENT[i], median[i], line);
        }
        return result.put("worst", worst).fact("same_content_after_each_replay", "true");
    }
}
