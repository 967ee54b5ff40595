package io.reprise.benchmark.durable;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Figures 32 and 53 to 56: a snapshot by copying rows against one by merging the last snapshot with the log behind it, under TPC-C with logged rows, by
 * the length of that log.
 */
final class CopyFigures implements FigureGroups.Group {
    private static final List<String> METHODS = List.of("copy", "merge");
    private static final int[] FULL_SECONDS = {2, 5, 10};
    private static final int[] QUICK_SECONDS = {1};

    @Override
    public List<Integer> figures() {
        return List.of(32, 53, 54, 55, 56);
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                        "merge_over_copy",
                        "time of a merged snapshot with most log, as a ratio to that of a copied one"),
                Key.of("merge_tps", "throughput during a merge, as a ratio to that during a copy"));
    }

    @Override
    public void run(Context context, Result result) throws Exception {
        int[] lengths = context.quick() ? QUICK_SECONDS : FULL_SECONDS;
        LinePlot time = new LinePlot(
                "Figure 32: a snapshot by copying and by merging",
                InstantFigures.linear("seconds of log behind the last snapshot"),
                InstantFigures.linear("seconds"));
        LinePlot rate = new LinePlot(
                "Figure 55: throughput during a snapshot",
                InstantFigures.linear("seconds of log behind the last snapshot"),
                InstantFigures.linear("as a ratio to that before it"));
        CsvData data = new CsvData("method", "log_s", "snapshot_s", "tps_ratio");
        double[] seconds = new double[METHODS.size()];
        double[] ratios = new double[METHODS.size()];
        for (int method = 0; method < METHODS.size(); method++) {
            String name = METHODS.get(method);
            Path folder = context.scratch().resolve("copy-figures-" + name);
            try (Fork fork = Fork.start(SnapshotTask.class, folder.toString(), "2", name)) {
                fork.ask("start", "0", Integer.toString(context.quickOr(2, 6)));
                fork.ask("busy");
                for (int length : lengths) {
                    Map<String, Double> quiet = fork.ask("quiet", Integer.toString(length));
                    Map<String, Double> busy = fork.ask("busy");
                    seconds[method] = busy.get("seconds");
                    ratios[method] = busy.get("rate") / quiet.get("rate");
                    time.add(name, length, seconds[method]);
                    rate.add(name, length, ratios[method]);
                    data.add(name, length, seconds[method], ratios[method]);
                    context.progress("%s behind %d s of log: %.2f s", name, length, seconds[method]);
                }
            }
            Folders.remove(folder);
        }
        result.put("merge_over_copy", seconds[1] / seconds[0])
                .put("merge_tps", ratios[1] / ratios[0])
                .file(InstantFigures.FOLDER, "figure-32-snapshots.svg", time.render())
                .file(InstantFigures.FOLDER, "figure-55-throughput.svg", rate.render())
                .file(InstantFigures.FOLDER, "figure-32-55-snapshots.csv", data.text());
    }
}
