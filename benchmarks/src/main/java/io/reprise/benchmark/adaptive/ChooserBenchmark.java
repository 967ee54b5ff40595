package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import java.util.List;

/** The choice of data records by cost while running, against the offline choice over the same calls: TPC-C, a budget for a fifth. */
final class ChooserBenchmark implements Benchmark {
    private static final int SITES = 4;
    private static final double BUDGET = 0.2;

    @Override
    public String name() {
        return "chooser";
    }

    @Override
    public String description() {
        return "Data records chosen while running against the offline choice, within a budget";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                                "agreement_20",
                                "share of the distributed transactions chosen online that the offline choice has")
                        .atLeast(0.8),
                Key.of("regret", "recovery time with the online choice, as a ratio to that with the offline one")
                        .atMost(1.15),
                Key.of("random_agreement_20", "agreement of a choice by chance"),
                Key.of("random_regret", "regret of a choice by chance"),
                Key.of("online_share", "share of the distributed transactions that were chosen online"),
                Key.of("offline_saves", "recovery time that the offline choice saves, as a share"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("transactions", 100));
    }

    @Override
    public Result run(Context context) {
        int calls = context.option("transactions", context.quickOr(800, 4_000));
        RecordedChoice recorded = new RecordedChoice(
                SITES,
                List.of(LostSite.Source.TPCC.workload(SITES, 1, LostSite.DISTRIBUTED)),
                calls,
                context.scratch());
        RecordedChoice.Comparison compared = recorded.compare(BUDGET);
        context.progress("%s", compared);
        return new Result()
                .put("agreement_20", compared.agreement())
                .put("regret", compared.regret())
                .put("random_agreement_20", compared.randomAgreement())
                .put("random_regret", compared.randomRegret())
                .put("online_share", compared.share())
                .put("offline_saves", compared.saved());
    }
}
