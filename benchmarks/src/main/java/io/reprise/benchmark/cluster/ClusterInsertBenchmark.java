package io.reprise.benchmark.cluster;

import io.reprise.benchmark.BareForce;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.drive.Drive;
import java.io.IOException;
import java.util.List;

/** One caller that waits for each insert, which two nodes have forced before the reply. */
final class ClusterInsertBenchmark implements Benchmark {
    private static final int FORCES = 400;
    private static final double NS_PER_US = 1e3;
    private static final double US_PER_MS = 1e3;

    @Override
    public String name() {
        return "cluster-insert";
    }

    @Override
    public String description() {
        return "one caller that waits for each insert; two nodes, k=1, forced log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("p50_over_fsync_us", "the median insert less the median force")
                        .atMost(120),
                Key.of("p50_us", "the median insert"),
                Key.of("fsync_p50_us", "the median write and force of a block, when nothing else runs"),
                Key.of("tps_1c", "inserts per second"),
                Key.of("cpu_us", "processor time of all processes for an insert"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(3, 5));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        int warmUp = context.option("warmup", context.quickOr(5, 20));
        try (ClusterRun run = ClusterRun.start(context, new ClusterProcesses.Shape(2, 1, 2), new Entries())) {
            double fsync = medianForceNs(context) / NS_PER_US;
            Drive drive = run.callers(1);
            Thread.sleep(warmUp * 1000L);
            ClusterRun.Rates rates = run.measure(context, "1 caller", drive, rounds, seconds);
            run.check();
            Samples p50 = rates.p50Ms().times(US_PER_MS);
            return new Result()
                    .put("p50_over_fsync_us", p50.median() - fsync)
                    .put("p50_us", p50)
                    .put("fsync_p50_us", fsync)
                    .put("tps_1c", rates.perSecond())
                    .put("cpu_us", rates.cpuMicros());
        }
    }

    /** The median of forces on an idle machine. */
    private static double medianForceNs(Context context) throws IOException {
        double[] times = new double[FORCES];
        try (BareForce bare = new BareForce(context.scratch().resolve("bare"))) {
            for (int i = 0; i < FORCES; i++) {
                long begin = System.nanoTime();
                bare.force();
                times[i] = System.nanoTime() - begin;
            }
        }
        return new Samples(times).median();
    }
}
