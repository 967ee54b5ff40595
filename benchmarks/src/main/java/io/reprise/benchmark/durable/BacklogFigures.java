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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Figures 43 and 45 to 52, and figures 3 and 4 of the cost paper: the backlog of a recovery over time under TPC-C at full speed, by the policy that
 * keeps it short. The backlog is the forecast time of a recovery.
 */
final class BacklogFigures implements FigureGroups.Group {
    private static final double OBJECTIVE_SECONDS = 3;

    @Override
    public List<Integer> figures() {
        return List.of(43, 45, 46, 47, 48, 49, 50, 51, 52);
    }

    private static String key(BacklogTask.Policy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (BacklogTask.Policy policy : BacklogTask.Policy.values()) {
            keys.add(Key.of(
                    "backlog_s_" + key(policy),
                    "longest forecast time of a recovery in the run, policy " + key(policy)));
            keys.add(Key.of("backlog_tps_" + key(policy), "transactions per second in the run"));
        }
        return keys;
    }

    @Override
    public void run(Context context, Result result) throws Exception {
        int seconds = context.quickOr(3, 20);
        LinePlot all = new LinePlot(
                "Figure 43: backlog over time",
                InstantFigures.SECONDS,
                InstantFigures.linear("forecast seconds of a recovery"));
        LinePlot first = new LinePlot(
                "Figure 48: backlog of the first answer over time",
                InstantFigures.SECONDS,
                InstantFigures.linear("forecast seconds to the first answer"));
        CsvData data = new CsvData("policy", "second", "all_s", "first_s");
        for (BacklogTask.Policy policy : BacklogTask.Policy.values()) {
            Path folder = context.scratch().resolve("backlog-" + key(policy));
            try (Fork fork = Fork.start(
                    BacklogTask.class, folder.toString(), policy.name(), Double.toString(OBJECTIVE_SECONDS))) {
                Map<String, Double> seen = fork.ask(Integer.toString(seconds));
                double longest = 0;
                for (int step = 0; seen.containsKey("all" + step); step++) {
                    double second = (step + 1) * BacklogTask.STEP_SECONDS;
                    double allSeconds = seen.get("all" + step);
                    all.add(key(policy), second, allSeconds);
                    first.add(key(policy), second, seen.get("first" + step));
                    data.add(key(policy), second, allSeconds, seen.get("first" + step));
                    longest = Math.max(longest, allSeconds);
                }
                result.put("backlog_s_" + key(policy), longest).put("backlog_tps_" + key(policy), seen.get("rate"));
                context.progress("%s: %.1f s at most, %,.0f transactions/s", key(policy), longest, seen.get("rate"));
            }
            Folders.remove(folder);
        }
        result.file(InstantFigures.FOLDER, "figure-43-backlog.svg", all.render())
                .file(InstantFigures.FOLDER, "figure-48-first.svg", first.render())
                .file(InstantFigures.FOLDER, "figure-43-52-backlog.csv", data.text());
    }
}
