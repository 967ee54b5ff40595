package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Throughput, latency and processor time of the forms of records, by client rate and by the share of distributed transactions: figures 5 to 7,
 * 14 and 17.
 */
final class ThroughputFigures implements FigureGroups.Group {
    private static final LinePlot.Axis CLIENT_RATE =
            new LinePlot.Axis("client rate, transactions per second", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis DISTRIBUTED =
            new LinePlot.Axis("distributed transactions, percent", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis RATE = new LinePlot.Axis("transactions per second", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis LOG_RATE =
            new LinePlot.Axis("transactions per second", LinePlot.Scale.LOGARITHMIC);
    private static final LinePlot.Axis LATENCY =
            new LinePlot.Axis("median latency, milliseconds", LinePlot.Scale.LOGARITHMIC);
    private static final LinePlot.Axis TIME = new LinePlot.Axis("seconds", LinePlot.Scale.LINEAR);
    private static final double[] LOADS = {0.2, 0.5, 0.8, 1.0, 1.2};
    private static final double[] FULL_SHARES = {0, 5, 10, 25, 50};
    private static final double[] QUICK_SHARES = {0, 25};
    private static final double LEAST_MS = 1e-3;
    private static final double MS_NS = 1e6;
    private static final double US_NS = 1e3;

    /** The share of distributed transactions of the cost analysis. */
    private static final double COST_SHARE = 5;

    /** Points of figure 17, one behind the other. */
    private static final int WINDOWS = 8;

    @Override
    public List<Integer> figures() {
        return List.of(5, 6, 7, 14, 17);
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (LostSite.Source source : LostSite.Source.values()) {
            for (LostSite.Form form : LostSite.Form.values()) {
                keys.add(Key.of(source.key() + "_tps_" + form.key(), "the most transactions per second"));
            }
        }
        return keys;
    }

    @Override
    public void run(Context context, Result result) {
        for (LostSite.Source source : LostSite.Source.values()) {
            new Drawing(context, result, source).run();
        }
    }

    /** The figures of one workload. */
    private static final class Drawing {
        private final Context context;
        private final Result result;
        private final LostSite.Source source;
        private final double seconds;
        private final LinePlot byRate;
        private final LinePlot byShare;
        private final LinePlot latencyByRate;
        private final LinePlot latencyByShare;
        private final LinePlot byTime;
        private final CsvData data =
                new CsvData("form", "distributed_percent", "client_rate", "tps", "p50_ms", "p99_ms", "cpu_us");
        private double most;

        Drawing(Context context, Result result, LostSite.Source source) {
            this.context = context;
            this.result = result;
            this.source = source;
            seconds = AdaptiveFigures.pointSeconds(context);
            int figure = source == LostSite.Source.TPCC ? 5 : 6;
            byRate = new LinePlot(
                    "Figure " + figure + "a: " + source + " without distributed transactions", CLIENT_RATE, RATE);
            byShare = new LinePlot(
                    "Figure " + figure + "b: " + source + " with distributed transactions", DISTRIBUTED, LOG_RATE);
            latencyByRate =
                    new LinePlot("Figure 7a: " + source + " without distributed transactions", CLIENT_RATE, LATENCY);
            latencyByShare =
                    new LinePlot("Figure 7b: " + source + " with distributed transactions", DISTRIBUTED, LATENCY);
            byTime = new LinePlot("Figure 17: " + source + ", " + (int) COST_SHARE + "% distributed", TIME, RATE);
        }

        void run() {
            for (LostSite.Form form : LostSite.Form.values()) {
                try (LostSite site = LostSite.of(
                        source,
                        AdaptiveFigures.SITES,
                        source.size(context),
                        form,
                        context.scratch().resolve("throughput-" + source.key() + "-" + form.key()))) {
                    measure(site.run(), form, site);
                }
            }
            write();
        }

        private void measure(EngineRun run, LostSite.Form form, LostSite site) {
            double warm = run.measure(site.variant(0), 2 * seconds, seconds).perSecond();
            most = form == LostSite.Form.NONE ? warm : most;
            double best = 0;
            for (double load : LOADS) {
                double rate = load * most / AdaptiveFigures.SITES;
                best = Math.max(best, point(run, form, site, 0, rate));
            }
            for (double share : context.quick() ? QUICK_SHARES : FULL_SHARES) {
                point(run, form, site, share, 0);
            }
            run.start(site.variant(COST_SHARE), 0);
            for (int window = 0; window < WINDOWS; window++) {
                byTime.add(
                        line(form), (window + 1) * seconds, run.watch(seconds).perSecond());
            }
            run.stop();
            result.put(source.key() + "_tps_" + form.key(), best);
        }

        /** A point of a curve. A rate of 0 is as fast as calls are answered. */
        private double point(EngineRun run, LostSite.Form form, LostSite site, double share, double rate) {
            run.startTimed(site.variant(share), rate);
            EngineRun.sleep(seconds / 4);
            run.catchUp(seconds / 2);
            run.latencies();
            long cpuNs = LostSite.processCpuNs();
            long completed = run.completed();
            double tps = run.watch(seconds).perSecond();
            double cpuUs = (LostSite.processCpuNs() - cpuNs) / US_NS / (run.completed() - completed);
            Histogram latencies = run.latencies();
            run.stop();
            double p50Ms = Math.max(LEAST_MS, latencies.getValueAtPercentile(50) / MS_NS);
            if (rate > 0) {
                byRate.add(line(form), rate * AdaptiveFigures.SITES, tps);
                latencyByRate.add(line(form), rate * AdaptiveFigures.SITES, p50Ms);
            } else {
                byShare.add(line(form), share, tps);
                latencyByShare.add(line(form), share, p50Ms);
            }
            data.add(
                    line(form),
                    share,
                    rate * AdaptiveFigures.SITES,
                    tps,
                    p50Ms,
                    latencies.getValueAtPercentile(99) / MS_NS,
                    cpuUs);
            context.progress(
                    "%s %s, %.0f%% distributed, %.0f/s asked for: %.0f/s, %.2f ms, %.2f us of processor time",
                    source, line(form), share, rate * AdaptiveFigures.SITES, tps, p50Ms, cpuUs);
            return tps;
        }

        private static String line(LostSite.Form form) {
            return form == LostSite.Form.DISTRIBUTED_DATA
                    ? RecoveryFigures.line(100)
                    : form.key().replace('_', '-');
        }

        private void write() {
            String name = source.key();
            int figure = source == LostSite.Source.TPCC ? 5 : 6;
            result.file(AdaptiveFigures.FOLDER, "figure-" + figure + "a-" + name + ".svg", byRate.render())
                    .file(AdaptiveFigures.FOLDER, "figure-" + figure + "b-" + name + ".svg", byShare.render())
                    .file(AdaptiveFigures.FOLDER, "figure-7a-" + name + ".svg", latencyByRate.render())
                    .file(AdaptiveFigures.FOLDER, "figure-7b-" + name + ".svg", latencyByShare.render())
                    .file(AdaptiveFigures.FOLDER, "figure-17-" + name + ".svg", byTime.render())
                    .file(AdaptiveFigures.FOLDER, "throughput-" + name + ".csv", data.text());
        }
    }
}
