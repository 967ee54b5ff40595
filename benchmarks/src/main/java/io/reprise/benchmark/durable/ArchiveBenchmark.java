package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of an archive and of runs in throughput: TPC-C with the log alone, with the log copied into an archive, with the log sorted into
 * runs by bucket, and with images of commands in the runs. Each is a process of its own, and they are measured by turns.
 */
final class ArchiveBenchmark implements Benchmark {
    private static final List<Logging> METHODS = List.of(Logging.PHYSIOLOGICAL, Logging.COMMAND);

    @Override
    public String name() {
        return "archive";
    }

    @Override
    public String description() {
        return "TPC-C at full speed: the log alone, copied into an archive, sorted into runs, and with images of commands; one partition";
    }

    private static String prefix(Logging method) {
        return method == Logging.COMMAND ? "command" : "data";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (Logging method : METHODS) {
            String prefix = prefix(method);
            keys.add(Key.of(prefix + "_ratio_copy", "throughput with runs as a ratio to that with a copied log")
                    .atLeast(0.99));
            keys.add(Key.of(prefix + "_ratio", "throughput with runs as a ratio to that with the log alone")
                    .atLeast(0.97));
            for (LoadTask.Copies copies : copies(method)) {
                keys.add(Key.of(prefix + "_tps_" + copies.key(), "transactions per second, log " + copies.key()));
            }
        }
        keys.add(Key.of("image_ratio", "throughput with images of commands as a ratio to that with the log alone")
                .atLeast(0.97));
        return keys;
    }

    /** Rows that are logged need no images. */
    private static List<LoadTask.Copies> copies(Logging method) {
        return method == Logging.COMMAND
                ? List.of(LoadTask.Copies.ALONE, LoadTask.Copies.COPIED, LoadTask.Copies.SORTED, LoadTask.Copies.IMAGES)
                : List.of(LoadTask.Copies.ALONE, LoadTask.Copies.COPIED, LoadTask.Copies.SORTED);
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", 1);
        int rounds = context.option("rounds", context.quickOr(3, 15));
        Result result = new Result();
        for (Logging method : METHODS) {
            measure(context, method, seconds, rounds, result);
        }
        return result.fact("consistent", "true");
    }

    private static void measure(Context context, Logging method, double seconds, int rounds, Result result)
            throws Exception {
        List<Fork> forks = new ArrayList<>();
        try {
            Interleaved interleaved = new Interleaved();
            for (LoadTask.Copies copies : copies(method)) {
                forks.add(open(context, method, copies));
                add(interleaved, copies, forks.getLast(), seconds);
            }
            Interleaved.Comparison comparison = interleaved.run(1, rounds);
            String prefix = prefix(method);
            String alone = LoadTask.Copies.ALONE.key();
            String sorted = LoadTask.Copies.SORTED.key();
            result.put(prefix + "_ratio_copy", comparison.ratio(sorted, LoadTask.Copies.COPIED.key()))
                    .put(prefix + "_ratio", comparison.ratio(sorted, alone));
            if (method == Logging.COMMAND) {
                result.put("image_ratio", comparison.ratio(LoadTask.Copies.IMAGES.key(), alone));
            }
            comparison.samples().forEach((copies, rates) -> result.put(prefix + "_tps_" + copies, rates));
            forks.forEach(LoadTask::check);
        } finally {
            forks.forEach(Fork::close);
        }
    }

    private static void add(Interleaved interleaved, LoadTask.Copies copies, Fork fork, double seconds) {
        interleaved.add(copies.key(), () -> LoadTask.measure(fork, seconds).perSecond());
    }

    private static Fork open(Context context, Logging logging, LoadTask.Copies copies) {
        return LoadTask.warmedUp(
                context,
                prefix(logging) + ", " + copies.key(),
                LoadTask.start(
                        Load.TPCC,
                        logging,
                        Load.TPCC.window(),
                        LogSettings.DEFAULTS.maxDelayNs(),
                        context.scratch(),
                        copies));
    }
}
