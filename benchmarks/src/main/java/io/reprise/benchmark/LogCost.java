package io.reprise.benchmark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of a synchronous log in a workload's throughput: the same without a log, with commands and with data
 * records, by turns.
 */
public final class LogCost {
    public static final String NONE = "none";
    public static final String COMMAND = "command";
    public static final String PHYSIOLOGICAL = "physiological";

    private final Context context;
    private final Interleaved interleaved = new Interleaved();
    private final Map<String, List<Double>> perCpuSecond = new HashMap<>();

    /** One measurement with a log or without. */
    @FunctionalInterface
    public interface Measurement {
        Rate measure() throws Exception;
    }

    public LogCost(Context context) {
        this.context = context;
    }

    /**
     * The keys of the result.
     *
     * @param commandGoal the least ratio
     * @param physiologicalGoal the same
     * @param whose processor time is compared
     */
    public static List<Key> keys(double commandGoal, double physiologicalGoal, String whose) {
        String cpu = "the same per second of the " + whose + "'s processor time";
        return List.of(
                ratio(COMMAND, commandGoal),
                ratio(PHYSIOLOGICAL, physiologicalGoal),
                Key.of(COMMAND + "_cpu", cpu),
                Key.of(PHYSIOLOGICAL + "_cpu", cpu),
                Key.of("tps_" + NONE, "transactions per second without a log"),
                Key.of("tps_" + COMMAND, "transactions per second with command logging"),
                Key.of("tps_" + PHYSIOLOGICAL, "transactions per second with physiological logging"));
    }

    private static Key ratio(String log, double goal) {
        return Key.of(log, "throughput with " + log + " logging, as a ratio to none")
                .atLeast(goal);
    }

    /** Says how one of the three is measured. */
    public void add(String log, Measurement measurement) {
        List<Double> perCpu = new ArrayList<>();
        perCpuSecond.put(log, perCpu);
        interleaved.add(log, () -> {
            Rate rate = measurement.measure();
            perCpu.add(rate.perCpuSecond());
            context.progress(
                    "%s: %.0f calls/s, %.0f per second of processor time", log, rate.perSecond(), rate.perCpuSecond());
            return rate.perSecond();
        });
    }

    /** Measures all three, so many times each, besides once to warm up. */
    public Result run(int rounds) throws Exception {
        Interleaved.Comparison comparison = interleaved.run(1, rounds);
        Samples noneCpu = lastOfCpu(NONE, rounds);
        Result result = new Result();
        for (String log : List.of(COMMAND, PHYSIOLOGICAL)) {
            result.put(log, comparison.ratio(log, NONE))
                    .put(log + "_cpu", lastOfCpu(log, rounds).dividedBy(noneCpu));
        }
        comparison.samples().forEach((log, rates) -> result.put("tps_" + log, rates));
        return result;
    }

    /** Without those that were to warm up. */
    private Samples lastOfCpu(String log, int rounds) {
        List<Double> all = perCpuSecond.get(log);
        return new Samples(all.subList(all.size() - rounds, all.size()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray());
    }
}
