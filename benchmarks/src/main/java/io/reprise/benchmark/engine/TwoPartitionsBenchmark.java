package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TPC-C on two partitions against one, in turns on the same machine. Warehouses keep to themselves here, so that all
 * transactions have one partition; what it costs when they do not is another benchmark's question.
 */
final class TwoPartitionsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "engine-tpcc-2";
    }

    @Override
    public String description() {
        return "TPC-C full mix without remote warehouses, two partitions on two cores against one";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps", "transactions per second on two partitions"),
                Key.of("ratio", "two partitions against one").atLeast(1.9));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 1), Option.SECONDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int warehouses = context.option("warehouses", 4);
        double seconds = context.option("seconds", context.quickOr(2, 4));
        Tpcc single = new Tpcc(TpccOptions.standard(warehouses).withRemote(0, 0));
        Tpcc twice = new Tpcc(TpccOptions.standard(2 * warehouses).withRemote(0, 0));
        context.progress("Loading");
        try (EngineRun one = EngineRun.open(single, 1, EngineRun.MEMORY_FOR_EACH);
                EngineRun two = EngineRun.open(twice, 2, EngineRun.MEMORY_FOR_EACH)) {
            context.progress("Measuring");
            Interleaved.Comparison comparison = new Interleaved()
                    .add("one", () -> one.measure(single, 0.5, seconds).perSecond())
                    .add("two", () -> two.measure(twice, 0.5, seconds).perSecond())
                    .run(context.quickOr(2, 4), context.quickOr(3, 9));
            Map<String, Map<String, Double>> profile = new LinkedHashMap<>();
            profile.put(
                    "one partition",
                    SiteProfile.of(context, SiteProfile::packageOf, () -> one.measure(single, 0.5, seconds)));
            profile.put(
                    "two partitions",
                    SiteProfile.of(context, SiteProfile::packageOf, () -> two.measure(twice, 0.5, seconds)));
            one.check();
            two.check();
            return new Result()
                    .put("tps", comparison.of("two"))
                    .put("ratio", comparison.ratio("two", "one"))
                    .fact("consistent", "true")
                    .remark("Where the sites' time goes, by samples, after the measurement:\n\n"
                            + SiteProfile.table("package", profile));
        }
    }
}
