package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.recovery.rebuild.RebuildReport;
import java.util.ArrayList;
import java.util.List;

/**
 * One of eight sites is lost after some tens of thousands of transactions for each, a quarter of them distributed. Its recovery by closure is
 * compared with command logging, which replays the log of all sites. Both have this machine's cores to themselves.
 */
final class RecoverDistributedBenchmark implements Benchmark {
    private static final int SITES = 8;
    private static final List<LostSite.Form> FORMS =
            List.of(LostSite.Form.DIS_COMMAND, LostSite.Form.ADAPTIVE, LostSite.Form.BOUNDARY);

    @Override
    public String name() {
        return "recover-distributed";
    }

    @Override
    public String description() {
        return "Recovery of one of eight sites by its closure, against a replay of all commands";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (LostSite.Source source : LostSite.Source.values()) {
            for (LostSite.Form form : FORMS) {
                String key = source.key() + "_" + form.key();
                keys.add(Key.of(key, "times faster than the replay of all commands")
                        .atLeast(form == LostSite.Form.DIS_COMMAND ? 5 : 10));
                keys.add(Key.of(key + "_cpu", "times less processor time than the replay of all commands"));
                keys.add(Key.of(key + "_share", "transactions that ran again, as a share of all"));
            }
            keys.add(Key.of(source.key() + "_all_s", "seconds to load the snapshot and replay all commands"));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("transactions", 1), Option.ROUNDS);
    }

    @Override
    public Result run(Context context) {
        int each = context.option("transactions", context.quickOr(2_000, 30_000));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        Result result = new Result();
        for (LostSite.Source source : LostSite.Source.values()) {
            Times all = null;
            for (LostSite.Form form : FORMS) {
                try (LostSite site = LostSite.of(
                        source,
                        SITES,
                        source.size(context),
                        form,
                        context.scratch().resolve(source.key() + "-" + form.key()))) {
                    site.work(each, LostSite.DISTRIBUTED);
                    Times rebuilt = new Times(rounds);
                    double share = 0;
                    for (int round = -1; round < rounds; round++) {
                        RebuildReport report = site.rebuild();
                        rebuilt.add(round, LostSite.seconds(report), site.cpuSeconds());
                        share = (double) LostSite.again(report) / site.transactions();
                        context.progress("%s %s: %s", source, form, report);
                    }
                    if (form == LostSite.Form.DIS_COMMAND) {
                        all = replayAll(context, site, rounds);
                        result.put(source.key() + "_all_s", new Samples(all.seconds));
                    }
                    String key = source.key() + "_" + form.key();
                    result.put(key, ratios(all.seconds, rebuilt.seconds))
                            .put(key + "_cpu", ratios(all.cpuSeconds, rebuilt.cpuSeconds))
                            .put(key + "_share", share);
                }
            }
        }
        return result.fact("same_content", "true");
    }

    private static Times replayAll(Context context, LostSite site, int rounds) {
        Times all = new Times(rounds);
        for (int round = -1; round < rounds; round++) {
            double seconds = LostSite.seconds(site.recoverAll());
            all.add(round, seconds, site.cpuSeconds());
            context.progress("the whole replay took %.2f s", seconds);
        }
        return all;
    }

    /** Times of recoveries. The first one is not counted: it compiles the code. */
    private static final class Times {
        private final double[] seconds;
        private final double[] cpuSeconds;

        Times(int rounds) {
            seconds = new double[rounds];
            cpuSeconds = new double[rounds];
        }

        void add(int round, double took, double cpuTook) {
            if (round >= 0) {
                seconds[round] = took;
                cpuSeconds[round] = cpuTook;
            }
        }
    }

    private static Samples ratios(double[] all, double[] rebuilt) {
        double median = new Samples(all).median();
        double[] ratios = new double[rebuilt.length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = median / rebuilt[round];
        }
        return new Samples(ratios);
    }
}
