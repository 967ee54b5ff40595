package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures 5 to 24 and table 3 of the paper "Adaptive Logging", as far as one process with partitions for sites can make them: data as CSV and
 * plots as SVG in {@code benchmarks/results/adaptive}. {@code docs/paper-adaptive.md} discusses each, and names those that are missing.
 */
final class AdaptiveFigures implements Benchmark {
    static final String FOLDER = "adaptive";
    static final int SITES = 8;

    /** A group of figures that are made by the same runs. */
    interface Group {
        /** The numbers of its figures; 3 is the table. */
        List<Integer> figures();

        /** The keys of its results. */
        List<Key> keys();

        /** Makes the figures. */
        void run(Context context, Result result);
    }

    private final List<Group> groups = List.of(
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
        List<Key> keys = new ArrayList<>();
        groups.forEach(group -> keys.addAll(group.keys()));
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("figure", 3, 24), Option.number("transactions", 1), Option.number("ms", 1));
    }

    @Override
    public Result run(Context context) {
        int figure = context.option("figure", 0);
        Result result = new Result();
        if (figure > 0) {
            result.ofPart("figure " + figure);
            if (groups.stream().noneMatch(group -> group.figures().contains(figure))) {
                throw new IllegalArgumentException(
                        "figure " + figure + " can't be made with one process; docs/paper-adaptive.md says why");
            }
        }
        for (Group group : groups) {
            if (figure == 0 || group.figures().contains(figure)) {
                group.run(context, result);
            }
        }
        return result;
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
