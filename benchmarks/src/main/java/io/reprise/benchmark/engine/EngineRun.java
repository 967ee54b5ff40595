package io.reprise.benchmark.engine;

import io.reprise.execution.Work;
import io.reprise.node.Options;
import io.reprise.node.Reprise;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine with a loaded workload and a client on each site. Measured by one thread: {@link #start} lets the clients
 * call, {@link #callsPerSecond} watches them for a while, {@link #stop} lets them finish.
 */
final class EngineRun implements AutoCloseable {
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
        Placement placement = EngineDatabase.placement(engine.buckets());
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

    /** How many calls end per second, watched for so long. */
    double callsPerSecond(double seconds) {
        long before = completed();
        long start = System.nanoTime();
        sleep(seconds);
        long after = completed();
        long end = System.nanoTime();
        if (after == before) {
            throw new IllegalStateException("no call was answered in " + seconds + " s");
        }
        return (after - before) * 1e9 / (end - start);
    }

    /** Starts, lets it run for a moment, measures, and stops. */
    double measure(Workload variant, double warmUpSeconds, double seconds) {
        start(variant, 0);
        try {
            sleep(warmUpSeconds);
            return callsPerSecond(seconds);
        } finally {
            stop();
        }
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
