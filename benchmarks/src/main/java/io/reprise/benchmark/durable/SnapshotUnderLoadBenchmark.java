package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * How fast a snapshot is written, when it may take all of the partition's time, and loaded; then what one does, with the usual
 * settings, to TPC-C at full speed with command logging. Loading comes first because orders only grow: so each run loads the
 * same.
 */
final class SnapshotUnderLoadBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final double MB = 1e6;

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public String description() {
        return "Writing and loading a snapshot; then TPC-C at full speed during one, against without";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps_ratio", "throughput during a snapshot as a ratio to that before it")
                        .atLeast(0.9),
                Key.of("p99_ratio", "the 99th percentile of latency during a snapshot as a ratio to that before it")
                        .atMost(2),
                Key.of("write_mb_s", "megabytes of rows written in a second without transactions, forces included"),
                Key.of("load_mb_s", "megabytes of rows loaded in a second"),
                Key.of("load_rows_s", "rows loaded in a second, indexes included"),
                Key.of(
                        "disk_mb_s",
                        "megabytes a second of a bare sequential write and force of as many bytes as the files have"),
                Key.of("paced_s", "seconds that the snapshot takes beside transactions"));
    }

    @Override
    public List<String> options() {
        return List.of("warehouses", "rounds");
    }

    @Override
    public Result run(Context context) throws Exception {
        int warehouses = context.option("warehouses", WAREHOUSES);
        int rounds = context.option("rounds", context.quickOr(2, 7));
        EngineRun.Setup setup = Load.TPCC.setup(warehouses);
        Path folder = context.scratch().resolve("engine");
        Result result = new Result();
        context.progress("Loading");
        EngineRun.load(setup.in(folder, Logging.COMMAND.durability())).close();
        double[] write = new double[rounds];
        double[] loadBytes = new double[rounds];
        double[] loadRows = new double[rounds];
        double[] disk = new double[rounds];
        SnapshotReport report = null;
        for (int i = -1; i < rounds; i++) {
            RecoveryTimes times = new RecoveryTimes();
            SnapshotReport loaded = report;
            EngineRun.Setup unpaced =
                    setup.in(folder, Logging.COMMAND.durability().with(unpaced()));
            try (EngineRun run = EngineRun.reopen(unpaced.tellingOfRecovery(times))) {
                report = snapshot(run);
            }
            if (i < 0) {
                continue;
            }
            write[i] = report.imageBytes() / MB / (report.tookNs() * 1e-9);
            loadBytes[i] = loaded.imageBytes() / MB / times.loadSeconds();
            loadRows[i] = loaded.rows() / times.loadSeconds();
            disk[i] =
                    report.fileBytes() / MB / bareWriteSeconds(context.scratch().resolve("bare"), report.fileBytes());
            context.progress(
                    "Written %.0f MB/s, loaded %.0f MB/s, %.0f rows/s; the disk %.0f MB/s",
                    write[i], loadBytes[i], loadRows[i], disk[i]);
        }
        try (EngineRun run = EngineRun.reopen(setup.in(folder, Logging.COMMAND.durability()))) {
            underLoad(context, result, run, Load.TPCC.workload(warehouses), context.quickOr(1, rounds));
            run.check();
        }
        return result.put("write_mb_s", new Samples(write))
                .put("load_mb_s", new Samples(loadBytes))
                .put("load_rows_s", new Samples(loadRows))
                .put("disk_mb_s", new Samples(disk))
                .fact("rows", String.format(Locale.ROOT, "%,d", report.rows()))
                .fact("bytes_of_rows", String.format(Locale.ROOT, "%,d", report.imageBytes()))
                .fact("bytes_of_files", String.format(Locale.ROOT, "%,d", report.fileBytes()));
    }

    private static void underLoad(Context context, Result result, EngineRun run, Workload workload, int rounds) {
        double[] tps = new double[rounds];
        double[] p99 = new double[rounds];
        double[] seconds = new double[rounds];
        run.startTimed(workload, 0);
        run.watch(context.quickOr(4, 10));
        for (int i = 0; i < rounds; i++) {
            run.latencies();
            double quietRate = run.watch(context.quickOr(2, 4)).perSecond();
            long quietP99 = run.latencies().getValueAtPercentile(99);
            long calls = run.completed();
            long begin = System.nanoTime();
            SnapshotReport report =
                    CompletableFuture.supplyAsync(() -> snapshot(run)).join();
            seconds[i] = (System.nanoTime() - begin) * 1e-9;
            double rate = (run.completed() - calls) / seconds[i];
            long busyP99 = run.latencies().getValueAtPercentile(99);
            tps[i] = rate / quietRate;
            p99[i] = (double) busyP99 / quietP99;
            context.progress(
                    "Without %.0f calls/s, p99 %.1f ms; during a snapshot of %.1f s and %d rows, %d saved: %.0f calls/s,"
                            + " p99 %.1f ms",
                    quietRate, quietP99 / 1e6, seconds[i], report.rows(), report.rowsSaved(), rate, busyP99 / 1e6);
        }
        run.stop();
        result.put("tps_ratio", new Samples(tps))
                .put("p99_ratio", new Samples(p99))
                .put("paced_s", new Samples(seconds));
    }

    private static SnapshotReport snapshot(EngineRun run) {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        return report;
    }

    /** All of the partition's time, as there are no transactions. */
    private static SnapshotSettings unpaced() {
        SnapshotSettings usual = SnapshotSettings.usual().onDemand();
        return new SnapshotSettings(
                0,
                0,
                usual.keep(),
                1,
                1,
                usual.sliceNs(),
                usual.batchBytes(),
                usual.sweepBatches(),
                usual.shadowBytes(),
                usual.waitingBytes(),
                0);
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
