package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.util.List;

/** Smallbank on two partitions: Amalgamate and SendPayment, 40 of 100 calls, reach into the other one half of the time. */
final class SmallbankTwoBenchmark implements Benchmark {
    @Override
    public String name() {
        return "engine-smallbank-2";
    }

    @Override
    public String description() {
        return "Smallbank on two partitions, half of the two-account transactions distributed";
    }

    @Override
    public List<Key> keys() {
        return List.of(Key.of("tps", "transactions per second, rolled-back ones included")
                .atLeast(500_000));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("customers", 4), Option.number("distributed", 0, 100), Option.SECONDS);
    }

    @Override
    public Result run(Context context) {
        SmallbankOptions options = SmallbankOptions.uniform(context.option("customers", EngineBenchmarks.ROWS))
                .withDistributed(context.option("distributed", 50));
        double seconds = context.option("seconds", context.quickOr(2, 4));
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(new Smallbank(options), 2, EngineRun.MEMORY_FOR_EACH)) {
            run.start();
            double warmUp = run.watch(context.quickOr(8, 20)).perSecond();
            context.progress("Warming up: %.0f calls/s", warmUp);
            Rates rates = Rates.measure(run, context, context.quickOr(3, 7), seconds);
            run.stop();
            run.check();
            return new Result().put("tps", rates.perSecond()).fact("consistent", "true");
        }
    }
}
