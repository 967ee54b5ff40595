package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.util.List;

/** The cost of footprints, or of adaptive logging, in throughput: against command logging, by turns, each in a process of its own. */
final class FootprintCostBenchmark implements Benchmark {

    private final String name;
    private final Logging compared;
    private final double goal;

    /**
     * A comparison.
     *
     * @param goal the least ratio of throughputs
     */
    FootprintCostBenchmark(String name, Logging compared, double goal) {
        this.name = name;
        this.compared = compared;
        this.goal = goal;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "TPC-C at full speed, " + compared.key() + " logging against commands alone; one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tpcc", "throughput with " + compared.key() + " logging, as a ratio to commands alone")
                        .atLeast(goal),
                Key.of("tps_" + compared.key(), "transactions per second with it"),
                Key.of("tps_command", "transactions per second with commands alone"));
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
                Fork other = open(context, compared)) {
            Interleaved interleaved = new Interleaved();
            interleaved.add("command", () -> LoadTask.measure(command, seconds).perSecond());
            interleaved.add(
                    compared.key(), () -> LoadTask.measure(other, seconds).perSecond());
            Interleaved.Comparison comparison = interleaved.run(1, rounds);
            Result result = new Result().put("tpcc", comparison.ratio(compared.key(), "command"));
            comparison.samples().forEach((logging, rates) -> result.put("tps_" + logging, rates));
            LoadTask.check(command);
            LoadTask.check(other);
            return result.fact("consistent", "true");
        }
    }

    private static Fork open(Context context, Logging logging) {
        return LoadTask.warmedUp(
                context,
                logging.key(),
                LoadTask.start(
                        Load.TPCC, logging, Load.TPCC.window(), LogSettings.DEFAULTS.maxDelayNs(), context.scratch()));
    }
}
