package io.reprise.benchmark.durable;

import io.reprise.benchmark.BareForce;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The additional wait of one caller for a logged write, against a bare write and force of a block. */
final class LogLatencyBenchmark implements Benchmark {
    private static final double NS_PER_US = 1e3;

    @Override
    public String name() {
        return "log-latency";
    }

    @Override
    public String description() {
        return "One caller, synchronous command logging, against a bare write and force of a block";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("p50_over_fsync_us", "median of the calls less the median of the forces, in microseconds")
                        .atMost(100),
                Key.of("call_p50_us", "the median call"),
                Key.of("fsync_p50_us", "the median write and force"),
                Key.of("call_p99_us", "of 100 calls, 99 are faster"),
                Key.of("fsync_p99_us", "of 100 forces, 99 are faster"));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.quickOr(5, 31);
        int calls = context.quickOr(200, 400);
        double[][] p99 = new double[2][rounds];
        int[] round = new int[2];
        try (Reprise engine = Options.create()
                        .name("bench")
                        .directory(context.scratch().resolve("engine"))
                        .durability(Logging.COMMAND.durability())
                        .ddl("CREATE TABLE t (k BIGINT NOT NULL, v BIGINT NOT NULL, PRIMARY KEY (k));"
                                + " PARTITION TABLE t ON COLUMN k")
                        .open();
                BareForce bare = new BareForce(context.scratch().resolve("bare"))) {
            engine.sql("INSERT INTO t VALUES (1, 0)");
            Interleaved.Comparison comparison = new Interleaved()
                    .add("call", () -> {
                        double[] times = times(calls, () -> engine.sql("UPDATE t SET v = v + 1 WHERE k = 1"));
                        p99[0][round[0]++ % rounds] = at(times, 0.99);
                        return at(times, 0.5);
                    })
                    .add("fsync", () -> {
                        double[] times = times(calls, bare::force);
                        p99[1][round[1]++ % rounds] = at(times, 0.99);
                        return at(times, 0.5);
                    })
                    .run(rounds, rounds);
            Samples call = comparison.of("call");
            Samples fsync = comparison.of("fsync");
            double[] over = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                over[i] = call.values()[i] - fsync.values()[i];
            }
            return new Result()
                    .put("p50_over_fsync_us", new Samples(over))
                    .put("call_p50_us", call)
                    .put("fsync_p50_us", fsync)
                    .put("call_p99_us", new Samples(p99[0]))
                    .put("fsync_p99_us", new Samples(p99[1]));
        }
    }

    /** An action that is timed. */
    private interface Action {
        void run() throws IOException;
    }

    /** The times of all rounds in microseconds, in ascending order. */
    private static double[] times(int count, Action action) throws IOException {
        double[] times = new double[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            action.run();
            times[i] = (System.nanoTime() - begin) / NS_PER_US;
        }
        Arrays.sort(times);
        return times;
    }

    private static double at(double[] sorted, double fraction) {
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * fraction))];
    }
}
