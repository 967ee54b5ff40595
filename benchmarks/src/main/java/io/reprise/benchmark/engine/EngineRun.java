package io.reprise.benchmark.engine;

import io.reprise.execution.Work;
import io.reprise.node.EngineDatabase;
import io.reprise.node.Options;
import io.reprise.node.Reprise;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine with a loaded workload and a client on each site. Measured by one thread: {@link #start} lets the clients
 * call, {@link #watch} watches them for a while, {@link #stop} lets them finish.
 */
final class EngineRun implements AutoCloseable {
    /** What an engine with one partition may take; orders only grow, so a long run needs some gigabytes. */
    static final long MEMORY_FOR_ONE = 12L << 30;

    /** What each of two partitions may take. */
    static final long MEMORY_FOR_EACH = 6L << 30;

    private static final int WINDOW = 32;
    private static final int CAPACITY = 64;
    private static final long POLL_NS = 100_000;
    private static final long DRAIN_NS = 10_000_000_000L;

    private final Workload workload;
    private final Reprise engine;
    private final List<DriverAgent> drivers;
    private final List<Generator> ran = new ArrayList<>();
    private long seed = 1;

    private EngineRun(Workload workload, Reprise engine, List<DriverAgent> drivers) {
        this.workload = workload;
        this.engine = engine;
        this.drivers = drivers;
    }

    /** Opens an engine, and loads the workload. */
    static EngineRun open(Workload workload, int partitions, long memoryPerPartition) {
        List<DriverAgent> drivers = new ArrayList<>();
        Reprise engine = Options.create()
                .name("bench")
                .partitions(partitions)
                .memoryPerPartition(memoryPerPartition)
                .ddl(workload.ddl())
                .siteAgent((site, ports) -> {
                    DriverAgent driver = new DriverAgent(ports.apply(CAPACITY), WINDOW);
                    drivers.add(driver);
                    return driver;
                })
                .open();
        try {
            workload.load(new EngineDatabase(engine));
            return new EngineRun(workload, engine, drivers);
        } catch (RuntimeException | Error failure) {
            engine.close();
            throw failure;
        }
    }

    /** The engine. */
    Reprise engine() {
        return engine;
    }

    /** Lets the client of each site make calls of the loaded workload, as fast as they are answered. */
    void start() {
        start(workload, 0);
    }

    /**
     * Lets the client of each site make calls that another variant of the loaded workload generates.
     *
     * @param callsPerSecond of each client; 0: as fast as they are answered
     */
    void start(Workload variant, double callsPerSecond) {
        Placement placement = new EngineDatabase(engine).placement();
        Work[] works = variant.procedures().stream().map(engine::procedure).toArray(Work[]::new);
        for (int site = 0; site < drivers.size(); site++) {
            Generator generator = variant.generator(seed++, placement, site);
            ran.add(generator);
            drivers.get(site).assign(new DriverAgent.Assignment(generator, works, callsPerSecond));
        }
    }

    /** Lets the clients finish what they have begun. */
    void stop() {
        drivers.forEach(driver -> driver.assign(null));
        long deadline = System.nanoTime() + DRAIN_NS;
        for (DriverAgent driver : drivers) {
            while (!driver.idle()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(driver.roleName() + " still waits for answers");
                }
                LockSupport.parkNanos(POLL_NS);
            }
        }
    }

    /** How fast calls ended: by the clock, and by the processor time that the sites' threads had. */
    record Rate(double perSecond, double perCpuSecond) {}

    /** Watches the clients for so long. */
    Rate watch(double seconds) {
        long before = completed();
        long cpuBefore = siteCpuNs();
        long start = System.nanoTime();
        sleep(seconds);
        long calls = completed() - before;
        long cpuNs = siteCpuNs() - cpuBefore;
        long ns = System.nanoTime() - start;
        if (calls == 0) {
            throw new IllegalStateException("no call was answered in " + seconds + " s");
        }
        return new Rate(calls * 1e9 / ns, calls * 1e9 / cpuNs);
    }

    /** Starts the clients on a variant, lets them run for a moment, watches, and stops them. */
    Rate measure(Workload variant, double warmUpSeconds, double seconds) {
        start(variant, 0);
        try {
            sleep(warmUpSeconds);
            return watch(seconds);
        } finally {
            stop();
        }
    }

    private long siteCpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return drivers.stream()
                .mapToLong(driver -> threads.getThreadCpuTime(driver.threadId()))
                .sum();
    }

    static void sleep(double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** How many calls have ended. */
    long completed() {
        return drivers.stream().mapToLong(DriverAgent::completed).sum();
    }

    /** How many of them were rolled back. */
    long rolledBack() {
        return drivers.stream().mapToLong(DriverAgent::rolledBack).sum();
    }

    /** Fails if an invariant of the workload does not hold; the clients must have stopped. */
    void check() {
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
