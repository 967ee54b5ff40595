package io.reprise.benchmark.durable;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.FolderObjects;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Rate;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.ForkedTask;
import io.reprise.engine.Options;
import io.reprise.engine.SortedLogSettings;
import io.reprise.snapshot.SnapshotSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** In a process of its own: an engine under one of the loads, with or without a log, which is measured now and then. */
public final class LoadTask implements ForkedTask {
    private static final int WAREHOUSES = 2;
    private static final double SETTLING_SECONDS = 0.3;
    private static final String MEASURE = "measure";
    private static final String CHECK = "check";
    private static final long SNAPSHOT_MS = 5_000;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long DAY_MICROS = 86_400_000_000L;

    private Load load;
    private EngineRun run;

    /** Opened by its process. */
    public LoadTask() {}

    /**
     * Starts a process with a loaded engine.
     *
     * @param window number of calls under way
     * @param pauseNs time between forces of the log while the site is busy
     */
    static Fork start(Load load, Logging logging, int window, long pauseNs, Path folder) {
        return start(load, logging, window, pauseNs, folder, Copies.ALONE);
    }

    /** The same with a copied or sorted log, in a folder for each. */
    static Fork start(Load load, Logging logging, int window, long pauseNs, Path folder, Copies copies) {
        return Fork.start(
                LoadTask.class,
                load.name(),
                logging.name(),
                Integer.toString(window),
                Long.toString(pauseNs),
                folder.toString(),
                copies.name());
    }

    /** The data directory of an engine without copies of its log, in the folder that it was started with. */
    static Path data(Path folder, Logging logging) {
        return folder.resolve(Copies.ALONE.key()).resolve(logging.key());
    }

    /** The making of copies of the log while transactions run. */
    enum Copies {
        /** None. */
        ALONE,
        /** Pieces of the log go into an archive. */
        COPIED,
        /** The log is sorted into runs by bucket. */
        SORTED,
        /** Runs have images of commands. */
        IMAGES,
        /** Partitions copy their rows every five seconds. */
        SNAPSHOTS,
        /** The sorted log is the only storage. */
        STORED;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Options add(Options options, Path folder) {
            return switch (this) {
                case ALONE -> options;
                case COPIED ->
                    options.archive(ArchiveSettings.usual(() -> FolderObjects.at(made(folder)))
                            .withTimes(SECOND_NS, DAY_MICROS, DAY_MICROS));
                case SORTED -> options.sortedLog(SortedLogSettings.DEFAULTS.withSorting(true));
                case IMAGES ->
                    options.sortedLog(
                            SortedLogSettings.DEFAULTS.withSorting(true).withImages(true));
                case SNAPSHOTS ->
                    options.durability(Logging.COMMAND
                            .durability()
                            .with(SnapshotSettings.usual().every(SNAPSHOT_MS, 0)));
                case STORED -> options.storeInLog(true);
            };
        }

        private static Path made(Path folder) {
            try {
                return Files.createDirectories(folder);
            } catch (IOException e) {
                throw new UncheckedIOException("the archive's folder can't be made", e);
            }
        }
    }

    /** Runs a new process until the compiler has seen to its code; ends it after a failure. */
    static Fork warmedUp(Context context, String name, Fork fork) {
        try {
            Rate rate = measure(fork, context.quickOr(3, 6), 1);
            context.progress("%s: warmed up to %.0f calls/s", name, rate.perSecond());
            return fork;
        } catch (RuntimeException | Error failure) {
            fork.close();
            throw failure;
        }
    }

    /** A measurement of a process that has warmed up. */
    static Rate measure(Fork fork, double seconds) {
        return measure(fork, SETTLING_SECONDS, seconds);
    }

    /** Lets the clients call for the two times, and measures during the second. */
    private static Rate measure(Fork fork, double warmUpSeconds, double seconds) {
        Map<String, Double> rate = fork.ask(MEASURE, Double.toString(warmUpSeconds), Double.toString(seconds));
        return new Rate(rate.get("per_second"), rate.get("per_cpu_second"));
    }

    /** Fails if the database is not consistent. */
    static void check(Fork fork) {
        fork.ask(CHECK);
    }

    @Override
    public void open(List<String> words) {
        load = Load.valueOf(words.get(0));
        EngineRun.Setup setup = load.setup(WAREHOUSES).withWindow(Integer.parseInt(words.get(2)));
        Copies copies = Copies.valueOf(words.get(5));
        Path folder = Path.of(words.get(4)).resolve(copies.key());
        Logging logging = Logging.valueOf(words.get(1));
        run = logging.load(
                setup.with(options -> copies.add(options, folder.resolve("archive-" + logging.key()))),
                folder,
                Long.parseLong(words.get(3)));
    }

    @Override
    public Map<String, Double> answer(List<String> request) {
        return switch (request.getFirst()) {
            case MEASURE -> measured(Double.parseDouble(request.get(1)), Double.parseDouble(request.get(2)));
            case CHECK -> {
                run.check();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("unknown request " + request);
        };
    }

    private Map<String, Double> measured(double warmUpSeconds, double seconds) {
        Rate rate = run.measure(load.workload(WAREHOUSES), warmUpSeconds, seconds);
        return Map.of("per_second", rate.perSecond(), "per_cpu_second", rate.perCpuSecond());
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
    }
}
