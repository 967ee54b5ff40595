package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a synchronous log takes of the throughput: the same workload, with as many calls under way, with each method and without,
 * by turns, each in a process of its own.
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
        return List.of(
                Key.of("command", "throughput with command logging, as a ratio to none")
                        .atLeast(commandGoal),
                Key.of("physiological", "throughput with physiological logging, as a ratio to none")
                        .atLeast(physiologicalGoal),
                Key.of("command_cpu", "the same per second of the site's processor time"),
                Key.of("physiological_cpu", "the same per second of the site's processor time"),
                Key.of("tps_none", "transactions per second without a log"),
                Key.of("tps_command", "transactions per second with command logging"),
                Key.of("tps_physiological", "transactions per second with physiological logging"));
    }

    @Override
    public List<String> options() {
        return List.of("seconds", "rounds", "window", "pause-us");
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
            Map<Logging, List<Double>> cpu = new EnumMap<>(Logging.class);
            Interleaved.Comparison comparison = new Interleaved()
                    .add("tps_none", () -> measure(context, none, Logging.NONE, seconds, cpu))
                    .add("tps_command", () -> measure(context, command, Logging.COMMAND, seconds, cpu))
                    .add(
                            "tps_physiological",
                            () -> measure(context, physiological, Logging.PHYSIOLOGICAL, seconds, cpu))
                    .run(1, rounds);
            LoadTask.check(none);
            LoadTask.check(command);
            LoadTask.check(physiological);
            Samples noneCpu = Samples.ofLast(cpu.get(Logging.NONE), rounds);
            Result result = new Result()
                    .put("command", comparison.ratio("tps_command", "tps_none"))
                    .put("physiological", comparison.ratio("tps_physiological", "tps_none"))
                    .put(
                            "command_cpu",
                            Samples.ofLast(cpu.get(Logging.COMMAND), rounds).dividedBy(noneCpu))
                    .put(
                            "physiological_cpu",
                            Samples.ofLast(cpu.get(Logging.PHYSIOLOGICAL), rounds)
                                    .dividedBy(noneCpu));
            comparison.samples().forEach(result::put);
            return result.fact("window", Integer.toString(window)).fact("consistent", "true");
        }
    }

    private static long pauseNs(Context context) {
        return 1_000L * context.option("pause-us", (int) (LogSettings.DEFAULTS.maxDelayNs() / 1_000));
    }

    /** A process with an engine whose code the compiler has seen to. */
    private Fork open(Context context, Logging logging, int window) {
        Fork fork = LoadTask.start(load, logging, window, pauseNs(context), context.scratch());
        try {
            EngineRun.Rate rate = LoadTask.measure(fork, context.quickOr(3, 6), 1);
            context.progress("%s: warmed up to %.0f calls/s", logging.key(), rate.perSecond());
            return fork;
        } catch (RuntimeException | Error failure) {
            fork.close();
            throw failure;
        }
    }

    private static double measure(
            Context context, Fork fork, Logging logging, double seconds, Map<Logging, List<Double>> cpu) {
        EngineRun.Rate rate = LoadTask.measure(fork, 0.3, seconds);
        cpu.computeIfAbsent(logging, l -> new ArrayList<>()).add(rate.perCpuSecond());
        context.progress(
                "%s: %.0f calls/s, %.0f per second of processor time",
                logging.key(), rate.perSecond(), rate.perCpuSecond());
        return rate.perSecond();
    }
}
