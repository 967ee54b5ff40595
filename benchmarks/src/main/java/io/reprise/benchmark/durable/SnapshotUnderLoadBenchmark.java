package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.Fork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The speed of writing a snapshot, when it may take all of the partition's time, and of loading it; then its effect,
 * with the usual settings, on TPC-C with command logging: at full speed, and at a rate below that. At full speed a
 * call is made when another has ended, so that while all stand still none is late; at a rate each is timed from when
 * it was due, and a stall counts for every call that it delays. Engines are in processes of their own; the loading
 * process has just been started.
 */
final class SnapshotUnderLoadBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final double MB = 1e6;
    private static final double MS = 1e6;

    /** Of what it runs at full speed. */
    private static final double STEADY = 0.7;

    private static final String AT_RATE =
            "the 99th percentile of latency at 70% of the full rate, from when calls are due, ";

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String description() {
        return "Writing and loading a snapshot; then TPC-C at full speed, and at 70% of that, during one, against without";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps_ratio", "throughput during a snapshot as a ratio to that before and after it")
                        .atLeast(0.9),
                Key.of(
                                "p99_ratio",
                                "the 99th percentile of latency during a snapshot at full speed, as a ratio likewise")
                        .atMost(2),
                Key.of("steady_p99_ms", AT_RATE + "before and after a snapshot"),
                Key.of("steady_p99_during_ms", AT_RATE + "during a snapshot"),
                Key.of("steady_p99_ratio", "the second of these as a ratio to the first"),
                Key.of("write_over_disk", "bytes of files written in a second as a ratio to disk_mb_s")
                        .atLeast(0.9),
                Key.of(
                        "load_over_unpack",
                        "bytes of rows loaded in a second as a ratio to unpack_mb_s: what making rows and indexes leaves"),
                Key.of("write_mb_s", "megabytes of rows written in a second without transactions, forces included"),
                Key.of("load_mb_s", "megabytes of rows loaded in a second"),
                Key.of("load_rows_s", "rows loaded in a second, indexes included"),
                Key.of(
                        "unpack_mb_s",
                        "megabytes of rows that one thread reads, checks and unpacks in a second, making nothing of them"),
                Key.of(
                        "disk_mb_s",
                        "megabytes a second of a bare sequential write and force of as many bytes as the files have"),
                Key.of("paced_s", "seconds that the snapshot takes beside transactions"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 1), Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        String warehouses = Integer.toString(context.option("warehouses", WAREHOUSES));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        Path folder = context.scratch().resolve("engine");
        Result result = new Result();
        context.progress("Loading");
        try (Fork first = Fork.start(SnapshotTask.class, folder.toString(), warehouses, "unpaced")) {
            first.ask("snapshot");
        }
        writeAndLoad(context, result, folder, warehouses, rounds);
        underLoad(context, result, warehouses, context.option("rounds", context.quickOr(1, 5)));
        return result;
    }

    /** Each round in a process in which nothing has run before the load, as it is after a crash. */
    private static void writeAndLoad(Context context, Result result, Path folder, String warehouses, int rounds)
            throws IOException {
        double[] write = new double[rounds];
        double[] writeFiles = new double[rounds];
        double[] loadBytes = new double[rounds];
        double[] loadRows = new double[rounds];
        double[] unpack = new double[rounds];
        double[] disk = new double[rounds];
        Map<String, Double> written = Map.of();
        for (int i = 0; i < rounds; i++) {
            try (Fork fork = Fork.start(SnapshotTask.class, folder.toString(), warehouses, "unpaced")) {
                double loadSeconds = fork.ask("loaded").get("seconds");
                fork.ask("snapshot");
                written = fork.ask("snapshot");
                fork.ask("unpack");
                double bytes = written.get("image_bytes");
                unpack[i] = bytes / MB / fork.ask("unpack").get("seconds");
                write[i] = bytes / MB / written.get("seconds");
                writeFiles[i] = written.get("file_bytes") / MB / written.get("seconds");
                loadBytes[i] = bytes / MB / loadSeconds;
                loadRows[i] = written.get("rows") / loadSeconds;
            }
            long fileBytes = written.get("file_bytes").longValue();
            disk[i] = fileBytes / MB / bareWriteSeconds(context.scratch().resolve("bare"), fileBytes);
            context.progress(
                    "Written %.0f MB/s, loaded %.0f MB/s, %.0f rows/s; unpacked %.0f MB/s, the disk %.0f MB/s",
                    write[i], loadBytes[i], loadRows[i], unpack[i], disk[i]);
        }
        result.put("write_over_disk", new Samples(writeFiles).dividedBy(new Samples(disk)))
                .put("load_over_unpack", new Samples(loadBytes).dividedBy(new Samples(unpack)))
                .put("write_mb_s", new Samples(write))
                .put("load_mb_s", new Samples(loadBytes))
                .put("load_rows_s", new Samples(loadRows))
                .put("unpack_mb_s", new Samples(unpack))
                .put("disk_mb_s", new Samples(disk))
                .fact("rows", String.format(Locale.ROOT, "%,.0f", written.get("rows")))
                .fact("bytes_of_rows", String.format(Locale.ROOT, "%,.0f", written.get("image_bytes")))
                .fact("bytes_of_files", String.format(Locale.ROOT, "%,.0f", written.get("file_bytes")));
    }

    /**
     * Each round with a database that has just been loaded: TPC-C's grows with every order, and the rows of all rounds would be more
     * than the memory has room for, on a fast machine.
     */
    private static void underLoad(Context context, Result result, String warehouses, int rounds) throws IOException {
        double[] tps = new double[rounds];
        double[] p99 = new double[rounds];
        double[] seconds = new double[rounds];
        double[] steady = new double[rounds];
        double[] steadyDuring = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Path folder = context.scratch().resolve("loaded-" + i);
            try (Fork fork = Fork.start(SnapshotTask.class, folder.toString(), warehouses, "usual")) {
                fork.ask("start", "0", Integer.toString(context.quickOr(4, 10)));
                // The JVM compiles what a snapshot takes in the first one: a node makes one every few minutes for as
                // long as it runs.
                fork.ask("busy");
                Around full = around(context, fork, "full speed");
                tps[i] = full.during.get("rate") / full.quiet("rate");
                p99[i] = full.during.get("p99") / full.quiet("p99");
                seconds[i] = full.during.get("seconds");
                double rate = STEADY * full.quiet("rate");
                fork.ask("start", Double.toString(rate), Integer.toString(context.quickOr(2, 5)));
                Around at = around(context, fork, String.format(Locale.ROOT, "%.0f calls/s", rate));
                steady[i] = at.quiet("p99") / MS;
                steadyDuring[i] = at.during.get("p99") / MS;
            }
            Folders.remove(folder);
        }
        result.put("tps_ratio", new Samples(tps))
                .put("p99_ratio", new Samples(p99))
                .put("paced_s", new Samples(seconds))
                .put("steady_p99_ms", new Samples(steady))
                .put("steady_p99_during_ms", new Samples(steadyDuring))
                .put("steady_p99_ratio", new Samples(steadyDuring).dividedBy(new Samples(steady)));
    }

    /** The figures of calls before a snapshot, during it, and after it. */
    private record Around(Map<String, Double> before, Map<String, Double> during, Map<String, Double> after) {
        double quiet(String key) {
            return (before.get(key) + after.get(key)) / 2;
        }
    }

    private static Around around(Context context, Fork fork, String how) {
        String length = Integer.toString(context.quickOr(2, 4));
        Around seen = new Around(fork.ask("quiet", length), fork.ask("busy"), fork.ask("quiet", length));
        context.progress(
                "At %s: without %.0f calls/s, p99 %.1f ms; during a snapshot of %.1f s and %.0f rows, %.0f saved:"
                        + " %.0f calls/s, p99 %.1f ms; then %.0f calls/s, p99 %.1f ms",
                how,
                seen.before.get("rate"),
                seen.before.get("p99") / MS,
                seen.during.get("seconds"),
                seen.during.get("rows"),
                seen.during.get("saved"),
                seen.during.get("rate"),
                seen.during.get("p99") / MS,
                seen.after.get("rate"),
                seen.after.get("p99") / MS);
        return seen;
    }

    private static double bareWriteSeconds(Path path, long bytes) throws IOException {
        byte[] content = new byte[1 << 20];
        new java.util.SplittableRandom(1).nextBytes(content);
        ByteBuffer buffer = ByteBuffer.allocateDirect(content.length).put(content);
        long begin = System.nanoTime();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; at += buffer.capacity()) {
                file.write(buffer.clear(), at);
            }
            file.force(true);
        }
        double seconds = (System.nanoTime() - begin) * 1e-9;
        Files.delete(path);
        return seconds;
    }
}
