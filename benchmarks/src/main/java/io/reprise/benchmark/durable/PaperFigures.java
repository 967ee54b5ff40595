package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Figures 3 to 9 of "Rethinking Main Memory OLTP Recovery" (Malviya and others, 2014): throughput, latency and replay rate
 * against client rate for Voter and TPC-C, and New-Order with more and more distributed transactions, each without a log,
 * with command logging and with physiological logging. Leaves data as CSV and plots as SVG in {@code
 * benchmarks/results/paper}; {@code docs/paper-comparison.md} discusses them.
 *
 * <p>Client rates are fractions of what the engine does without a log, so that the figures show saturation on any machine.
 * As in the paper, at most 5,000 calls are under way; what a client can't send then it sends later. It is timed from when it was due, so
 * behind the point of saturation latency says how long the client has been going on.
 */
final class PaperFigures implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int OUTSTANDING = 5_000;
    private static final double[] LOADS = {0.2, 0.4, 0.6, 0.8, 1.0, 1.3};
    private static final double[] REPLAY_LOADS = {0.2, 0.5, 1.3};
    private static final double[] PERCENTAGES = {0, 1, 5, 20, 50, 100};
    private static final List<Logging> METHODS = List.of(Logging.NONE, Logging.COMMAND, Logging.PHYSIOLOGICAL);
    private static final LinePlot.Axis CLIENT_RATE =
            new LinePlot.Axis("client rate, transactions per second", LinePlot.Scale.LINEAR);
    private static final double NS_PER_MS = 1e6;
    private static final double LEAST_MS = 1e-3;

    @Override
    public String name() {
        return "paper-figures";
    }

    @Override
    public String description() {
        return "Figures 3 to 9 of the paper on command logging: data and plots";
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
        Path folder = Path.of(System.getProperty("reprise.project", "."))
                .resolve(context.quick() ? "benchmarks/target/paper" : "benchmarks/results/paper");
        Files.createDirectories(folder);
        Result result = new Result();
        for (Load load : List.of(Load.VOTER, Load.TPCC)) {
            double[] rates = throughput(context, result, load, folder);
            replay(context, load, rates, folder);
        }
        distributed(context, folder);
        return result.fact("written", folder.getFileName().toString());
    }

    /** What one run at one client rate has shown. */
    private record Observation(double tps, double p50Ms, double p99Ms) {}

    /** Figures 3 and 4, or 6 and 7. Returns the client rates. */
    private double[] throughput(Context context, Result result, Load load, Path folder) throws IOException {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        Workload workload = load.workload(WAREHOUSES);
        Map<Logging, EngineRun> runs = new EnumMap<>(Logging.class);
        double[] rates = new double[LOADS.length];
        Map<Logging, List<List<Observation>>> seen = new EnumMap<>(Logging.class);
        try {
            for (Logging logging : METHODS) {
                EngineRun.Setup setup = load.setup(WAREHOUSES).withWindow(OUTSTANDING);
                runs.put(logging, logging.load(setup, context.scratch().resolve(load.name())));
                runs.get(logging).measure(workload, 0, context.quickOr(2, 5));
                seen.put(logging, new ArrayList<>());
                for (int i = 0; i < rates.length; i++) {
                    seen.get(logging).add(new ArrayList<>());
                }
            }
            double most = runs.get(Logging.NONE).measure(workload, 0.3, seconds).perSecond();
            for (int i = 0; i < rates.length; i++) {
                rates[i] = LOADS[i] * most;
                for (int round = 0; round < rounds; round++) {
                    for (Logging logging : round % 2 == 0 ? METHODS : METHODS.reversed()) {
                        Observation observation = observe(runs.get(logging), workload, rates[i], seconds);
                        seen.get(logging).get(i).add(observation);
                        context.progress(
                                "%s %s at %.0f/s: %.0f/s, p50 %.2f ms, p99 %.2f ms",
                                load, logging.key(), rates[i], observation.tps, observation.p50Ms, observation.p99Ms);
                    }
                }
            }
            runs.values().forEach(EngineRun::check);
        } finally {
            runs.values().forEach(EngineRun::close);
        }
        draw(result, load, rates, seen, folder);
        return rates;
    }

    private static Observation observe(EngineRun run, Workload workload, double rate, double seconds) {
        run.startTimed(workload, rate);
        EngineRun.sleep(0.3);
        run.latencies();
        double tps = run.watch(seconds).perSecond();
        Histogram latencies = run.latencies();
        run.stop();
        return new Observation(
                tps, latencies.getValueAtPercentile(50) / NS_PER_MS, latencies.getValueAtPercentile(99) / NS_PER_MS);
    }

    private static void draw(
            Result result, Load load, double[] rates, Map<Logging, List<List<Observation>>> seen, Path folder)
            throws IOException {
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
        PaperData data = new PaperData("logging", "client_rate", "tps", "p50_ms", "p99_ms");
        for (Logging logging : METHODS) {
            double most = 0;
            for (int i = 0; i < rates.length; i++) {
                List<Observation> all = seen.get(logging).get(i);
                double tps = median(all.stream().mapToDouble(Observation::tps).toArray());
                double p50 = median(all.stream().mapToDouble(Observation::p50Ms).toArray());
                double p99 = median(all.stream().mapToDouble(Observation::p99Ms).toArray());
                throughput.add(logging.key(), rates[i], tps);
                latency.add(logging.key(), rates[i], Math.max(LEAST_MS, p50));
                data.add(logging.key(), rates[i], tps, p50, p99);
                most = Math.max(most, tps);
            }
            result.put(name + "_tps_" + logging.key(), most);
        }
        throughput.write(folder.resolve("figure-" + figure + "-" + name + "-throughput.svg"));
        latency.write(folder.resolve("figure-" + (figure + 1) + "-" + name + "-latency.svg"));
        data.write(folder.resolve(name + "-client-rate.csv"));
    }

    /** Figure 5 or 8. */
    private static void replay(Context context, Load load, double[] rates, Path folder) throws IOException {
        String name = load.name().toLowerCase(Locale.ROOT);
        int figure = load == Load.VOTER ? 5 : 8;
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        LinePlot plot = new LinePlot(
                "Figure " + figure + ": " + load + " log replay rate",
                CLIENT_RATE,
                new LinePlot.Axis("logged transactions per second", LinePlot.Scale.LINEAR));
        PaperData data = new PaperData("logging", "client_rate", "replayed_tps");
        for (Logging logging : List.of(Logging.COMMAND, Logging.PHYSIOLOGICAL)) {
            try (ReplaySession session = new ReplaySession(load, WAREHOUSES, logging, context.scratch())) {
                session.warmUp(context.quickOr(2, 5));
                session.turn(seconds);
                for (double share : REPLAY_LOADS) {
                    double rate = share / LOADS[LOADS.length - 1] * rates[rates.length - 1];
                    double[] replayed = new double[rounds];
                    for (int round = 0; round < rounds; round++) {
                        replayed[round] = session.turn(seconds, rate).replayRate();
                    }
                    context.progress("%s %s at %.0f/s: replayed %.0f/s", load, logging.key(), rate, median(replayed));
                    plot.add(logging.key(), rate, median(replayed));
                    data.add(logging.key(), rate, median(replayed));
                }
            }
        }
        plot.write(folder.resolve("figure-" + figure + "-" + name + "-replay.svg"));
        data.write(folder.resolve(name + "-replay.csv"));
    }

    /** Figure 9: orders with one line from the other partition. */
    private static void distributed(Context context, Path folder) throws IOException {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        TpccOptions options = TpccOptions.standard(2 * WAREHOUSES)
                .withMix(TpccOptions.Mix.NEW_ORDER)
                .withRemote(0, 0);
        EngineRun.Setup setup = EngineRun.Setup.inMemory(new Tpcc(options), 2, EngineRun.MEMORY_FOR_EACH / 2)
                .withWindow(OUTSTANDING / 2);
        LinePlot plot = new LinePlot(
                "Figure 9: New-Order on one node, two partitions",
                new LinePlot.Axis("% distributed transactions (0 is shown as 0.1)", LinePlot.Scale.LOGARITHMIC),
                new LinePlot.Axis("new orders per minute", LinePlot.Scale.LOGARITHMIC));
        PaperData data = new PaperData("logging", "percent_distributed", "tpmC");
        Map<Logging, EngineRun> runs = new EnumMap<>(Logging.class);
        try {
            for (Logging logging : METHODS) {
                runs.put(logging, logging.load(setup, context.scratch().resolve("distributed")));
                runs.get(logging).measure(new Tpcc(options), 0, context.quickOr(1, 4));
            }
            for (double percentage : PERCENTAGES) {
                Tpcc variant = new Tpcc(options.withDistributedOrders(percentage));
                Map<Logging, double[]> seen = new EnumMap<>(Logging.class);
                for (int round = 0; round < rounds; round++) {
                    for (Logging logging : round % 2 == 0 ? METHODS : METHODS.reversed()) {
                        seen.computeIfAbsent(logging, l -> new double[rounds])[round] =
                                runs.get(logging).measure(variant, 0.3, seconds).perSecond() * 60;
                    }
                }
                for (Logging logging : METHODS) {
                    double perMinute = median(seen.get(logging));
                    context.progress("%.0f%% distributed, %s: %.0f a minute", percentage, logging.key(), perMinute);
                    plot.add(logging.key(), Math.max(0.1, percentage), perMinute);
                    data.add(logging.key(), percentage, perMinute);
                }
            }
        } finally {
            runs.values().forEach(EngineRun::close);
        }
        plot.write(folder.resolve("figure-9-distributed.svg"));
        data.write(folder.resolve("distributed.csv"));
    }

    private static double median(double... values) {
        return new Samples(values).median();
    }
}
