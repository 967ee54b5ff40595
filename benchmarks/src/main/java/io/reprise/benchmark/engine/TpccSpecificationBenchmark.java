package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;

/** The cost of the specified share of remote warehouses: the same database with and without, in turns. */
final class TpccSpecificationBenchmark implements Benchmark {
    @Override
    public String name() {
        return "engine-tpcc-spec";
    }

    @Override
    public String description() {
        return "TPC-C full mix with 1% remote lines and 15% remote payments, two partitions";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps", "transactions per second with remote warehouses as specified"),
                Key.of("ratio", "against the same without remote warehouses").atLeast(0.7));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 2), Option.SECONDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        TpccOptions options = TpccOptions.standard(context.option("warehouses", 8));
        double seconds = context.option("seconds", context.quickOr(2, 4));
        Tpcc specified = new Tpcc(options);
        Tpcc local = new Tpcc(options.withRemote(0, 0));
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(specified, 2, EngineRun.MEMORY_FOR_EACH)) {
            context.progress("Measuring");
            Interleaved.Comparison comparison = new Interleaved()
                    .add("local", () -> run.measure(local, 0.5, seconds).perSecond())
                    .add("specified", () -> run.measure(specified, 0.5, seconds).perSecond())
                    .run(context.quickOr(2, 4), context.quickOr(3, 9));
            run.check();
            return new Result()
                    .put("tps", comparison.of("specified"))
                    .put("ratio", comparison.ratio("specified", "local"))
                    .fact("consistent", "true");
        }
    }
}
