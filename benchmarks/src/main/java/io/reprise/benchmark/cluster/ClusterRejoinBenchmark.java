package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Workload;
import java.time.Duration;
import java.util.List;

/**
 * A node of two is killed under load and returns: with its data, so that the leaders send what it missed from their logs, and with an
 * empty disk, so that they send all rows.
 */
final class ClusterRejoinBenchmark implements Benchmark {
    private static final int NODE = 1;
    private static final int LOOK_MS = 20;

    @Override
    public String name() {
        return "cluster-rejoin";
    }

    @Override
    public String description() {
        return "a node returns to a database of 155 MB under load; two nodes, k=1, forced log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("log_s", "from the start of the process until all is in sync, from the leaders' logs")
                        .atMost(2),
                Key.of("rows_s", "the same with an empty disk, from all rows").atMost(5),
                Key.of("tps_ratio", "calls per second while a node returns, to those before it was killed")
                        .atLeast(0.9),
                Key.of("missed_mb", "log of the calls that the node missed, roughly"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("rate", 1), Option.number("rows", 1), Option.number("down", 1), Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int rate = context.option("rate", 10_000);
        int rows = context.option("rows", context.quickOr(50_000, 1_200_000));
        int down = context.option("down", context.quickOr(3, 20));
        int warmUp = context.option("warmup", context.quickOr(3, 15));
        Items items = new Items(rows);
        try (ClusterProcesses cluster = ClusterProcesses.start(
                        context.scratch().resolve("rejoin"), new ClusterProcesses.Shape(2, 1, 2), items.ddl());
                Session session = new Session(
                        items,
                        ClientSettings.to(cluster.addresses())
                                .withMaxCalls(ClusterRun.CALLS, true)
                                .withCallTimeout(Duration.ofSeconds(60)),
                        1,
                        1)) {
            items.load(ClientSettings.to(cluster.addresses()).withCallTimeout(Duration.ofSeconds(60)));
            session.begin();
            cluster.awaitWhole();
            Drive drive = session.drive(rate);
            Thread.sleep(warmUp * 1000L);
            double before = perSecond(drive, warmUp);
            Return byLog = returning(cluster, drive, down, false);
            context.progress(
                    "by log: %.2f s, %.0f calls/s meanwhile, %.0f before", byLog.seconds, byLog.perSecond, before);
            Thread.sleep(warmUp * 1000L);
            Return byRows = returning(cluster, drive, 1, true);
            context.progress("by rows: %.2f s, %.0f calls/s meanwhile", byRows.seconds, byRows.perSecond);
            drive.stop();
            context.progress(
                    "calls of the killed node without a reply: %s",
                    drive.failures().byCode());
            List<Workload.Violation> violations = session.check();
            if (!violations.isEmpty()) {
                throw new IllegalStateException("the database is not what the replies say: " + violations);
            }
            return new Result()
                    .put("log_s", byLog.seconds)
                    .put("rows_s", byRows.seconds)
                    .put("tps_ratio", Math.min(byLog.perSecond, byRows.perSecond) / before)
                    .put("missed_mb", down * (double) rate * Items.RECORD_BYTES / 1e6);
        }
    }

    /** The return of a node: its time, and the rate of calls meanwhile. */
    private record Return(double seconds, double perSecond) {}

    private static Return returning(ClusterProcesses cluster, Drive drive, int down, boolean isWiped) throws Exception {
        cluster.kill(NODE);
        Thread.sleep(down * 1000L);
        if (isWiped) {
            cluster.wipe(NODE);
        }
        long before = drive.completed();
        long beganNs = System.nanoTime();
        cluster.restart(NODE);
        while (!cluster.isWhole()) {
            Thread.sleep(LOOK_MS);
        }
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        return new Return(seconds, (drive.completed() - before) / seconds);
    }

    private static double perSecond(Drive drive, int seconds) throws InterruptedException {
        long before = drive.completed();
        long beganNs = System.nanoTime();
        Thread.sleep(seconds * 1000L);
        return (drive.completed() - before) / ((System.nanoTime() - beganNs) / 1e9);
    }
}
