package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.FigureGroups;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.plot.LinePlot;
import java.util.List;

/**
 * The figures of three papers on recovery that have a counterpart here: data as CSV and plots as SVG in {@code benchmarks/results/instant}. Numbers
 * are those of the thesis "Modern techniques for transaction-oriented database recovery". {@code docs/paper-instant.md} discusses each, and
 * names those that are missing.
 */
final class InstantFigures implements Benchmark {
    static final String FOLDER = "instant";
    static final LinePlot.Axis SECONDS = new LinePlot.Axis("seconds since the start", LinePlot.Scale.LINEAR);

    private final FigureGroups groups = new FigureGroups(
            "has no counterpart here; docs/paper-instant.md says why",
            new RestartFigures(),
            new SegmentFigures(),
            new CopyFigures(),
            new BacklogFigures());

    @Override
    public String name() {
        return "instant-figures";
    }

    @Override
    public String description() {
        return "Figures of the papers on instant recovery, its costs and segments: data and plots";
    }

    @Override
    public List<Key> keys() {
        return groups.keys();
    }

    @Override
    public List<Option> options() {
        return List.of(FigureGroups.option(10, 57), Option.number("records", 2));
    }

    @Override
    public Result run(Context context) throws Exception {
        return groups.run(context);
    }

    /** The records of a database that is restarted. */
    static int records(Context context) {
        return context.option("records", context.quickOr(50_000, 400_000));
    }

    /** A linear axis. */
    static LinePlot.Axis linear(String label) {
        return new LinePlot.Axis(label, LinePlot.Scale.LINEAR);
    }
}
