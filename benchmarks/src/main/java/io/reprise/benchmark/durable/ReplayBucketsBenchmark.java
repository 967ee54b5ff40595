package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.RecoveryReport;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The replay of one log of TPC-C commands on several partitions, in log order and in bucket order, by turns within one process. The share
 * of the processors' time that a replay uses says how much another order could still gain.
 */
final class ReplayBucketsBenchmark implements Benchmark {
    private static final int WAREHOUSES = 4;
    private static final int PARTITIONS = 2;
    private static final long MEMORY = 4L << 30;
    private static final Option PARTITION_COUNT = Option.number("partitions", 2, 16);
    private static final Option WAREHOUSE_COUNT = Option.number("warehouses", 2);

    @Override
    public String name() {
        return "replay-buckets";
    }

    @Override
    public String description() {
        return "Command replay of TPC-C on two partitions or more: bucket order against log order";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                                "ratio_spec",
                                "replay rate in bucket order as a ratio to log order, remote warehouses as specified")
                        .atLeast(1.2),
                Key.of("ratio_all", "the same, all New-Orders distributed").atLeast(1.6),
                Key.of("spec_log_tps", "transactions replayed in a second, log order, as specified"),
                Key.of("spec_buckets_tps", "the same in bucket order"),
                Key.of("all_log_tps", "log order, all distributed"),
                Key.of("all_buckets_tps", "the same in bucket order"),
                Key.of("spec_log_busy", "share of all processors' time that the replay uses, log order, as specified"),
                Key.of("spec_buckets_busy", "the same in bucket order"),
                Key.of("all_log_busy", "log order, all distributed"),
                Key.of("all_buckets_busy", "the same in bucket order"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, PARTITION_COUNT, WAREHOUSE_COUNT);
    }

    @Override
    public Result run(Context context) throws Exception {
        TpccOptions options = TpccOptions.standard(context.option("warehouses", WAREHOUSES));
        Result result = new Result();
        measure(context, result, "spec", new Tpcc(options));
        measure(
                context,
                result,
                "all",
                new Tpcc(options.withMix(TpccOptions.Mix.NEW_ORDER).withDistributedOrders(100)));
        return result.fact("same_content_after_each_replay", "true");
    }

    private static void measure(Context context, Result result, String key, Workload workload) throws Exception {
        int partitions = context.option("partitions", PARTITIONS);
        int sites = Math.min(partitions, Runtime.getRuntime().availableProcessors());
        EngineRun.Setup setup = EngineRun.Setup.inMemory(workload, partitions, MEMORY / partitions)
                .in(context.scratch().resolve(key), Logging.COMMAND.durability().withStateHash(false))
                .with(engine -> engine.sites(sites));
        Map<String, List<Double>> busy = new TreeMap<>();
        try (Restarts database = new Restarts(setup)) {
            database.snapshot();
            database.work(workload, context.option("seconds", context.quickOr(1, 10)));
            Interleaved.Comparison comparison = new Interleaved()
                    .add("log", () -> rate(database, setup, ReplaySettings.Order.LOG, busy))
                    .add("buckets", () -> rate(database, setup, ReplaySettings.Order.BUCKETS, busy))
                    .run(1, context.option("rounds", context.quickOr(1, 5)));
            result.put("ratio_" + key, comparison.ratio("buckets", "log"));
            result.put(key + "_log_tps", comparison.of("log"));
            result.put(key + "_buckets_tps", comparison.of("buckets"));
            busy.forEach((order, shares) -> result.put(
                    key + '_' + order + "_busy",
                    new Samples(shares.stream().mapToDouble(Double::doubleValue).toArray())));
            context.progress("%s: log order %s, bucket order %s", key, comparison.of("log"), comparison.of("buckets"));
        }
    }

    private static double rate(
            Restarts database, EngineRun.Setup setup, ReplaySettings.Order order, Map<String, List<Double>> busy) {
        RecoveryTimes times = new RecoveryTimes();
        RecoveryReport report = database.restart(setup.replaying(order).tellingOfRecovery(times));
        busy.computeIfAbsent(order.name().toLowerCase(Locale.ROOT), none -> new ArrayList<>())
                .add(times.replayCpuSeconds()
                        / times.replaySeconds()
                        / Runtime.getRuntime().availableProcessors());
        return report.transactions() * 1e9 / report.replayNs();
    }
}
