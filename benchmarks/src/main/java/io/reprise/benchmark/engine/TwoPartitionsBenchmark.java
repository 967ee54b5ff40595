package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TPC-C on two partitions against one, in turns on the same machine, each engine in a process of its own. Warehouses
 * keep to themselves here, so that all transactions have one partition; another benchmark measures the cost of remote
 * ones.
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
        String seconds = Integer.toString(context.option("seconds", context.quickOr(2, 4)));
        context.progress("Loading");
        try (Fork one = Fork.start(PartitionsTask.class, "1", Integer.toString(warehouses));
                Fork two = Fork.start(PartitionsTask.class, "2", Integer.toString(2 * warehouses))) {
            context.progress("Measuring");
            Interleaved.Comparison comparison = new Interleaved()
                    .add("one", () -> one.ask("measure", seconds).get("tps"))
                    .add("two", () -> two.ask("measure", seconds).get("tps"))
                    .run(context.quickOr(2, 4), context.quickOr(3, 9));
            String scratch = context.scratch().toString();
            Map<String, Map<String, Double>> profile = new LinkedHashMap<>();
            profile.put("one partition", one.ask("profile", seconds, scratch));
            profile.put("two partitions", two.ask("profile", seconds, scratch));
            one.ask("check");
            two.ask("check");
            return new Result()
                    .put("tps", comparison.of("two"))
                    .put("ratio", comparison.ratio("two", "one"))
                    .fact("consistent", "true")
                    .remark("Time of the sites by samples, after the measurement:\n\n"
                            + SiteProfile.table("package", profile));
        }
    }
}
