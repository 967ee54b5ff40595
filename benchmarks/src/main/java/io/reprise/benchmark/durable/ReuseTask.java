package io.reprise.benchmark.durable;

import io.reprise.benchmark.Rate;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Durability;
import io.reprise.log.LogSettings;
import io.reprise.log.LogStats;
import io.reprise.snapshot.SnapshotReport;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * In a process of its own: an engine whose log uses segments again or not. Told: load, logging, the most spare segments, bytes of
 * a segment, folder.
 */
public final class ReuseTask implements ForkedTask {
    private static final int WAREHOUSES = 2;

    /** Fits into smaller segments than usual. */
    private static final int MOST_RECORD_BYTES = 2 << 20;

    /** As the system counts, whatever the disk's own are. */
    private static final int SECTOR = 512;

    private static final int WRITTEN_SECTORS = 6;

    private Load load;
    private EngineRun run;

    /** Nothing is open. */
    public ReuseTask() {}

    @Override
    public void open(List<String> words) {
        load = Load.valueOf(words.get(0));
        LogSettings usual = LogSettings.DEFAULTS;
        LogSettings log = usual.withSizes(usual.frameBytes(), usual.batchBytes(), usual.ringBytes(), MOST_RECORD_BYTES)
                .withSegmentBytes(Long.parseLong(words.get(3)))
                .withSpareSegments(Integer.parseInt(words.get(2)));
        Durability durability = Logging.valueOf(words.get(1)).durability().with(log);
        run = EngineRun.load(load.setup(WAREHOUSES).in(Path.of(words.get(4)), durability));
    }

    @Override
    public Map<String, Double> answer(List<String> request) throws IOException {
        return switch (request.getFirst()) {
            case "measure" -> measured(Double.parseDouble(request.get(1)));
            case "snapshot" -> {
                // The log is kept from the older one of two on.
                snapshot();
                snapshot();
                yield Map.of();
            }
            case "check" -> {
                run.check();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("asked for " + request);
        };
    }

    private Map<String, Double> measured(double seconds) throws IOException {
        LogStats log = run.engine().logStats().orElseThrow();
        long logged = log.writtenBytes();
        long zeroed = log.zeroedBytes();
        long flushes = log.flushes();
        double flushNs = flushNs(log);
        long toDisk = bytesToDisk();
        Rate rate = run.measure(load.workload(WAREHOUSES), 0, seconds);
        Map<String, Double> measured = new HashMap<>();
        measured.put("per_second", rate.perSecond());
        measured.put("per_cpu_second", rate.perCpuSecond());
        measured.put("logged", (double) (log.writtenBytes() - logged));
        measured.put("zeroed", (double) (log.zeroedBytes() - zeroed));
        measured.put("to_disk", (double) (bytesToDisk() - toDisk));
        measured.put("flush_us", (flushNs(log) - flushNs) / (log.flushes() - flushes) * 1e-3);
        return measured;
    }

    /** The time of all flushes together. */
    private static double flushNs(LogStats log) {
        return (double) log.flushTimes().meanNs() * log.flushes();
    }

    /**
     * The bytes written to all disks of the machine. The system's count for a process is another: a write of a few
     * bytes counts with all of the pages that the system keeps together.
     */
    private static long bytesToDisk() throws IOException {
        long sectors = 0;
        try (DirectoryStream<Path> disks = Files.newDirectoryStream(Path.of("/sys/block"))) {
            for (Path disk : disks) {
                if (!disk.getFileName().toString().matches("(loop|ram|zram|dm-|md).*")) {
                    String[] counts =
                            Files.readString(disk.resolve("stat")).strip().split(" +");
                    sectors += Long.parseLong(counts[WRITTEN_SECTORS]);
                }
            }
        }
        return sectors * SECTOR;
    }

    private void snapshot() {
        SnapshotReport report = run.engine().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}
