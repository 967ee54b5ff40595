package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Rate;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.util.List;

/** The cost of footprints in throughput: command logging with and without them, by turns, each in a process of its own. */
final class FootprintCostBenchmark implements Benchmark {
    private static final double SETTLING_SECONDS = 0.3;

    @Override
    public String name() {
        return "log-footprint";
    }

    @Override
    public String description() {
        return "TPC-C at full speed, command logging with footprints against without; one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tpcc", "throughput with footprints, as a ratio to without")
                        .atLeast(0.98),
                Key.of("tps_footprint", "transactions per second with footprints"),
                Key.of("tps_command", "transactions per second without"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", 1);
        int rounds = context.option("rounds", context.quickOr(3, 15));
        try (Fork command = open(context, Logging.COMMAND);
                Fork footprint = open(context, Logging.FOOTPRINT)) {
            Interleaved interleaved = new Interleaved();
            interleaved.add(
                    "command",
                    () -> LoadTask.measure(command, SETTLING_SECONDS, seconds).perSecond());
            interleaved.add(
                    "footprint",
                    () -> LoadTask.measure(footprint, SETTLING_SECONDS, seconds).perSecond());
            Interleaved.Comparison comparison = interleaved.run(1, rounds);
            Result result = new Result().put("tpcc", comparison.ratio("footprint", "command"));
            comparison.samples().forEach((logging, rates) -> result.put("tps_" + logging, rates));
            LoadTask.check(command);
            LoadTask.check(footprint);
            return result.fact("consistent", "true");
        }
    }

    private static Fork open(Context context, Logging logging) {
        Fork fork = LoadTask.start(
                Load.TPCC, logging, Load.TPCC.window(), LogSettings.DEFAULTS.maxDelayNs(), context.scratch());
        try {
            Rate rate = LoadTask.measure(fork, context.quickOr(3, 6), 1);
            context.progress("%s: warmed up to %.0f calls/s", logging.key(), rate.perSecond());
            return fork;
        } catch (RuntimeException | Error failure) {
            fork.close();
            throw failure;
        }
    }
}
