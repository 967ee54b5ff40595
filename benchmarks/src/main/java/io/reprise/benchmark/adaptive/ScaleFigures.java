package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.recovery.rebuild.RebuildReport;
import java.util.List;

/** Figure 13: recovery of one site of two to sixteen, with a tenth of the transactions distributed. */
final class ScaleFigures implements FigureGroups.Group {
    private static final double DISTRIBUTED = 10;
    private static final int[] FULL_SITES = {2, 4, 8, 16};
    private static final int[] QUICK_SITES = {2, 4};

    @Override
    public List<Integer> figures() {
        return List.of(13);
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("growth_commands", "recovery time of one site of most sites, as a ratio to that of one of two"),
                Key.of("growth_data", "the same with data records of all distributed transactions"),
                Key.of("growth_all", "the same for a replay of all commands"));
    }

    @Override
    public void run(Context context, Result result) {
        LinePlot plot = new LinePlot(
                "Figure 13: recovery of one TPC-C site, 10% distributed",
                new LinePlot.Axis("sites", LinePlot.Scale.LINEAR), new LinePlot.Axis("seconds", LinePlot.Scale.LINEAR));
        CsvData data = new CsvData("form", "sites", "transactions", "run_again", "recovery_s");
        int[] sites = context.quick() ? QUICK_SITES : FULL_SITES;
        double[][] seconds = new double[3][sites.length];
        for (int i = 0; i < sites.length; i++) {
            for (int asData : new int[] {0, 100}) {
                try (LostSite site = new LostSite(
                        LostSite.Source.TPCC,
                        sites[i],
                        1,
                        LostSite.mixed(asData / 100.0),
                        context.scratch().resolve("scale-" + sites[i] + "-" + asData))) {
                    int each = AdaptiveFigures.transactions(context);
                    // Not counted: the first rebuild compiles its code.
                    site.work(each / 10 + 1, DISTRIBUTED);
                    site.rebuild();
                    site.work(each, DISTRIBUTED);
                    RebuildReport report = site.rebuild();
                    String line = RecoveryFigures.line(asData);
                    double took = LostSite.seconds(report);
                    seconds[asData == 0 ? 0 : 1][i] = took;
                    plot.add(line, sites[i], took);
                    data.add(line, sites[i], site.transactions(), LostSite.again(report), took);
                    if (asData == 0) {
                        double all = LostSite.seconds(site.recoverAll());
                        seconds[2][i] = all;
                        plot.add("command", sites[i], all);
                        data.add("command", sites[i], site.transactions(), site.transactions(), all);
                    }
                    context.progress("%d sites, %s: %.2f s", sites[i], line, took);
                }
            }
        }
        result.put("growth_commands", growth(seconds[0]))
                .put("growth_data", growth(seconds[1]))
                .put("growth_all", growth(seconds[2]))
                .file(AdaptiveFigures.FOLDER, "figure-13.svg", plot.render())
                .file(AdaptiveFigures.FOLDER, "figure-13.csv", data.text());
    }

    private static double growth(double... seconds) {
        return seconds[seconds.length - 1] / seconds[0];
    }
}
