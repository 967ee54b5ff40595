package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.RepairReport;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.snapshot.file.BlockReader;
import io.reprise.snapshot.file.BlockRows;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * An engine with TPC-C in a process of its own, for the cost of a snapshot. Told: folder, number of warehouses, and
 * {@code usual} or {@code unpaced}: the share of the partition's time that a snapshot may take; or, for an engine that logs rows, {@code
 * copy} or {@code merge}: the way in which a snapshot is made.
 */
public final class SnapshotTask implements ForkedTask {
    private final RecoveryTimes times = new RecoveryTimes();
    private Path folder;
    private int warehouses;
    private EngineRun run;
    private boolean running;

    /** Nothing is open. */
    public SnapshotTask() {}

    @Override
    public void open(List<String> words) {
        folder = Path.of(words.get(0));
        warehouses = Integer.parseInt(words.get(1));
        SnapshotSettings settings = words.get(2).equals("unpaced")
                ? unpaced()
                : SnapshotSettings.usual().onDemand();
        boolean merges = words.get(2).equals("merge");
        Logging logging = merges || words.get(2).equals("copy") ? Logging.PHYSIOLOGICAL : Logging.COMMAND;
        EngineRun.Setup setup = Load.TPCC
                .setup(warehouses)
                .in(folder, logging.durability().with(settings).withStateHash(false))
                .merging(merges);
        run = Files.exists(folder) ? EngineRun.reopen(setup.tellingOfRecovery(times)) : EngineRun.load(setup);
    }

    @Override
    public Map<String, Double> answer(List<String> request) throws Exception {
        return switch (request.getFirst()) {
            case "snapshot" -> written(snapshot());
            case "loaded" -> Map.of("seconds", times.loadSeconds());
            case "unpack" -> Map.of("seconds", unpackSeconds());
            case "start" -> {
                start(Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2)));
                yield Map.of();
            }
            case "quiet" -> quiet(Double.parseDouble(request.get(1)));
            case "busy" -> busy();
            case "repair" -> repair();
            default -> throw new IllegalArgumentException("asked for " + request);
        };
    }

    /** Lets the client call as fast as it is answered, or at a rate, when calls are timed from when they were due; and warms up. */
    private void start(double perSecond, double seconds) {
        if (running) {
            run.stop();
        }
        running = true;
        run.startTimed(Load.TPCC.workload(warehouses), perSecond);
        run.watch(seconds);
    }

    private SnapshotReport snapshot() {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        return report;
    }

    private static Map<String, Double> written(SnapshotReport report) {
        return Map.of(
                "rows", (double) report.rows(),
                "image_bytes", (double) report.imageBytes(),
                "file_bytes", (double) report.fileBytes(),
                "seconds", report.tookNs() * 1e-9);
    }

    /** Throughput and latency while there is no snapshot. */
    private Map<String, Double> quiet(double seconds) {
        run.latencies();
        double rate = run.watch(seconds).perSecond();
        return Map.of("rate", rate, "p99", (double) run.latencies().getValueAtPercentile(99));
    }

    /** The same while a snapshot is made, from its beginning to its end. */
    private Map<String, Double> busy() {
        run.latencies();
        long calls = run.completed();
        long begin = System.nanoTime();
        SnapshotReport report = CompletableFuture.supplyAsync(this::snapshot).join();
        double seconds = (System.nanoTime() - begin) * 1e-9;
        return Map.of(
                "rate", (run.completed() - calls) / seconds,
                "p99", (double) run.latencies().getValueAtPercentile(99),
                "seconds", seconds,
                "rows", (double) report.rows(),
                "saved", (double) report.rowsSaved());
    }

    /** The same while the bucket of a warehouse is repaired. */
    private Map<String, Double> repair() {
        run.latencies();
        long calls = run.completed();
        int bucket = run.engine().buckets().buckets().of(1L);
        RepairReport report =
                CompletableFuture.supplyAsync(() -> run.engine().repair(bucket)).join();
        if (!report.succeeded()) {
            throw new IllegalStateException("the repair failed: " + report.problem());
        }
        double seconds = report.tookNs() * 1e-9;
        return Map.of(
                "rate",
                (run.completed() - calls) / seconds,
                "p99",
                (double) run.latencies().getValueAtPercentile(99),
                "seconds",
                seconds,
                "parked_ms",
                report.parkedNs() * 1e-6,
                "rows",
                (double) report.rowsAfter());
    }

    /**
     * The time in which one thread reads, checks and unpacks the blocks of the newest snapshot and passes over its
     * rows.
     */
    private double unpackSeconds() {
        SystemFileStore files = SystemFileStore.openExisting(folder);
        Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
        BlockRows rows = new BlockRows();
        long count = 0;
        long begin = System.nanoTime();
        try (BlockReader reader = new BlockReader(files, manifest)) {
            for (DataFileEntry file : manifest.files()) {
                reader.open(file);
                for (int block = 0; block < reader.blocks(); block++) {
                    reader.read(block, rows);
                    while (rows.next()) {
                        count++;
                    }
                }
            }
        }
        double seconds = (System.nanoTime() - begin) * 1e-9;
        if (count != manifest.rows()) {
            throw new IllegalStateException(
                    "the snapshot has " + manifest.rows() + " rows, but " + count + " were read");
        }
        return seconds;
    }

    /** All of the partition's time, for when there are no transactions. */
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

    @Override
    public void close() {
        if (running) {
            run.stop();
            run.check();
        }
        if (run != null) {
            run.close();
        }
    }
}
