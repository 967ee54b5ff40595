package io.reprise.benchmark.durable;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.workload.ycsb.YcsbOptions.Distribution;
import java.util.List;
import java.util.Map;

/**
 * Restarts of a YCSB database under load, with all rows loaded first and on demand. Reads are uniform or skewed, and are made as fast as they are
 * answered. A touch is the first read of a bucket of 7 MB, which waits for its loading. Each restart is in a new process.
 */
final class DemandUnderLoad {
    private static final int RECORDS = 400_000;
    private static final int BUCKETS = 64;
    private static final long UPDATES = 100_000;

    /** The rows before the restart. */
    static final Option ROWS = Option.number("records", 2);

    private DemandUnderLoad() {}

    static List<Key> keys() {
        return List.of(
                Key.of(
                        "touch_p50_ms",
                        "median milliseconds of the first read of a bucket of 7 MB, while others are loaded"),
                Key.of("touch_p99_ms", "their 99th percentile").atMost(400),
                Key.of(
                                "missed_uniform",
                                "uniform reads that were missed until all rows were there, as a ratio to those missed by loading all rows"
                                        + " first")
                        .atMost(0.35),
                Key.of("missed_skewed", "the same for skewed reads").atMost(0.15),
                Key.of(
                                "full_ratio",
                                "time until all rows are there under uniform reads, as a ratio to loading them first")
                        .atMost(1.5));
    }

    static void measure(Context context, int rounds, Result result) {
        int records = context.option("records", context.quickOr(50_000, RECORDS));
        DemandLives lives =
                new DemandLives(context.scratch().resolve("under-load"), records, BUCKETS, context.quickOr(1, 3));
        lives.update(context.quickOr(10_000, (int) UPDATES));
        double[][] figures = new double[5][rounds];
        for (int round = 0; round < rounds; round++) {
            Map<String, Double> touched = lives.touch(round);
            figures[0][round] = touched.get("p50_ms");
            figures[1][round] = touched.get("p99_ms");
            Ratios uniform = ratios(lives, Distribution.UNIFORM);
            Ratios skewed = ratios(lives, Distribution.ZIPFIAN);
            figures[2][round] = uniform.missed;
            figures[3][round] = skewed.missed;
            figures[4][round] = uniform.full;
            context.progress(
                    "%.0f buckets touched, the slowest in %.0f ms; missed %.2f uniform, %.2f skewed; all rows %.2f times as late",
                    touched.get("touched"), figures[1][round], uniform.missed, skewed.missed, uniform.full);
        }
        List<Key> keys = keys();
        for (int i = 0; i < figures.length; i++) {
            result.put(keys.get(i).name(), new Samples(figures[i]));
        }
    }

    /** Of a restart on demand to one that loads all rows first. */
    private record Ratios(double missed, double full) {}

    private static Ratios ratios(DemandLives lives, Distribution distribution) {
        DemandLives.Recovery whole = lives.recover(distribution, false);
        DemandLives.Recovery demand = lives.recover(distribution, true);
        return new Ratios(demand.missedSeconds() / whole.missedSeconds(), demand.allSeconds() / whole.allSeconds());
    }
}
