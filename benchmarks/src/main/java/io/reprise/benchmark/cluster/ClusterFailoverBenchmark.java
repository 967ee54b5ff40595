package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.client.ClientSettings;
import java.time.Duration;
import java.util.List;

/** Nodes that lead are killed one after the other while callers make numbered calls. */
final class ClusterFailoverBenchmark implements Benchmark {
    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int CALLERS = 24;
    private static final int WATCHED_MS = 5_000;
    private static final int PAUSE_MS = 500;

    @Override
    public String name() {
        return "cluster-failover";
    }

    @Override
    public String description() {
        return "kill -9 of leaders under numbered calls; three nodes, k=1, forced log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("stall_p50_ms", "the longest call around a kill, median of the kills")
                        .atMost(200),
                Key.of("stall_p99_ms", "the same, 99th percentile of the kills").atMost(500),
                Key.of("errors", "calls that failed").atMost(0),
                Key.of("calls_per_s", "calls per second over the whole run"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("kills", 1), Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int kills = context.option("kills", context.quickOr(3, 50));
        int warmUp = context.option("warmup", context.quickOr(2, 10));
        double[] stalls = new double[kills];
        try (ClusterProcesses cluster = ClusterProcesses.start(
                        context.scratch().resolve("failover"),
                        new ClusterProcesses.Shape(NODES, 1, PARTITIONS),
                        Counting.DDL);
                Counting counting = new Counting(
                        ClientSettings.to(cluster.addresses()).withCallTimeout(Duration.ofSeconds(60)), CALLERS)) {
            cluster.awaitWhole();
            counting.start();
            Thread.sleep(warmUp * 1000L);
            long beganNs = System.nanoTime();
            long before = counting.answered();
            for (int i = 0; i < kills; i++) {
                stalls[i] = stall(cluster, counting, i % PARTITIONS);
                context.progress("kill %d: the longest call took %.0f ms", i + 1, stalls[i]);
            }
            double perSecond = (double) (counting.answered() - before) / ((double) (System.nanoTime() - beganNs) / 1e9);
            long errors = counting.stop();
            counting.check();
            return new Result()
                    .put("stall_p50_ms", new Samples(stalls).median())
                    .put("stall_p99_ms", new Samples(stalls).percentile(99))
                    .put("errors", (double) errors)
                    .put("calls_per_s", perSecond);
        }
    }

    /** Kills the leader of a partition, and starts it again. Returns the milliseconds of the longest call. */
    private static double stall(ClusterProcesses cluster, Counting counting, int partition) throws Exception {
        int leader = cluster.lines().get(partition).leader();
        counting.watch();
        long killedNs = cluster.kill(leader);
        while (!isLedByOther(cluster, leader) && System.nanoTime() - killedNs < WATCHED_MS * 1_000_000L) {
            Thread.sleep(1);
        }
        // Calls that waited for the new leader end.
        Thread.sleep(PAUSE_MS);
        double stall = counting.longestMs();
        cluster.restart(leader);
        cluster.awaitWhole();
        Thread.sleep(PAUSE_MS);
        return stall;
    }

    private static boolean isLedByOther(ClusterProcesses cluster, int killed) throws InterruptedException {
        List<ClusterProcesses.Line> lines = cluster.lines();
        return !lines.isEmpty() && lines.stream().allMatch(line -> line.leader() >= 0 && line.leader() != killed);
    }
}
