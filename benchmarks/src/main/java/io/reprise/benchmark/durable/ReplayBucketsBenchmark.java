package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.RecoveryReport;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;

/** The replay of one log of TPC-C commands on two partitions, in log order and in bucket order, by turns within one process. */
final class ReplayBucketsBenchmark implements Benchmark {
    private static final int WAREHOUSES = 4;
    private static final int PARTITIONS = 2;
    private static final long MEMORY = 2L << 30;

    @Override
    public String name() {
        return "replay-buckets";
    }

    @Override
    public String description() {
        return "Command replay of TPC-C on two partitions: bucket order against log order";
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
                Key.of("all_buckets_tps", "the same in bucket order"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        TpccOptions options = TpccOptions.standard(WAREHOUSES);
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
        EngineRun.Setup setup = EngineRun.Setup.inMemory(workload, PARTITIONS, MEMORY)
                .in(context.scratch().resolve(key), Logging.COMMAND.durability().withStateHash(false));
        try (Restarts database = new Restarts(setup)) {
            database.snapshot();
            database.work(workload, context.option("seconds", context.quickOr(1, 10)));
            Interleaved.Comparison comparison = new Interleaved()
                    .add("log", () -> rate(database.restart(setup)))
                    .add("buckets", () -> rate(database.restart(setup.replaying(ReplaySettings.Order.BUCKETS))))
                    .run(1, context.option("rounds", context.quickOr(1, 5)));
            result.put("ratio_" + key, comparison.ratio("buckets", "log"));
            result.put(key + "_log_tps", comparison.of("log"));
            result.put(key + "_buckets_tps", comparison.of("buckets"));
            context.progress("%s: log order %s, bucket order %s", key, comparison.of("log"), comparison.of("buckets"));
        }
    }

    private static double rate(RecoveryReport report) {
        return report.transactions() * 1e9 / report.replayNs();
    }
}
