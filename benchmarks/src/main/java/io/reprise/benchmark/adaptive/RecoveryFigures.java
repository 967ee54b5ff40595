package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.recovery.rebuild.RebuildReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Recovery of one site, by the share of distributed transactions and of those among them that are logged as data: table 3, figures 8 to 12, and
 * 15.
 */
final class RecoveryFigures implements FigureGroups.Group {
    private static final LinePlot.Axis DISTRIBUTED =
            new LinePlot.Axis("distributed transactions, percent", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis AS_DATA =
            new LinePlot.Axis("distributed transactions logged as data, percent", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis INTERVAL = new LinePlot.Axis("minutes between failures", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis SECONDS = new LinePlot.Axis("seconds", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis RATE = new LinePlot.Axis("transactions per second", LinePlot.Scale.LINEAR);
    private static final double[] FULL_SHARES = {0, 5, 10, 15, 20, 25};
    private static final double[] QUICK_SHARES = {5, 25};
    private static final int[] FULL_AS_DATA = {0, 20, 40, 60, 80, 100};
    private static final int[] QUICK_AS_DATA = {0, 100};

    /** Figure 12 is computed for a checkpoint every ten minutes, as the paper has it. */
    private static final double CHECKPOINT_SECONDS = 600;

    private static final int[] INTERVAL_MINUTES = {5, 10, 15, 20, 25, 30};

    /** The results of one point. */
    private record Point(
            long transactions,
            double perSecond,
            double seconds,
            double cpuSeconds,
            long again,
            double afterTimeSeconds,
            double allSeconds,
            double allCpuSeconds,
            double allAfterTimeSeconds) {}

    @Override
    public List<Integer> figures() {
        return List.of(3, 8, 9, 10, 11, 12, 15);
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (LostSite.Source source : LostSite.Source.values()) {
            keys.add(Key.of(
                    source.key() + "_again_commands", "share that runs again at 25% distributed, all as commands"));
            keys.add(
                    Key.of(source.key() + "_again_data", "the same with data records of all distributed transactions"));
        }
        return keys;
    }

    @Override
    public void run(Context context, Result result) {
        for (LostSite.Source source : LostSite.Source.values()) {
            double[] shares = context.quick() ? QUICK_SHARES : FULL_SHARES;
            int[] asData = context.quick() ? QUICK_AS_DATA : FULL_AS_DATA;
            Map<Integer, List<Point>> points = new TreeMap<>();
            for (int percent : asData) {
                points.put(percent, measure(context, source, percent, shares));
            }
            draw(result, source, shares, points);
        }
    }

    private static List<Point> measure(Context context, LostSite.Source source, int percent, double... shares) {
        List<Point> points = new ArrayList<>();
        int each = AdaptiveFigures.transactions(context);
        try (LostSite site = new LostSite(
                source,
                AdaptiveFigures.SITES,
                source.size(context),
                LostSite.mixed(percent / 100.0),
                context.scratch().resolve("recovery-" + source.key() + "-" + percent))) {
            // Not counted: the first rebuild compiles its code.
            site.work(each / 10 + 1, LostSite.DISTRIBUTED);
            site.rebuild();
            for (double share : shares) {
                site.workFor(2 * AdaptiveFigures.pointSeconds(context), share);
                double afterTime = LostSite.seconds(site.rebuild());
                // The log without data records is also replayed as a whole: the paper's command logging.
                double allAfterTime = percent == 0 ? LostSite.seconds(site.recoverAll()) : 0;
                site.work(each, share);
                RebuildReport report = site.rebuild();
                double cpuSeconds = site.cpuSeconds();
                double all = percent == 0 ? LostSite.seconds(site.recoverAll()) : 0;
                Point point = new Point(
                        site.transactions(),
                        site.perSecond(),
                        LostSite.seconds(report),
                        cpuSeconds,
                        LostSite.again(report),
                        afterTime,
                        all,
                        site.cpuSeconds(),
                        allAfterTime);
                context.progress("%s, %.0f%% distributed, %d%% of them data: %s", source, share, percent, point);
                points.add(point);
            }
        }
        return points;
    }

    /** The name of the line for data records of so many percent of the distributed transactions. */
    static String line(int percent) {
        return percent == 0 ? "dis-command" : "adapt-" + percent;
    }

    private static void draw(Result result, LostSite.Source source, double[] shares, Map<Integer, List<Point>> points) {
        int figure = source == LostSite.Source.TPCC ? 8 : 9;
        LinePlot afterTime =
                new LinePlot("Figure " + figure + "a: recovery of " + source + " after a time", DISTRIBUTED, SECONDS);
        LinePlot afterCount = new LinePlot(
                "Figure " + figure + "b: recovery of " + source + " after as many transactions", DISTRIBUTED, SECONDS);
        LinePlot byData = new LinePlot("Figure 11: recovery of " + source + " by data records", AS_DATA, SECONDS);
        CsvData data = new CsvData(
                "form",
                "distributed_percent",
                "transactions",
                "run_again",
                "recovery_s",
                "recovery_cpu_s",
                "recovery_after_time_s");
        CsvData table = new CsvData("distributed_percent", "form", "transactions", "run_again");
        List<Point> commands = points.get(0);
        for (int i = 0; i < shares.length; i++) {
            Point point = commands.get(i);
            afterTime.add("command", shares[i], point.allAfterTimeSeconds());
            afterCount.add("command", shares[i], point.allSeconds());
            data.add(
                    "command",
                    shares[i],
                    point.transactions(),
                    point.transactions(),
                    point.allSeconds(),
                    point.allCpuSeconds(),
                    point.allAfterTimeSeconds());
            table.add(shares[i], "command", point.transactions(), point.transactions());
        }
        points.forEach((percent, of) -> {
            for (int i = 0; i < shares.length; i++) {
                Point point = of.get(i);
                afterTime.add(line(percent), shares[i], point.afterTimeSeconds());
                afterCount.add(line(percent), shares[i], point.seconds());
                byData.add((int) shares[i] + "% distributed", percent, point.seconds());
                data.add(
                        line(percent),
                        shares[i],
                        point.transactions(),
                        point.again(),
                        point.seconds(),
                        point.cpuSeconds(),
                        point.afterTimeSeconds());
                table.add(shares[i], line(percent), point.transactions(), point.again());
            }
        });
        String name = source.key();
        result.put(name + "_again_commands", share(points.get(0)))
                .put(name + "_again_data", share(points.get(100)))
                .file(AdaptiveFigures.FOLDER, "figure-" + figure + "a-" + name + ".svg", afterTime.render())
                .file(AdaptiveFigures.FOLDER, "figure-" + figure + "b-" + name + ".svg", afterCount.render())
                .file(AdaptiveFigures.FOLDER, "figure-11-" + name + ".svg", byData.render())
                .file(AdaptiveFigures.FOLDER, "table-3-" + name + ".csv", table.text())
                .file(AdaptiveFigures.FOLDER, "recovery-" + name + ".csv", data.text());
        synchronization(result, source, shares, commands);
        withFailures(result, source, shares, points);
    }

    private static double share(List<Point> points) {
        return (double) points.getLast().again() / points.getLast().transactions();
    }

    /** Figure 10: the replay of all commands, against the one of a log without distributed transactions. */
    private static void synchronization(Result result, LostSite.Source source, double[] shares, List<Point> commands) {
        LinePlot plot = new LinePlot("Figure 10: replay of all commands of " + source, DISTRIBUTED, SECONDS);
        double perTransaction =
                commands.getFirst().allSeconds() / commands.getFirst().transactions();
        for (int i = 0; i < shares.length; i++) {
            Point point = commands.get(i);
            plot.add("all", shares[i], point.allSeconds());
            plot.add(
                    "over the one with the fewest distributed",
                    shares[i],
                    Math.max(0, point.allSeconds() - perTransaction * point.transactions()));
        }
        result.file(AdaptiveFigures.FOLDER, "figure-10-" + source.key() + ".svg", plot.render());
    }

    /**
     * Figure 12, computed: a failure comes every so many minutes, and a recovery has half of the transactions between two checkpoints behind it. All
     * sites stop for a replay of commands, one of eight for a recovery by closure.
     */
    private static void withFailures(
            Result result, LostSite.Source source, double[] shares, Map<Integer, List<Point>> points) {
        CsvData data = new CsvData("form", "distributed_percent", "minutes", "tps");
        for (int i = 0; i < shares.length; i++) {
            double share = shares[i];
            LinePlot plot = new LinePlot(
                    "Figure 12: computed throughput of " + source + " with failures, " + (int) share + "% distributed",
                    INTERVAL,
                    RATE);
            for (int minutes : INTERVAL_MINUTES) {
                for (Map.Entry<Integer, List<Point>> of : points.entrySet()) {
                    Point point = of.getValue().get(i);
                    double tps = withFailures(point, point.seconds(), 1.0 / AdaptiveFigures.SITES, minutes);
                    plot.add(line(of.getKey()), minutes, tps);
                    data.add(line(of.getKey()), share, minutes, tps);
                }
                Point commands = points.get(0).get(i);
                double tps = withFailures(commands, commands.allSeconds(), 1, minutes);
                plot.add("command", minutes, tps);
                data.add("command", share, minutes, tps);
            }
            result.file(
                    AdaptiveFigures.FOLDER, "figure-12-" + source.key() + "-" + (int) share + ".svg", plot.render());
        }
        result.file(AdaptiveFigures.FOLDER, "figure-12-" + source.key() + ".csv", data.text());
    }

    private static double withFailures(Point point, double seconds, double stopped, int minutes) {
        double behind = point.perSecond() * CHECKPOINT_SECONDS / 2;
        double recovery = seconds * behind / point.transactions();
        return point.perSecond() * Math.max(0, 1 - stopped * recovery / (minutes * 60.0 + recovery));
    }
}
