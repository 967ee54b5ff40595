package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Figure 9 of the same paper as {@link PaperFigures}: New-Order on two partitions of one node, with more and more orders
 * that have a line from the other partition.
 */
final class PaperDistributed implements Benchmark {
    private static final int[] PERCENTAGES = {0, 1, 5, 20, 50, 100};
    private static final double LEAST_PERCENTAGE = 0.1;
    private static final int SECONDS_OF_MINUTE = 60;

    @Override
    public String name() {
        return "paper-distributed";
    }

    @Override
    public String description() {
        return "Figure 9 of the paper on command logging: New-Order with distributed transactions, data and plot";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (Logging logging : PaperFigures.METHODS) {
            for (int percentage : PERCENTAGES) {
                keys.add(Key.of(key(logging, percentage), "new orders a minute"));
            }
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    private static String key(Logging logging, int percentage) {
        return logging.key() + "_" + percentage;
    }

    @Override
    public Result run(Context context) throws Exception {
        LinePlot plot = new LinePlot(
                "Figure 9: New-Order on one node, two partitions",
                new LinePlot.Axis("% distributed transactions (0 is shown as 0.1)", LinePlot.Scale.LOGARITHMIC),
                new LinePlot.Axis("new orders per minute", LinePlot.Scale.LOGARITHMIC));
        CsvData data = new CsvData("logging", "percent_distributed", "tpmC");
        Result result = new Result();
        for (int percentage : PERCENTAGES) {
            Map<Logging, Samples> seen = measure(context, percentage);
            for (Logging logging : PaperFigures.METHODS) {
                Samples perMinute = seen.get(logging);
                context.progress("%d%% distributed, %s: %.0f a minute", percentage, logging.key(), perMinute.median());
                plot.add(logging.key(), Math.max(LEAST_PERCENTAGE, percentage), perMinute.median());
                data.add(logging.key(), percentage, perMinute.median());
                result.put(key(logging, percentage), perMinute);
            }
        }
        return result.file(PaperFigures.FOLDER, "figure-9-distributed.svg", plot.render())
                .file(PaperFigures.FOLDER, "distributed.csv", data.text());
    }

    /** New orders a minute of each round, in new databases: orders alone take some hundred megabytes a second. */
    private static Map<Logging, Samples> measure(Context context, int percentage) {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        double seconds = context.option("seconds", context.quickOr(1, 2));
        Map<Logging, double[]> seen = new EnumMap<>(Logging.class);
        Path folder = context.scratch().resolve("distributed");
        try (PaperForks forks =
                new PaperForks(PaperFigures.METHODS, logging -> PaperTask.startDistributed(logging, folder))) {
            PaperFigures.METHODS.forEach(
                    logging -> PaperTask.measureDistributed(forks.of(logging), percentage, context.quickOr(1, 4)));
            for (int round = 0; round < rounds; round++) {
                for (Logging logging : round % 2 == 0 ? PaperFigures.METHODS : PaperFigures.METHODS.reversed()) {
                    seen.computeIfAbsent(logging, _ -> new double[rounds])[round] =
                            SECONDS_OF_MINUTE * PaperTask.measureDistributed(forks.of(logging), percentage, seconds);
                }
            }
            PaperFigures.METHODS.forEach(logging -> PaperTask.check(forks.of(logging)));
        }
        Folders.remove(folder);
        Map<Logging, Samples> samples = new EnumMap<>(Logging.class);
        seen.forEach((logging, values) -> samples.put(logging, new Samples(values)));
        return samples;
    }
}
