package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Figures 3 to 8 of "Rethinking Main Memory OLTP Recovery" (Malviya and others, 2014): throughput, latency and replay
 * rate against client rate for Voter and TPC-C, each without a log, with command logging and with physiological logging,
 * each engine in a process of its own. A full run leaves data as CSV and plots as SVG in {@code benchmarks/results/paper};
 * {@code docs/performance/paper-comparison.md} discusses them.
 *
 * <p>Client rates are fractions of the engine's rate without a log, so that the figures show saturation on any
 * machine. As in the paper, at most 5,000 calls are under way; a client sends later calls when it can. Each is timed
 * from when it was due, so behind the point of saturation latency says how long the client has been going on.
 */
final class PaperFigures implements Benchmark {
    static final String FOLDER = "paper";
    private static final double[] LOADS = {0.2, 0.4, 0.6, 0.8, 1.0, 1.3};
    private static final double[] REPLAY_LOADS = {0.2, 0.5, 1.3};
    static final List<Logging> METHODS = List.of(Logging.NONE, Logging.COMMAND, Logging.PHYSIOLOGICAL);
    private static final LinePlot.Axis CLIENT_RATE =
            new LinePlot.Axis("client rate, transactions per second", LinePlot.Scale.LINEAR);
    private static final double LEAST_MS = 1e-3;

    @Override
    public String name() {
        return "paper-figures";
    }

    @Override
    public String description() {
        return "Figures 3 to 8 of the paper on command logging: data and plots";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (Load load : Load.values()) {
            String name = load.name().toLowerCase(Locale.ROOT);
            for (Logging logging : METHODS) {
                keys.add(
                        Key.of(name + "_tps_" + logging.key(), "the most transactions per second of all client rates"));
            }
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        Result result = new Result();
        for (Load load : List.of(Load.VOTER, Load.TPCC)) {
            double[] rates = throughput(context, result, load);
            replay(context, result, load, rates);
        }
        return result;
    }

    /** Figures 3 and 4, or 6 and 7. Returns the client rates. */
    private static double[] throughput(Context context, Result result, Load load) {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        double[] rates = new double[LOADS.length];
        Map<Logging, List<List<PaperTask.Observation>>> seen = new EnumMap<>(Logging.class);
        try (PaperForks forks = new PaperForks(METHODS, logging -> PaperTask.start(load, logging, context.scratch()))) {
            for (Logging logging : METHODS) {
                PaperTask.measure(forks.of(logging), 0, context.quickOr(2, 5));
                seen.put(logging, new ArrayList<>());
                for (int i = 0; i < rates.length; i++) {
                    seen.get(logging).add(new ArrayList<>());
                }
            }
            double most = PaperTask.measure(forks.of(Logging.NONE), 0.3, seconds);
            for (int i = 0; i < rates.length; i++) {
                rates[i] = LOADS[i] * most;
                for (int round = 0; round < rounds; round++) {
                    for (Logging logging : round % 2 == 0 ? METHODS : METHODS.reversed()) {
                        PaperTask.Observation observation = PaperTask.observe(forks.of(logging), rates[i], seconds);
                        seen.get(logging).get(i).add(observation);
                        context.progress(
                                "%s %s at %.0f/s: %.0f/s, p50 %.2f ms, p99 %.2f ms",
                                load,
                                logging.key(),
                                rates[i],
                                observation.tps(),
                                observation.p50Ms(),
                                observation.p99Ms());
                    }
                }
            }
            METHODS.forEach(logging -> PaperTask.check(forks.of(logging)));
        }
        draw(result, load, rates, seen);
        return rates;
    }

    private static void draw(
            Result result, Load load, double[] rates, Map<Logging, List<List<PaperTask.Observation>>> seen) {
        String name = load.name().toLowerCase(Locale.ROOT);
        int figure = load == Load.VOTER ? 3 : 6;
        LinePlot throughput = new LinePlot(
                "Figure " + figure + ": " + load + " throughput",
                CLIENT_RATE,
                new LinePlot.Axis("transactions per second", LinePlot.Scale.LINEAR));
        LinePlot latency = new LinePlot(
                "Figure " + (figure + 1) + ": " + load + " latency, median",
                CLIENT_RATE,
                new LinePlot.Axis("milliseconds", LinePlot.Scale.LOGARITHMIC));
        CsvData data = new CsvData("logging", "client_rate", "tps", "p50_ms", "p99_ms");
        for (Logging logging : METHODS) {
            double most = 0;
            for (int i = 0; i < rates.length; i++) {
                List<PaperTask.Observation> all = seen.get(logging).get(i);
                double tps = median(
                        all.stream().mapToDouble(PaperTask.Observation::tps).toArray());
                double p50 = median(
                        all.stream().mapToDouble(PaperTask.Observation::p50Ms).toArray());
                double p99 = median(
                        all.stream().mapToDouble(PaperTask.Observation::p99Ms).toArray());
                throughput.add(logging.key(), rates[i], tps);
                latency.add(logging.key(), rates[i], Math.max(LEAST_MS, p50));
                data.add(logging.key(), rates[i], tps, p50, p99);
                most = Math.max(most, tps);
            }
            result.put(name + "_tps_" + logging.key(), most);
        }
        result.file(FOLDER, "figure-" + figure + "-" + name + "-throughput.svg", throughput.render())
                .file(FOLDER, "figure-" + (figure + 1) + "-" + name + "-latency.svg", latency.render())
                .file(FOLDER, name + "-client-rate.csv", data.text());
    }

    /** Figure 5 or 8. */
    private static void replay(Context context, Result result, Load load, double[] rates) {
        String name = load.name().toLowerCase(Locale.ROOT);
        int figure = load == Load.VOTER ? 5 : 8;
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        LinePlot plot = new LinePlot(
                "Figure " + figure + ": " + load + " log replay rate",
                CLIENT_RATE,
                new LinePlot.Axis("logged transactions per second", LinePlot.Scale.LINEAR));
        CsvData data = new CsvData("logging", "client_rate", "replayed_tps");
        List<Logging> methods = List.of(Logging.COMMAND, Logging.PHYSIOLOGICAL);
        try (PaperForks forks =
                new PaperForks(methods, logging -> ReplayTask.start(load, logging, context.scratch()))) {
            for (Logging logging : methods) {
                ReplayTask.warmUp(forks.of(logging), context.quickOr(2, 5));
                ReplayTask.turn(forks.of(logging), 0, seconds);
            }
            for (double share : REPLAY_LOADS) {
                double rate = share / LOADS[LOADS.length - 1] * rates[rates.length - 1];
                Map<Logging, double[]> replayed = new EnumMap<>(Logging.class);
                for (int round = 0; round < rounds; round++) {
                    for (Logging logging : round % 2 == 0 ? methods : methods.reversed()) {
                        replayed.computeIfAbsent(logging, _ -> new double[rounds])[round] =
                                ReplayTask.turn(forks.of(logging), rate, seconds);
                    }
                }
                replayed.forEach((logging, rounded) -> {
                    context.progress("%s %s at %.0f/s: replayed %.0f/s", load, logging.key(), rate, median(rounded));
                    plot.add(logging.key(), rate, median(rounded));
                    data.add(logging.key(), rate, median(rounded));
                });
            }
        }
        result.file(FOLDER, "figure-" + figure + "-" + name + "-replay.svg", plot.render())
                .file(FOLDER, name + "-replay.csv", data.text());
    }

    private static double median(double... values) {
        return new Samples(values).median();
    }
}
