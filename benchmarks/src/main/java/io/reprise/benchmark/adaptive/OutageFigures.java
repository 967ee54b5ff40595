package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.recovery.rebuild.RebuildReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Figures 23 and 24: throughput by time while one site is rebuilt beside the others, and across a crash of all. */
final class OutageFigures implements FigureGroups.Group {
    private static final double DISTRIBUTED = 5;
    private static final double STEP_SECONDS = 0.1;
    private static final double NS = 1e9;
    private static final int LOST = 0;
    private static final LinePlot.Axis TIME = new LinePlot.Axis("seconds", LinePlot.Scale.LINEAR);
    private static final LinePlot.Axis RATE = new LinePlot.Axis("transactions per second", LinePlot.Scale.LINEAR);

    @Override
    public List<Integer> figures() {
        return List.of(23, 24);
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("site_outage_s", "seconds until a lost site served whole, while the others served"),
                Key.of("site_outage_tps", "throughput meanwhile, as a ratio to before"),
                Key.of("cluster_outage_s", "seconds until all sites served after a crash of all"));
    }

    /** Samples of a throughput by time. */
    private static final class Curve {
        private final LinePlot plot;
        private final CsvData data = new CsvData("seconds", "tps");
        private final long beganNs = System.nanoTime();

        Curve(String title) {
            plot = new LinePlot(title, TIME, RATE);
        }

        void add(double tps) {
            double seconds = (System.nanoTime() - beganNs) / NS;
            plot.add("all sites", seconds, tps);
            data.add(seconds, tps);
        }

        /** Watches before or after an outage. */
        void watch(EngineRun run, Context context) {
            int steps = (int) (AdaptiveFigures.pointSeconds(context) / STEP_SECONDS) + 1;
            for (int i = 0; i < steps; i++) {
                watch(run);
            }
        }

        /** Watches for a moment. */
        void watch(EngineRun run) {
            long before = run.completed();
            long nowNs = System.nanoTime();
            EngineRun.sleep(STEP_SECONDS);
            add((run.completed() - before) * NS / (System.nanoTime() - nowNs));
        }

        void write(Result result, int figure) {
            result.file(AdaptiveFigures.FOLDER, "figure-" + figure + ".svg", plot.render())
                    .file(AdaptiveFigures.FOLDER, "figure-" + figure + ".csv", data.text());
        }
    }

    @Override
    public void run(Context context, Result result) {
        try (LostSite site = new LostSite(
                LostSite.Source.TPCC,
                AdaptiveFigures.SITES,
                1,
                LostSite.mixed(1),
                context.scratch().resolve("outage"))) {
            int each = AdaptiveFigures.transactions(context);
            site.work(each, DISTRIBUTED);
            oneSite(context, result, site);
            site.work(each, DISTRIBUTED);
            allSites(context, result, site);
        }
    }

    private static void oneSite(Context context, Result result, LostSite site) {
        Curve curve = new Curve("Figure 23: one of eight TPC-C sites is lost");
        EngineRun run = site.run();
        // Calls of one site each: a client that waits for the lost site would stop.
        run.start(site.variant(0), 0);
        long completed = run.completed();
        long nowNs = System.nanoTime();
        curve.watch(run, context);
        double before = (run.completed() - completed) * NS / (System.nanoTime() - nowNs);
        CompletableFuture<RebuildReport> rebuild = run.engine().rebuildAsync(LOST);
        completed = run.completed();
        nowNs = System.nanoTime();
        while (!rebuild.isDone()) {
            curve.watch(run);
        }
        double during = (run.completed() - completed) * NS / (System.nanoTime() - nowNs);
        RebuildReport report = rebuild.join();
        curve.watch(run, context);
        run.stop();
        run.check();
        context.progress("one site was away for %.2f s", LostSite.seconds(report));
        curve.write(result, 23);
        result.put("site_outage_s", LostSite.seconds(report)).put("site_outage_tps", during / before);
    }

    private static void allSites(Context context, Result result, LostSite site) {
        Curve curve = new Curve("Figure 24: all eight TPC-C sites are lost");
        site.run().start(site.variant(DISTRIBUTED), 0);
        curve.watch(site.run(), context);
        site.run().stop();
        curve.add(0);
        double seconds = LostSite.seconds(site.recoverAll());
        curve.add(0);
        site.run().start(site.variant(DISTRIBUTED), 0);
        curve.watch(site.run(), context);
        site.run().stop();
        context.progress("all sites were away for %.2f s", seconds);
        curve.write(result, 24);
        result.put("cluster_outage_s", seconds);
    }
}
