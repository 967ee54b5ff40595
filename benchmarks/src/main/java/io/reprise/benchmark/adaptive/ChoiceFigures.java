package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.CsvData;
import io.reprise.benchmark.plot.LinePlot;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.util.List;

/** Figures 18 to 20: choices made while running, offline and by chance, by budget, and while the load changes. */
final class ChoiceFigures implements FigureGroups.Group {
    private static final int SITES = 4;
    private static final int[] FULL_BUDGETS = {10, 20, 40, 60, 80};
    private static final int[] QUICK_BUDGETS = {20};
    private static final LinePlot.Axis SHARE = new LinePlot.Axis("share", LinePlot.Scale.LINEAR);

    /** Customers of a site, and those of all sites that are hot in the second half. */
    private static final int CUSTOMERS = 1_000;

    private static final int HOT = 40;
    private static final double HOT_PERCENT = 90;
    private static final int PARTS = 6;
    private static final LinePlot.Axis BUDGET =
            new LinePlot.Axis("budget, percent of distributed transactions", LinePlot.Scale.LINEAR);

    @Override
    public List<Integer> figures() {
        return List.of(18, 19, 20);
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
        LinePlot agreement = new LinePlot("Figure 19: agreement with the offline choice", BUDGET, SHARE);
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
        for (int percent : context.quick() ? QUICK_BUDGETS : FULL_BUDGETS) {
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
        moving(context, result);
    }

    /** Smallbank, whose customers are equal at first, and then a few of them are hot. */
    private static void moving(Context context, Result result) {
        SmallbankOptions equal = SmallbankOptions.uniform(SITES * CUSTOMERS).withDistributed(LostSite.DISTRIBUTED);
        RecordedChoice recorded = new RecordedChoice(
                SITES,
                List.of(new Smallbank(equal), new Smallbank(equal.withHotspot(HOT, HOT_PERCENT))),
                context.quickOr(400, 3_000),
                context.scratch().resolve("moving"));
        LinePlot plot = new LinePlot(
                "Figure 20: agreement with the offline choice; customers become hot in the middle",
                new LinePlot.Axis("part of the calls", LinePlot.Scale.LINEAR),
                SHARE);
        CsvData data = new CsvData("part", "online_agreement", "random_agreement", "online_regret", "random_regret");
        List<RecordedChoice.Comparison> parts = recorded.compareParts(0.2, PARTS);
        for (int part = 0; part < PARTS; part++) {
            RecordedChoice.Comparison compared = parts.get(part);
            plot.add("online", part + 1, compared.agreement());
            plot.add("random", part + 1, compared.randomAgreement());
            data.add(
                    part + 1,
                    compared.agreement(),
                    compared.randomAgreement(),
                    compared.regret(),
                    compared.randomRegret());
            context.progress("part %d: %s", part + 1, compared);
        }
        result.file(AdaptiveFigures.FOLDER, "figure-20.svg", plot.render())
                .file(AdaptiveFigures.FOLDER, "figure-20.csv", data.text());
    }
}
