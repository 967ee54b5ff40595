package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.Fork;
import io.reprise.log.LogSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The cost of change data capture in throughput: TPC-C with {@code reprise changes --follow} as a process beside it, against TPC-C
 * alone, by turns. Between turns the reader catches up, and the time of that is measured.
 */
final class ExportBenchmark implements Benchmark {
    @Override
    public String name() {
        return "export";
    }

    @Override
    public String description() {
        return "TPC-C at full speed while changes are printed as lines of JSON, against TPC-C alone; one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("tps_ratio", "throughput with a reader of changes, as a ratio to that without")
                        .atLeast(0.95),
                Key.of("tps_alone", "transactions per second without a reader"),
                Key.of("tps_read", "transactions per second with one"),
                Key.of(
                        "changes_s",
                        "changes printed per second, while the load runs and until the reader has caught up"),
                Key.of("catch_up_s", "seconds that the reader still prints behind a second of load"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", 1);
        int rounds = context.option("rounds", context.quickOr(2, 9));
        Path read = context.scratch().resolve("read");
        try (Fork alone = open(context, "alone", context.scratch().resolve("alone"));
                Fork followed = open(context, "read", read);
                ChangeReader reader = ChangeReader.start(LoadTask.data(read, Logging.COMMAND))) {
            reader.awaitQuiet();
            double[] lag = new double[rounds + 1];
            double[] lines = new double[rounds + 1];
            int[] round = {0};
            Interleaved.Comparison comparison = new Interleaved()
                    .add("alone", () -> LoadTask.measure(alone, seconds).perSecond())
                    .add("read", () -> {
                        long before = reader.lines();
                        double rate = LoadTask.measure(followed, seconds).perSecond();
                        double caughtUp = reader.awaitQuiet();
                        lag[round[0]] = caughtUp / seconds;
                        lines[round[0]] = (reader.lines() - before) / (seconds + caughtUp);
                        context.progress("%,.0f calls/s; %,.0f changes/s", rate, lines[round[0]++]);
                        return rate;
                    })
                    .run(1, rounds);
            LoadTask.check(alone);
            LoadTask.check(followed);
            return new Result()
                    .put("tps_ratio", comparison.ratio("read", "alone"))
                    .put("tps_alone", comparison.of("alone"))
                    .put("tps_read", comparison.of("read"))
                    .put("changes_s", new Samples(Arrays.copyOfRange(lines, 1, rounds + 1)))
                    .put("catch_up_s", new Samples(Arrays.copyOfRange(lag, 1, rounds + 1)))
                    .fact("consistent", "true");
        }
    }

    private static Fork open(Context context, String name, Path folder) {
        return LoadTask.warmedUp(
                context,
                name,
                LoadTask.start(
                        Load.TPCC, Logging.COMMAND, Load.TPCC.window(), LogSettings.DEFAULTS.maxDelayNs(), folder));
    }
}
