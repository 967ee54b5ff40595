package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.PreparedStart;
import io.reprise.log.LogSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sorted log as the only storage against snapshots that partitions copy, under TPC-C with logged commands: throughput by turns, the
 * space on the disk, and the time to the first answer of the next start.
 */
final class FineLineBenchmark implements Benchmark {
    private static final String ONE = "SELECT w_name FROM warehouse WHERE w_id = 1";
    private static final List<LoadTask.Copies> STORAGES = List.of(LoadTask.Copies.SNAPSHOTS, LoadTask.Copies.STORED);

    @Override
    public String name() {
        return "fineline";
    }

    @Override
    public String description() {
        return "TPC-C with the sorted log as the only storage, against snapshots by copying every five seconds";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps_ratio", "throughput with the sorted log alone as a ratio to that with copied snapshots")
                        .atLeast(0.98),
                Key.of("tps_snapshots", "transactions per second with copied snapshots, averaged over their interval"),
                Key.of("tps_stored", "transactions per second with the sorted log alone"),
                Key.of("space_snapshots", "MiB on the disk with copied snapshots"),
                Key.of("space_stored", "MiB on the disk with the sorted log alone"),
                Key.of(
                                "first_ms",
                                "milliseconds from the start of a node to an answer from one bucket, sorted log alone")
                        .atMost(DemandRestartBenchmark.MOST_FIRST_MS));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", context.quickOr(3, 10));
        int rounds = context.option("rounds", context.quickOr(2, 6));
        Result result = new Result();
        Fork[] forks = new Fork[STORAGES.size()];
        try {
            Interleaved interleaved = new Interleaved();
            for (int i = 0; i < forks.length; i++) {
                Fork fork = LoadTask.start(
                        Load.TPCC,
                        Logging.COMMAND,
                        Load.TPCC.window(),
                        LogSettings.DEFAULTS.maxDelayNs(),
                        context.scratch(),
                        STORAGES.get(i));
                forks[i] = fork;
                LoadTask.measure(fork, context.quickOr(3, 6));
                interleaved.add(
                        STORAGES.get(i).key(),
                        () -> LoadTask.measure(fork, seconds).perSecond());
            }
            Interleaved.Comparison comparison = interleaved.run(1, rounds);
            result.put("tps_ratio", comparison.ratio(LoadTask.Copies.STORED.key(), LoadTask.Copies.SNAPSHOTS.key()));
            comparison.samples().forEach((storage, rates) -> result.put("tps_" + storage, rates));
            for (Fork fork : forks) {
                LoadTask.check(fork);
            }
            for (LoadTask.Copies storage : STORAGES) {
                result.put("space_" + storage.key(), new Samples(mebibytes(folder(context, storage))));
            }
            forks[1].close();
            forks[1] = null;
            try (HttpClient client = HttpClient.newHttpClient()) {
                RestartedNodes nodes = new RestartedNodes(client, PreparedStart.flags());
                result.put(
                        "first_ms",
                        nodes.answers(folder(context, LoadTask.Copies.STORED), true, ONE, ONE, rounds)
                                .one());
            }
        } finally {
            for (Fork fork : forks) {
                if (fork != null) {
                    fork.close();
                }
            }
        }
        return result;
    }

    private static Path folder(Context context, LoadTask.Copies storage) {
        return context.scratch().resolve(storage.key()).resolve(Logging.COMMAND.key());
    }

    private static double mebibytes(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                            .mapToLong(FineLineBenchmark::size)
                            .sum()
                    / (double) (1 << 20);
        } catch (IOException e) {
            throw new UncheckedIOException("the folder can't be read", e);
        }
    }

    /** A file may be removed meanwhile. */
    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }
}
