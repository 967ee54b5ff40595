package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.LogCost;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.util.List;

/**
 * The cost of a synchronous log in throughput: the same workload, with as many calls under way, with each method and
 * without, by turns, each in a process of its own. Calls have no numbers: the memory and log for repeated calls are
 * not in it.
 */
final class LogCostBenchmark implements Benchmark {

    private final String name;
    private final Load load;
    private final double commandGoal;
    private final double physiologicalGoal;

    LogCostBenchmark(String name, Load load, double commandGoal, double physiologicalGoal) {
        this.name = name;
        this.load = load;
        this.commandGoal = commandGoal;
        this.physiologicalGoal = physiologicalGoal;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return load + " at full speed with a synchronous log, against none; one partition";
    }

    @Override
    public List<Key> keys() {
        return LogCost.keys(commandGoal, physiologicalGoal, "site");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.number("window", 1), Option.number("pause-us", 0));
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", 1);
        int rounds = context.option("rounds", context.quickOr(3, 15));
        int window = context.option("window", load.window());
        context.progress("Loading, %d calls under way", window);
        try (Fork none = open(context, Logging.NONE, window);
                Fork command = open(context, Logging.COMMAND, window);
                Fork physiological = open(context, Logging.PHYSIOLOGICAL, window)) {
            LogCost cost = new LogCost(context);
            cost.add(LogCost.NONE, () -> LoadTask.measure(none, seconds));
            cost.add(LogCost.COMMAND, () -> LoadTask.measure(command, seconds));
            cost.add(LogCost.PHYSIOLOGICAL, () -> LoadTask.measure(physiological, seconds));
            Result result = cost.run(rounds);
            LoadTask.check(none);
            LoadTask.check(command);
            LoadTask.check(physiological);
            return result.fact("window", Integer.toString(window)).fact("consistent", "true");
        }
    }

    private static long pauseNs(Context context) {
        return 1_000L * context.option("pause-us", (int) (LogSettings.DEFAULTS.maxDelayNs() / 1_000));
    }

    /** A process with an engine whose code the compiler has seen to. */
    private Fork open(Context context, Logging logging, int window) {
        return LoadTask.warmedUp(
                context, logging.key(), LoadTask.start(load, logging, window, pauseNs(context), context.scratch()));
    }
}
