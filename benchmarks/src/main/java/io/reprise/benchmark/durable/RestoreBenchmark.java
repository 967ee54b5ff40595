package io.reprise.benchmark.durable;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.FolderObjects;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Durability;
import io.reprise.engine.Reprise;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The loss of a data directory, and a start from its archive under load: all rows first, and on demand. YCSB with half of the calls updates, in one
 * partition. Calls are made as fast as they are answered from the first moment on.
 */
final class RestoreBenchmark implements Benchmark {
    private static final long MEMORY = 6L << 30;
    private static final double SECOND_NS = 1e9;
    private static final double MS_NS = 1e6;
    private static final double PERCENTILE = 99;
    private static final long EVERY_NS = 100_000_000;
    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long PACE = 4L << 30;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String description() {
        return "A lost data directory, served from its archive: all rows first, and on demand";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("whole_first_ms", "milliseconds to the first answer, if all rows are loaded first"),
                Key.of("whole_total_s", "seconds until all rows are loaded, if they are loaded first"),
                Key.of("first_ms", "milliseconds to the first answer, on demand"),
                Key.of("first_ratio", "the same as a ratio to loading all rows first")
                        .atMost(0.5),
                Key.of("total_s", "seconds until all rows are loaded on demand, under load"),
                Key.of("total_ratio", "the same as a ratio to loading all rows first")
                        .atMost(1.5),
                Key.of("second1_calls", "calls answered in the first second, on demand"),
                Key.of("second1_p99_ms", "their 99th percentile in milliseconds"),
                Key.of(
                                "missed",
                                "calls that were missed until all rows were loaded, as a ratio to those missed by loading all rows first")
                        .atMost(0.35));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("records", 1), Option.ROUNDS);
    }

    /** The figures of one start. */
    private record Start(double firstMs, double totalSeconds, double missedSeconds, double calls, double p99Ms) {}

    @Override
    public Result run(Context context) throws Exception {
        int records = context.option("records", context.quickOr(100_000, 1_000_000));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        Workload workload = new Ycsb(YcsbOptions.standard(YcsbOptions.Mix.A, records));
        Path archive = Files.createDirectories(context.scratch().resolve("archive"));
        double rate = fill(context, workload, archive);
        context.progress("%,.0f calls a second before the loss", rate);
        double[][] figures = new double[9][rounds];
        for (int round = 0; round < rounds; round++) {
            Start whole = start(context, workload, archive, false, rate);
            Start demand = start(context, workload, archive, true, rate);
            context.progress(
                    "first answer after %.0f ms, on demand %.0f ms; all rows after %.1f s, %.1f s",
                    whole.firstMs, demand.firstMs, whole.totalSeconds, demand.totalSeconds);
            double[] values = {
                whole.firstMs,
                whole.totalSeconds,
                demand.firstMs,
                demand.firstMs / whole.firstMs,
                demand.totalSeconds,
                demand.totalSeconds / whole.totalSeconds,
                demand.calls,
                demand.p99Ms,
                demand.missedSeconds / whole.missedSeconds
            };
            for (int i = 0; i < values.length; i++) {
                figures[i][round] = values[i];
            }
        }
        Result result = new Result();
        for (int i = 0; i < figures.length; i++) {
            result.put(keys().get(i).name(), new Samples(figures[i]));
        }
        return result;
    }

    private static EngineRun.Setup setup(Workload workload, Path data, Path archive, boolean onDemand) {
        Durability durability = Logging.COMMAND.durability().withStateHash(false);
        return EngineRun.Setup.inMemory(workload, 1, MEMORY)
                .withWindow(256)
                .in(data, durability)
                .with(options -> options.recoverOnDemand(onDemand)
                        .archive(new ArchiveSettings(
                                () -> FolderObjects.at(archive), EVERY_NS, HOUR_MICROS, 24 * HOUR_MICROS, PACE, true)));
    }

    /** A database with an archived snapshot, and archived log behind it. Returns the calls a second. */
    private static double fill(Context context, Workload workload, Path archive) throws IOException {
        Path data = context.scratch().resolve("data");
        double rate;
        try (EngineRun run = EngineRun.load(setup(workload, data, archive, false))) {
            if (!run.engine().snapshot().succeeded()) {
                throw new IllegalStateException("the snapshot failed");
            }
            awaitArchivedSnapshot(run.engine());
            rate = run.measure(workload, context.quickOr(1, 4), context.quickOr(1, 4))
                    .perSecond();
        }
        Folders.remove(data);
        return rate;
    }

    private static void awaitArchivedSnapshot(Reprise engine) {
        long beganNs = System.nanoTime();
        while (engine.metrics()
                        .durability()
                        .orElseThrow()
                        .archive()
                        .orElseThrow()
                        .snapshots()
                == 0) {
            if (System.nanoTime() - beganNs > 600 * SECOND_NS) {
                throw new IllegalStateException("the snapshot was not archived");
            }
            EngineRun.sleep(0.1);
        }
    }

    private static Start start(Context context, Workload workload, Path archive, boolean onDemand, double rate)
            throws IOException {
        Path data = context.scratch().resolve("restored");
        long beganNs = System.nanoTime();
        double firstMs = 0;
        double calls = 0;
        double p99Ms = 0;
        double totalSeconds;
        double missed;
        try (EngineRun run = EngineRun.reopen(setup(workload, data, archive, onDemand))) {
            run.startTimed(workload, 0);
            while (run.completed() == 0) {
                EngineRun.sleep(0.0005);
            }
            firstMs = (System.nanoTime() - beganNs) / MS_NS;
            EngineRun.sleep(1);
            calls = run.completed();
            p99Ms = run.latencies().getValueAtPercentile(PERCENTILE) / MS_NS;
            Optional<LoadStats> load = run.engine().load();
            while (load.isPresent() && !load.get().isOver()) {
                EngineRun.sleep(0.01);
            }
            totalSeconds = load.isPresent() ? (System.nanoTime() - beganNs) / SECOND_NS : firstMs / 1e3;
            double passed = (System.nanoTime() - beganNs) / SECOND_NS;
            missed = Math.max(0, passed - run.completed() / rate);
            run.stop();
            run.check();
        }
        Folders.remove(data);
        return new Start(firstMs, totalSeconds, missed, calls, p99Ms);
    }
}
