package io.reprise.benchmark.durable;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.workload.ycsb.YcsbOptions.Distribution;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Figures 36 to 39: the size of what is loaded at once. The unit is a bucket here, so the same rows are divided into more or fewer buckets: the time until
 * all are there, and the latency of the first second.
 */
final class SegmentFigures implements FigureGroups.Group {
    private static final int[] FULL_BUCKETS = {64, 256, 1024, 4096};
    private static final int[] QUICK_BUCKETS = {64, 256};

    @Override
    public List<Integer> figures() {
        return List.of(36, 37, 38, 39);
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("segments_total", "time until all rows are there with most buckets, as a ratio to the shortest")
                        .atMost(1.1),
                Key.of("segments_first_p99", "latency of the first second with most buckets, as a ratio to the lowest")
                        .atMost(1.1));
    }

    @Override
    public void run(Context context, Result result) throws Exception {
        int[] buckets = context.quick() ? QUICK_BUCKETS : FULL_BUCKETS;
        LinePlot.Axis axis = new LinePlot.Axis("buckets", LinePlot.Scale.LOGARITHMIC);
        LinePlot total = new LinePlot("Figure 37: loading all rows under load", axis, InstantFigures.linear("seconds"));
        LinePlot latency = new LinePlot(
                "Figure 38: latency of the first second",
                axis,
                new LinePlot.Axis("99th percentile, milliseconds", LinePlot.Scale.LOGARITHMIC));
        CsvData data = new CsvData("buckets", "all_s", "first_second_p99_ms", "touch_p50_ms", "touch_p99_ms");
        double leastSeconds = Double.MAX_VALUE;
        double leastMs = Double.MAX_VALUE;
        double seconds = 0;
        double ms = 0;
        for (int count : buckets) {
            Path folder = context.scratch().resolve("segments-" + count);
            DemandLives lives = new DemandLives(folder, InstantFigures.records(context), count, 1);
            DemandLives.Recovery recovery = lives.recover(Distribution.ZIPFIAN, true);
            Map<String, Double> touched = lives.touch(1);
            seconds = recovery.allSeconds();
            ms = recovery.p99Ms();
            leastSeconds = Math.min(leastSeconds, seconds);
            leastMs = Math.min(leastMs, ms);
            total.add("on demand", count, seconds);
            latency.add("99th percentile", count, Math.max(1e-3, ms));
            latency.add("median of a touch", count, Math.max(1e-3, touched.get("p50_ms")));
            data.add(count, seconds, ms, touched.get("p50_ms"), touched.get("p99_ms"));
            context.progress("%d buckets: all rows after %.2f s, first second %.1f ms", count, seconds, ms);
            Folders.remove(folder);
        }
        result.put("segments_total", seconds / leastSeconds)
                .put("segments_first_p99", ms / leastMs)
                .file(InstantFigures.FOLDER, "figure-37-total.svg", total.render())
                .file(InstantFigures.FOLDER, "figure-38-latency.svg", latency.render())
                .file(InstantFigures.FOLDER, "figure-36-39-sizes.csv", data.text());
    }
}
