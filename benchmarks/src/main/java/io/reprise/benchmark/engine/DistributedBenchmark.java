package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** New-Order with more and more orders that have one line from a warehouse of the other partition. */
final class DistributedBenchmark implements Benchmark {
    private static final List<Integer> PERCENTAGES = List.of(0, 1, 5, 10, 20, 50, 100);

    @Override
    public String name() {
        return "engine-distributed";
    }

    @Override
    public String description() {
        return "TPC-C New-Order with 0 to 100% distributed transactions, two partitions";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int percentage : PERCENTAGES) {
            keys.add(Key.of("tps_" + percentage, "transactions per second with " + percentage + "% distributed"));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 2), Option.SECONDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        TpccOptions options = TpccOptions.standard(context.option("warehouses", 8))
                .withMix(TpccOptions.Mix.NEW_ORDER)
                .withRemote(0, 0);
        double seconds = context.option("seconds", 1);
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(new Tpcc(options), 2, EngineRun.MEMORY_FOR_EACH)) {
            Interleaved interleaved = new Interleaved();
            for (int percentage : PERCENTAGES) {
                Tpcc variant = new Tpcc(options.withDistributedOrders(percentage));
                interleaved.add("tps_" + percentage, () -> {
                    double rate = run.measure(variant, 0.3, seconds).perSecond();
                    context.progress("%d%%: %.0f calls/s", percentage, rate);
                    return rate;
                });
            }
            Interleaved.Comparison comparison = interleaved.run(context.quickOr(1, 2), context.quickOr(2, 5));
            Map<String, Map<String, Double>> profile = new LinkedHashMap<>();
            for (int percentage : PERCENTAGES) {
                Tpcc variant = new Tpcc(options.withDistributedOrders(percentage));
                profile.put(
                        percentage + "%",
                        SiteProfile.of(
                                context.scratch(),
                                DistributedBenchmark::phase,
                                () -> run.measure(variant, 0.3, seconds)));
            }
            run.check();
            Result result = new Result().fact("consistent", "true");
            comparison.samples().forEach(result::put);
            return result.remark(
                    "Time of the sites by samples, after the measurement:\n\n" + SiteProfile.table("", profile));
        }
    }

    /** The activity of a site at the moment of a sample. */
    private static String phase(List<String> stack) {
        String type = "io.reprise.execution.PartitionExecutor.";
        if (stack.contains("io.reprise.txn.coordinator.Coordinator.runLent")) {
            return "runs a distributed transaction";
        }
        if (stack.contains(type + "lookAhead")) {
            return "fetches rows ahead";
        }
        if (stack.contains(type + "runSingle")) {
            return "runs a transaction of its own partition";
        }
        if (stack.stream().anyMatch(frame -> frame.startsWith("io.reprise.benchmark."))) {
            return "makes calls and takes replies (the client)";
        }
        return "orders transactions, looks whether its partition is back";
    }
}
