package io.reprise.benchmark.engine;

import io.reprise.benchmark.Rate;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.RecoveryProgress;
import io.reprise.engine.Reprise;
import io.reprise.engine.Sites;
import io.reprise.execution.Work;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * An engine with a loaded workload and a client on each site. Measured by one thread: {@link #start} lets the clients
 * call, {@link #watch} watches them for a while, {@link #stop} lets them finish.
 */
public final class EngineRun implements AutoCloseable {
    /** The memory limit of an engine with one partition; orders only grow, so a long run needs some gigabytes. */
    public static final long MEMORY_FOR_ONE = 12L << 30;

    /** The memory limit of each of two partitions. */
    public static final long MEMORY_FOR_EACH = 6L << 30;

    private static final int WINDOW = 32;
    private static final int LEAST_INBOUND = 4096;
    private static final long POLL_NS = 100_000;
    private static final long PUNCTUAL_NS = 2_000_000;
    private static final long DRAIN_NS = 10_000_000_000L;

    private final Workload workload;
    private final Reprise engine;
    private final List<DriverAgent> drivers;
    private final List<Generator> ran = new ArrayList<>();
    private long seed = 1;
    private boolean numbered;

    private EngineRun(Workload workload, Reprise engine, List<DriverAgent> drivers) {
        this.workload = workload;
        this.engine = engine;
        this.drivers = drivers;
    }

    /**
     * The settings of an engine.
     *
     * @param window calls under way of each client
     * @param directory the folder of its data; empty: none
     * @param durability the durability of the data there
     * @param more sets other options
     */
    public record Setup(
            Workload workload,
            int partitions,
            long memoryPerPartition,
            int window,
            Optional<Path> directory,
            Durability durability,
            UnaryOperator<Options> more) {
        /** Without a directory, with few calls under way. */
        public static Setup inMemory(Workload workload, int partitions, long memoryPerPartition) {
            return new Setup(
                    workload,
                    partitions,
                    memoryPerPartition,
                    WINDOW,
                    Optional.empty(),
                    Durability.standard(),
                    UnaryOperator.identity());
        }

        /** With so many calls under way. */
        public Setup withWindow(int newWindow) {
            return new Setup(workload, partitions, memoryPerPartition, newWindow, directory, durability, more);
        }

        /** In a directory. */
        public Setup in(Path newDirectory, Durability newDurability) {
            return new Setup(
                    workload, partitions, memoryPerPartition, window, Optional.of(newDirectory), newDurability, more);
        }

        /** Telling how a recovery goes. */
        public Setup tellingOfRecovery(Consumer<RecoveryProgress> listener) {
            return with(options -> options.recoveryListener(listener));
        }

        /** Making snapshots from the log, or not. */
        public Setup merging(boolean merges) {
            return with(options -> options.mergeSnapshots(merges));
        }

        /** Replaying commands in this order. */
        public Setup replaying(ReplaySettings.Order order) {
            return with(options -> options.replay(ReplaySettings.DEFAULTS.with(order)));
        }

        /** With other options, beside those that it has. */
        public Setup with(UnaryOperator<Options> options) {
            return new Setup(
                    workload,
                    partitions,
                    memoryPerPartition,
                    window,
                    directory,
                    durability,
                    before -> options.apply(more.apply(before)));
        }
    }

    /** Opens an engine without a directory, and loads the workload. */
    static EngineRun open(Workload workload, int partitions, long memoryPerPartition) {
        return load(Setup.inMemory(workload, partitions, memoryPerPartition));
    }

    /** Opens an engine on what is in its directory. */
    public static EngineRun reopen(Setup setup) {
        List<DriverAgent> drivers = new ArrayList<>();
        int window = setup.window;
        Options options = Options.create()
                .name("bench")
                .partitions(setup.partitions)
                .memoryPerPartition(setup.memoryPerPartition)
                .ddl(setup.workload.ddl())
                .sites(Sites.Settings.usual().withInboundCapacity(Math.max(LEAST_INBOUND, 2 * window)))
                .durability(setup.durability)
                .siteAgent((site, ports) -> {
                    DriverAgent driver = new DriverAgent(ports.apply(2 * window), window);
                    drivers.add(driver);
                    return driver;
                });
        setup.directory.ifPresent(folder -> options.directory(folder).keepStatements(true));
        return new EngineRun(setup.workload, setup.more.apply(options).open(), drivers);
    }

    /** Opens a new engine, and loads the workload. */
    public static EngineRun load(Setup setup) {
        EngineRun run = reopen(setup);
        Reprise engine = run.engine;
        try {
            setup.workload.load(new EngineDatabase(engine));
            return run;
        } catch (RuntimeException | Error failure) {
            engine.close();
            throw failure;
        }
    }

    /** The engine. */
    public Reprise engine() {
        return engine;
    }

    /**
     * From the next start on calls have numbers, as those have that a user's client makes by a procedure's name: a partition remembers what they
     * came to, and so does the log.
     */
    public void numberCalls() {
        numbered = true;
    }

    /** Lets the client of each site make calls of the loaded workload, as fast as they are answered. */
    public void start() {
        start(workload, 0);
    }

    /**
     * Lets the client of each site make calls that another variant of the loaded workload generates.
     *
     * @param callsPerSecond of each client; 0: as fast as they are answered
     */
    public void start(Workload variant, double callsPerSecond) {
        start(variant, callsPerSecond, false);
    }

    /**
     * The same, timing each call for {@link #latencies}: from when it was due, where there is a rate.
     *
     * @param callsPerSecond of each client; 0: as fast as they are answered
     */
    public void startTimed(Workload variant, double callsPerSecond) {
        start(variant, callsPerSecond, true);
        latencies();
    }

    private void start(Workload variant, double callsPerSecond, boolean timed) {
        Placement placement = new EngineDatabase(engine).placement();
        Work[] works = variant.procedures().stream().map(engine::procedure).toArray(Work[]::new);
        for (int site = 0; site < drivers.size(); site++) {
            Generator generator = variant.generator(seed++, placement, site);
            ran.add(generator);
            drivers.get(site).assign(new DriverAgent.Assignment(generator, works, callsPerSecond, timed, numbered));
        }
    }

    /**
     * Waits until clients that keep to a rate have made all calls that were due, as at first they may not have.
     *
     * @param mostSeconds for how long
     * @return whether they have; if not, they call as fast as they are answered
     */
    public boolean catchUp(double mostSeconds) {
        long deadlineNs = System.nanoTime() + (long) (mostSeconds * 1e9);
        while (isBehind()) {
            if (System.nanoTime() - deadlineNs >= 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return true;
    }

    private boolean isBehind() {
        long longAgoNs = System.nanoTime() - PUNCTUAL_NS;
        return drivers.stream().anyMatch(driver -> driver.nextDueNs() - longAgoNs < 0);
    }

    /** Lets the clients finish what they have begun. */
    public void stop() {
        drivers.forEach(driver -> driver.assign(null));
        long deadline = System.nanoTime() + DRAIN_NS;
        for (DriverAgent driver : drivers) {
            while (!driver.idle()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(driver.roleName() + " still waits for answers"
                            + engine.failure()
                                    .map(why -> "; the engine has ended, because " + why)
                                    .orElse(""));
                }
                LockSupport.parkNanos(POLL_NS);
            }
        }
    }

    /**
     * Watches the clients for so long; if nothing was answered in that time, as on a machine that has stood still, until something is.
     * The processor time is that of the sites' threads.
     */
    public Rate watch(double seconds) {
        long before = completed();
        long cpuBefore = siteCpuNs();
        long start = System.nanoTime();
        sleep(seconds);
        long watchedNs = System.nanoTime();
        while (completed() == before && System.nanoTime() - watchedNs < DRAIN_NS) {
            LockSupport.parkNanos(POLL_NS);
        }
        long calls = completed() - before;
        long cpuNs = siteCpuNs() - cpuBefore;
        long ns = System.nanoTime() - start;
        if (calls == 0) {
            throw new IllegalStateException("no call was answered in " + seconds + " s");
        }
        return new Rate(calls * 1e9 / ns, calls * 1e9 / cpuNs);
    }

    /** Starts the clients on a variant, lets them run for a moment, watches, and stops them. */
    public Rate measure(Workload variant, double warmUpSeconds, double seconds) {
        start(variant, 0);
        try {
            sleep(warmUpSeconds);
            return watch(seconds);
        } finally {
            stop();
        }
    }

    /** The times in nanoseconds of calls that have ended since the last look. */
    public Histogram latencies() {
        Histogram all = drivers.getFirst().latencies();
        for (DriverAgent driver : drivers.subList(1, drivers.size())) {
            all.add(driver.latencies());
        }
        return all;
    }

    private long siteCpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return drivers.stream()
                .mapToLong(driver -> threads.getThreadCpuTime(driver.threadId()))
                .sum();
    }

    public static void sleep(double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** The number of calls that have ended. */
    public long completed() {
        return drivers.stream().mapToLong(DriverAgent::completed).sum();
    }

    /** The number of those that were rolled back. */
    public long rolledBack() {
        return drivers.stream().mapToLong(DriverAgent::rolledBack).sum();
    }

    /** Fails if an invariant of the workload does not hold; the clients must have stopped. */
    public void check() {
        List<Workload.Violation> violations = workload.check(new EngineDatabase(engine), ran);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the database is inconsistent after the run: " + violations);
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}
