package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Half of the buckets go to the partition of another node under load. That partition has no bucket at first, as on a node that was
 * added.
 */
final class ClusterMoveBenchmark implements Benchmark {
    private static final int FULL = 0;
    private static final int EMPTY = 1;
    private static final int MOST_CALLS = 1 << 13;
    private static final int CALLERS = 16;
    private static final int SLICE_MS = 100;

    @Override
    public String name() {
        return "cluster-move";
    }

    @Override
    public String description() {
        return "half of the buckets of 155 MB go to another node under load; two nodes, k=1, forced log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("pause_p99_ms", "the longest call of each tenth of a second during the move, 99th percentile")
                        .atMost(20),
                Key.of("tps_ratio", "calls per second during the move, to those before it")
                        .atLeast(0.85),
                Key.of("before_p99_ms", "as pause_p99_ms, before the move"),
                Key.of("move_s", "from the command until the last bucket has moved"),
                Key.of("errors", "numbered calls that failed").atMost(0));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("rate", 1), Option.number("rows", 1), Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int rate = context.option("rate", 10_000);
        int rows = context.option("rows", context.quickOr(50_000, 1_200_000));
        int warmUp = context.option("warmup", context.quickOr(3, 15));
        Items items = new Items(rows);
        try (ClusterProcesses cluster = ClusterProcesses.start(
                context.scratch().resolve("move"), new ClusterProcesses.Shape(2, 1, 2), items.ddl() + Counting.DDL)) {
            cluster.awaitWhole();
            cluster.moveBuckets(cluster.bucketsOf(EMPTY), FULL);
            cluster.awaitMoves();
            ClientSettings settings = ClientSettings.to(cluster.addresses()).withCallTimeout(Duration.ofSeconds(60));
            items.load(settings);
            cluster.awaitWhole();
            try (Session session = new Session(items, settings.withMaxCalls(MOST_CALLS, true), 1, 1);
                    Counting counting = new Counting(settings, CALLERS)) {
                session.begin();
                return measure(context, cluster, session, counting, rate, warmUp);
            }
        }
    }

    private static Result measure(
            Context context, ClusterProcesses cluster, Session session, Counting counting, int rate, int warmUp)
            throws Exception {
        counting.start();
        Drive drive = session.drive(rate);
        Thread.sleep(warmUp * 1000L);
        Watch before = Watch.of(drive, counting, () -> {}, watch -> watch.seconds() < warmUp);
        context.progress("before: %.0f calls/s, p99 of the longest %.1f ms", before.perSecond(), before.p99());
        List<Integer> buckets = cluster.bucketsOf(FULL);
        List<Integer> half = buckets.subList(0, buckets.size() / 2);
        Watch during =
                Watch.of(drive, counting, () -> cluster.moveBuckets(half, EMPTY), watch -> cluster.movingBuckets() > 0);
        context.progress(
                "%d buckets in %.2f s: %.0f calls/s, p99 of the longest %.1f ms",
                half.size(), during.seconds(), during.perSecond(), during.p99());
        drive.stop();
        long errors = counting.stop();
        counting.check();
        List<Workload.Violation> violations = session.check();
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the database is not what the replies say: " + violations);
        }
        return new Result()
                .put("pause_p99_ms", during.p99())
                .put("tps_ratio", during.perSecond() / before.perSecond())
                .put("before_p99_ms", before.p99())
                .put("move_s", during.seconds())
                .put("errors", (double) errors);
    }

    private interface Action {
        void run() throws Exception;
    }

    private interface Condition {
        boolean holds(Watch watch) throws Exception;
    }

    /** Calls over some time, with the longest call of each slice of it. */
    private static final class Watch {
        private final Drive drive;
        private final List<Double> longestMs = new ArrayList<>();
        private final long beganNs = System.nanoTime();
        private final long completed;
        private double seconds;
        private double perSecond;

        private Watch(Drive drive) {
            this.drive = drive;
            completed = drive.completed();
        }

        static Watch of(Drive drive, Counting counting, Action first, Condition goesOn) throws Exception {
            Watch watch = new Watch(drive);
            first.run();
            do {
                counting.watch();
                Thread.sleep(SLICE_MS);
                watch.longestMs.add(counting.longestMs());
                watch.look();
            } while (goesOn.holds(watch));
            return watch;
        }

        private void look() {
            seconds = (System.nanoTime() - beganNs) / 1e9;
            perSecond = (drive.completed() - completed) / seconds;
        }

        double seconds() {
            return seconds;
        }

        double perSecond() {
            return perSecond;
        }

        double p99() {
            return new Samples(
                            longestMs.stream().mapToDouble(Double::doubleValue).toArray())
                    .percentile(99);
        }
    }
}
