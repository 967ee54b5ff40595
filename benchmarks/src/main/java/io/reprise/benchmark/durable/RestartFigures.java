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
import java.util.Locale;
import java.util.Map;

/**
 * Figures 10, 12, 15 to 18: throughput after a restart, and the reads that are missed by the length of the log, uniform and skewed, with all rows
 * loaded first and on demand.
 */
final class RestartFigures implements FigureGroups.Group {
    private static final int BUCKETS = 1024;
    private static final int UNIT = 10_000;
    private static final int[] FULL_UNITS = {1, 8, 64};
    private static final int[] QUICK_UNITS = {1};
    private static final List<Distribution> DISTRIBUTIONS = List.of(Distribution.UNIFORM, Distribution.ZIPFIAN);

    @Override
    public List<Integer> figures() {
        return List.of(10, 12, 15, 16, 17, 18);
    }

    private static String key(Distribution distribution) {
        return distribution.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                        "curve_missed_uniform",
                        "missed uniform reads with most log, on demand, as a ratio to all rows first"),
                Key.of("curve_missed_zipfian", "the same for skewed reads"));
    }

    @Override
    public void run(Context context, Result result) throws Exception {
        Path folder = context.scratch().resolve("restart-figures");
        DemandLives lives = new DemandLives(folder, InstantFigures.records(context), BUCKETS, context.quickOr(1, 3));
        CsvData missed =
                new CsvData("distribution", "start", "log_records", "missed_s", "all_s", "first_second_p99_ms");
        LinePlot missedPlot = new LinePlot(
                "Figures 15 and 18: work missed by a restart",
                new LinePlot.Axis("log records behind the snapshot", LinePlot.Scale.LOGARITHMIC),
                InstantFigures.linear("seconds of work"));
        int[] units = context.quick() ? QUICK_UNITS : FULL_UNITS;
        int before = 0;
        for (int unit : units) {
            lives.update((long) (unit - before) * UNIT);
            before = unit;
            for (Distribution distribution : DISTRIBUTIONS) {
                double[] seconds = new double[2];
                LinePlot curve = new LinePlot(
                        "Figures 10, 12 and 16: reads after a restart, " + key(distribution) + ", " + unit * UNIT
                                + " log records",
                        InstantFigures.SECONDS,
                        InstantFigures.linear("reads a second"));
                CsvData points = new CsvData("start", "second", "reads_per_second");
                for (boolean onDemand : new boolean[] {false, true}) {
                    String start = onDemand ? "on demand" : "all rows first";
                    DemandLives.Recovery recovery = lives.recover(distribution, onDemand);
                    seconds[onDemand ? 1 : 0] = recovery.missedSeconds();
                    missed.add(
                            key(distribution),
                            start,
                            unit * UNIT,
                            recovery.missedSeconds(),
                            recovery.allSeconds(),
                            recovery.p99Ms());
                    missedPlot.add(start + ", " + key(distribution), (double) unit * UNIT, recovery.missedSeconds());
                    draw(recovery.seen(), start, curve, points);
                }
                context.progress(
                        "%s, %d log records: %.2f s of work missed, on demand %.2f s",
                        key(distribution), unit * UNIT, seconds[0], seconds[1]);
                if (unit == units[units.length - 1]) {
                    result.put("curve_missed_" + key(distribution), seconds[1] / seconds[0]);
                }
                String name = "figure-12-" + key(distribution) + "-" + unit;
                result.file(InstantFigures.FOLDER, name + ".svg", curve.render())
                        .file(InstantFigures.FOLDER, name + ".csv", points.text());
            }
        }
        result.file(InstantFigures.FOLDER, "figure-15-18-missed.svg", missedPlot.render())
                .file(InstantFigures.FOLDER, "figure-15-18-missed.csv", missed.text());
        Folders.remove(folder);
    }

    private static void draw(Map<String, Double> seen, String start, LinePlot curve, CsvData points) {
        for (int step = 0; seen.containsKey("c" + step); step++) {
            double second = (step + 1) * DemandTask.STEP_SECONDS;
            double rate = seen.get("c" + step) / DemandTask.STEP_SECONDS;
            curve.add(start, second, rate);
            points.add(start, second, rate);
        }
    }
}
