package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A workload on one partition: a single thread is client, initiator and executor. */
final class OneCoreBenchmark implements Benchmark {
    private final String name;
    private final String description;
    private final double goal;
    private final Function<Context, Workload> workload;
    private final List<Option> sizes;

    /**
     * A benchmark.
     *
     * @param goal transactions per second; 0: there is none
     * @param sizes the options that the workload is made with
     */
    OneCoreBenchmark(
            String name, String description, double goal, Function<Context, Workload> workload, Option... sizes) {
        this.name = name;
        this.description = description;
        this.goal = goal;
        this.workload = workload;
        this.sizes = List.of(sizes);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<Key> keys() {
        Key tps = Key.of("tps", "transactions per second, rolled-back ones included");
        return List.of(
                goal > 0 ? tps.atLeast(goal) : tps,
                Key.of("tps_per_cpu", "transactions per second of processor time, whatever else the machine does"));
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP));
        options.addAll(sizes);
        return options;
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(3, 7));
        int warmUp = context.option("warmup", context.quickOr(8, 20));
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(workload.apply(context), 1, EngineRun.MEMORY_FOR_ONE)) {
            run.start();
            context.progress("Warming up: %.0f calls/s", run.watch(warmUp).perSecond());
            Rates rates = Rates.measure(run, context, rounds, seconds);
            Map<String, Double> profile =
                    SiteProfile.of(context.scratch(), SiteProfile::packageOf, () -> run.watch(context.quickOr(1, 8)));
            run.stop();
            double rolledBack = 100.0 * run.rolledBack() / run.completed();
            run.check();
            return new Result()
                    .put("tps", rates.perSecond())
                    .put("tps_per_cpu", rates.perCpuSecond())
                    .fact("rolled_back_percent", String.format(Locale.ROOT, "%.2f", rolledBack))
                    .fact("consistent", "true")
                    .remark("Time of the site by samples, after the measurement:\n\n"
                            + SiteProfile.table("package", Map.of("share", profile)));
        }
    }
}
