package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import java.util.ArrayList;
import java.util.List;

/** The one-shot transactions over two nodes a second, by the number of calls under way. */
final class ClusterMultiBenchmark implements Benchmark {
    private static final int[] CALLERS = {1, 16, 256};
    private static final double[] WRITES = {3_300, 20_000, 55_000};
    private static final double[] READS = {6_000, 30_000, 80_000};
    private static final ClusterProcesses.Shape SHAPE = new ClusterProcesses.Shape(2, 0, 2);

    @Override
    public String name() {
        return "cluster-multi";
    }

    @Override
    public String description() {
        return "one statement over both partitions of two nodes, k=0, forced log; 1, 16 and 256 calls under way";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < CALLERS.length; i++) {
            String under = CALLERS[i] + (CALLERS[i] == 1 ? " call under way" : " calls under way");
            keys.add(
                    Key.of("write_" + CALLERS[i], "writes per second, " + under).atLeast(WRITES[i]));
            keys.add(Key.of("read_" + CALLERS[i], "reads per second, " + under).atLeast(READS[i]));
            keys.add(Key.of("write_cpu_us_" + CALLERS[i], "processor time of all processes for a write, " + under));
            keys.add(Key.of("read_cpu_us_" + CALLERS[i], "processor time of all processes for a read, " + under));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS, Option.WARM_UP);
    }

    @Override
    public Result run(Context context) throws Exception {
        int warmUp = context.option("warmup", context.quickOr(5, 15));
        Result result = new Result();
        for (boolean writes : new boolean[] {true, false}) {
            String kind = writes ? "write" : "read";
            try (ClusterRun run = ClusterRun.start(context, SHAPE, new Tally(writes))) {
                warmUp(run, warmUp);
                for (int callers : CALLERS) {
                    ClusterRun.Rates rates = measure(context, run, kind, callers);
                    result.put(kind + "_" + callers, rates.perSecond());
                    result.put(kind + "_cpu_us_" + callers, rates.cpuMicros());
                }
            }
        }
        return result;
    }

    private static void warmUp(ClusterRun run, int seconds) throws InterruptedException {
        try (Session session = run.limitedTo(CALLERS[CALLERS.length - 1])) {
            Drive drive = session.drive(0);
            Thread.sleep(seconds * 1000L);
            drive.stop();
            drive.failures().check();
        }
    }

    private static ClusterRun.Rates measure(Context context, ClusterRun run, String kind, int callers)
            throws InterruptedException {
        int seconds = context.option("seconds", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(2, 5));
        try (Session session = run.limitedTo(callers)) {
            session.begin();
            Drive drive = session.drive(0);
            Thread.sleep(1000);
            ClusterRun.Rates rates = run.measure(context, kind + " " + callers, drive, rounds, seconds);
            if (!session.check().isEmpty()) {
                throw new IllegalStateException("the database is not what the replies say: " + session.check());
            }
            return rates;
        }
    }
}
