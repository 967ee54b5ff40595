package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import java.util.List;

/** Figures 18 and 19: choices made while running, offline and by chance, by budget. */
final class ChoiceFigures implements AdaptiveFigures.Group {
    private static final int SITES = 4;
    private static final int[] FULL_BUDGETS = {10, 20, 40, 60, 80};
    private static final int[] QUICK_BUDGETS = {20};
    private static final LinePlot.Axis BUDGET =
            new LinePlot.Axis("budget, percent of distributed transactions", LinePlot.Scale.LINEAR);

    @Override
    public List<Integer> figures() {
        return List.of(18, 19);
    }

    @Override
    public List<Key> keys() {
        return List.of(Key.of("choice_agreement_20", "agreement of the online choice with the offline one at a fifth"));
    }

    @Override
    public void run(Context context, Result result) {
        int calls = context.quickOr(500, 3_000);
        RecordedChoice recorded = new RecordedChoice(
                SITES,
                List.of(LostSite.Source.TPCC.workload(SITES, 1, LostSite.DISTRIBUTED)),
                calls,
                context.scratch().resolve("choice"));
        LinePlot agreement = new LinePlot(
                "Figure 19: agreement with the offline choice",
                BUDGET,
                new LinePlot.Axis("share", LinePlot.Scale.LINEAR));
        LinePlot regret = new LinePlot(
                "Figure 18: expected recovery time against the offline choice",
                BUDGET,
                new LinePlot.Axis("ratio", LinePlot.Scale.LINEAR));
        CsvData data = new CsvData(
                "budget_percent",
                "online_share",
                "online_agreement",
                "random_agreement",
                "online_regret",
                "random_regret",
                "offline_saves");
        for (int percent : context.quickOr(1, 0) == 1 ? QUICK_BUDGETS : FULL_BUDGETS) {
            RecordedChoice.Comparison compared = recorded.compare(percent / 100.0);
            agreement.add("online", percent, compared.agreement());
            agreement.add("random", percent, compared.randomAgreement());
            regret.add("online", percent, compared.regret());
            regret.add("random", percent, compared.randomRegret());
            data.add(
                    percent,
                    compared.share(),
                    compared.agreement(),
                    compared.randomAgreement(),
                    compared.regret(),
                    compared.randomRegret(),
                    compared.saved());
            context.progress("budget %d%%: %s", percent, compared);
            if (percent == 20) {
                result.put("choice_agreement_20", compared.agreement());
            }
        }
        result.file(AdaptiveFigures.FOLDER, "figure-18.svg", regret.render())
                .file(AdaptiveFigures.FOLDER, "figure-19.svg", agreement.render())
                .file(AdaptiveFigures.FOLDER, "figure-19.csv", data.text());
    }
}
