package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import java.util.List;

/**
 * Figures 5 to 24 and table 3 of the paper "Adaptive Logging", as far as one process with partitions for sites can make them: data as CSV and
 * plots as SVG in {@code benchmarks/results/adaptive}. {@code docs/paper-adaptive.md} discusses each, and names those that are missing.
 */
final class AdaptiveFigures implements Benchmark {
    static final String FOLDER = "adaptive";
    static final int SITES = 8;

    private final FigureGroups groups = new FigureGroups(
            "can't be made with one process; docs/paper-adaptive.md says why",
            new ThroughputFigures(),
            new RecoveryFigures(),
            new ScaleFigures(),
            new ChoiceFigures(),
            new OutageFigures());

    @Override
    public String name() {
        return "adaptive-figures";
    }

    @Override
    public String description() {
        return "Figures 5 to 24 and table 3 of the paper on adaptive logging: data and plots";
    }

    @Override
    public List<Key> keys() {
        return groups.keys();
    }

    @Override
    public List<Option> options() {
        return List.of(FigureGroups.option(3, 24), Option.number("transactions", 1), Option.number("ms", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        return groups.run(context);
    }

    /** Transactions of each site before a failure. */
    static int transactions(Context context) {
        return context.option("transactions", context.quickOr(1_000, 30_000));
    }

    /** The time of a point of a curve. */
    static double pointSeconds(Context context) {
        return context.option("ms", context.quickOr(200, 1_500)) / 1e3;
    }
}
