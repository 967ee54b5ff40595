package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** A cluster with a loaded workload, and its clients in this process. Owned by one thread. */
final class ClusterRun implements AutoCloseable {
    private static final double NS_PER_MS = 1e6;

    /** The most calls under way of a client without another limit. */
    static final int CALLS = 1 << 13;

    private final ClusterProcesses cluster;
    private final Workload workload;
    private final Session session;

    private ClusterRun(ClusterProcesses cluster, Workload workload, Session session) {
        this.cluster = cluster;
        this.workload = workload;
        this.session = session;
    }

    /** Rates of a measurement, round by round. */
    record Rates(Samples perSecond, Samples cpuMicros, Samples p50Ms) {}

    /** Starts a cluster and loads the workload, by calls. */
    static ClusterRun start(Context context, ClusterProcesses.Shape shape, Workload workload)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(context.scratch(), workload.name());
        ClusterProcesses cluster = ClusterProcesses.start(folder, shape, workload.ddl());
        try {
            Session session = new Session(workload, settings(cluster, CALLS), 1, 1);
            session.load();
            return new ClusterRun(cluster, workload, session);
        } catch (RuntimeException | Error failure) {
            cluster.close();
            throw failure;
        }
    }

    private static ClientSettings settings(ClusterProcesses cluster, int calls) {
        return ClientSettings.to(cluster.addresses()).withMaxCalls(calls, true).withCallTimeout(Duration.ofSeconds(60));
    }

    /** Starts to make calls without waiting for replies. */
    Drive drive() {
        return session.drive(0);
    }

    /** Starts threads that wait for each reply. */
    Drive callers(int count) {
        return session.callers(count);
    }

    /** Another client, with so many calls under way at most. */
    Session limitedTo(int calls) {
        return new Session(workload, settings(cluster, calls), 1, 1 << 12);
    }

    /** Measures a drive that has warmed up, and stops it. */
    Rates measure(Context context, String name, Drive drive, int rounds, int seconds) throws InterruptedException {
        double[] perSecond = new double[rounds];
        double[] cpuMicros = new double[rounds];
        double[] p50Ms = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            long before = drive.completed();
            double cpuBefore = cpuSeconds();
            double nodesBefore = cluster.cpuSeconds();
            drive.latencies();
            long beginNs = System.nanoTime();
            Thread.sleep(seconds * 1000L);
            long calls = Math.max(1, drive.completed() - before);
            double tookSeconds = (System.nanoTime() - beginNs) / 1e9;
            double cpu = cpuSeconds() - cpuBefore;
            Histogram latencies = drive.latencies();
            perSecond[i] = calls / tookSeconds;
            cpuMicros[i] = cpu * 1e6 / calls;
            p50Ms[i] = latencies.getValueAtPercentile(50) / NS_PER_MS;
            context.progress(
                    "%s: %.0f calls/s, %.2f us of processor time (cluster %.2f), %.1f cores busy, p50 %.3f ms, p99 %.3f ms;"
                            + " not committed: %s",
                    name,
                    perSecond[i],
                    cpuMicros[i],
                    (cluster.cpuSeconds() - nodesBefore) * 1e6 / calls,
                    cpu / tookSeconds,
                    p50Ms[i],
                    latencies.getValueAtPercentile(99) / NS_PER_MS,
                    drive.failures().byCode());
        }
        drive.stop();
        drive.failures().check();
        return new Rates(new Samples(perSecond), new Samples(cpuMicros), new Samples(p50Ms));
    }

    private double cpuSeconds() {
        Duration own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        return cluster.cpuSeconds() + own.toNanos() / 1e9;
    }

    /** Checks the workload's invariants, when all calls were made by {@link #drive} or {@link #callers}. */
    void check() {
        List<Workload.Violation> violations = session.check();
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the database is not what the replies say: " + violations);
        }
    }

    @Override
    public void close() {
        session.close();
        cluster.close();
    }
}
