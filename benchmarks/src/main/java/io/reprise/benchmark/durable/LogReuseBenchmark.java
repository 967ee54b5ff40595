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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The gain of reusing segments of the log: the same load with and without, by turns, each in a process of its own.
 * Between any two measurements of a process are two snapshots, which make its log needless.
 */
final class LogReuseBenchmark implements Benchmark {
    private static final String REUSED = "reused";
    private static final String MADE = "made";

    /** Smaller than usual, so that each measurement has several. */
    private static final int SEGMENT_MB = 8;

    @Override
    public String name() {
        return "log-reuse";
    }

    @Override
    public String description() {
        return "A log whose segments are used again, against one that fills each with zeros first; one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("throughput", "calls per second with segments used again, as a ratio to without"),
                Key.of("throughput_cpu", "the same per second of the site's processor time"),
                Key.of(
                        "to_disk_reused",
                        "bytes to the disks of the machine for each byte of log, with segments used again"),
                Key.of("to_disk_made", "the same without"),
                Key.of(
                        "zeros_reused",
                        "zeros of new segments for each byte of log, by the log's own count, with segments used again"),
                Key.of("zeros_made", "the same without"),
                Key.of(
                        "flush_us_reused",
                        "how long a batch is written and forced on average, with segments used again"),
                Key.of("flush_us_made", "the same without"),
                Key.of("tps_reused", "calls per second with segments used again"),
                Key.of("tps_made", "calls per second without"));
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.SECONDS,
                Option.ROUNDS,
                Option.oneOf("load", Load.values()),
                Option.oneOf("logging", Logging.COMMAND, Logging.PHYSIOLOGICAL, Logging.PHYSIOLOGICAL_FULL),
                Option.number("segment-mb", 4, 1024));
    }

    /** The measurements of one process, a value for each round. */
    private static final class Measured {
        private final List<Map<String, Double>> all = new ArrayList<>();

        double add(Map<String, Double> round) {
            all.add(round);
            return round.get("per_second");
        }

        Samples last(int rounds, String key) {
            return new Samples(all.subList(all.size() - rounds, all.size()).stream()
                    .mapToDouble(round -> round.get(key))
                    .toArray());
        }

        Samples perLoggedByte(int rounds, String key) {
            return last(rounds, key).dividedBy(last(rounds, "logged"));
        }
    }

    @Override
    public Result run(Context context) throws Exception {
        double seconds = context.option("seconds", 2);
        int rounds = context.option("rounds", context.quickOr(3, 9));
        try (Fork reused = open(context, REUSED, LogSettings.DEFAULTS.spareSegments());
                Fork made = open(context, MADE, 0)) {
            Measured withReuse = new Measured();
            Measured without = new Measured();
            Interleaved.Comparison comparison = new Interleaved()
                    .add("tps_reused", () -> measure(context, REUSED, reused, seconds, withReuse))
                    .add("tps_made", () -> measure(context, MADE, made, seconds, without))
                    .run(2, rounds);
            reused.ask("check");
            made.ask("check");
            Result result = new Result()
                    .put("throughput", comparison.ratio("tps_reused", "tps_made"))
                    .put(
                            "throughput_cpu",
                            withReuse.last(rounds, "per_cpu_second").dividedBy(without.last(rounds, "per_cpu_second")))
                    .put("to_disk_reused", withReuse.perLoggedByte(rounds, "to_disk"))
                    .put("to_disk_made", without.perLoggedByte(rounds, "to_disk"))
                    .put("zeros_reused", withReuse.perLoggedByte(rounds, "zeroed"))
                    .put("zeros_made", without.perLoggedByte(rounds, "zeroed"));
            result.put("flush_us_reused", withReuse.last(rounds, "flush_us"))
                    .put("flush_us_made", without.last(rounds, "flush_us"));
            comparison.samples().forEach(result::put);
            return result.fact("consistent", "true");
        }
    }

    private static Fork open(Context context, String name, int spareSegments) {
        return Fork.start(
                ReuseTask.class,
                context.choice("load", Load.VOTER).name(),
                context.choice("logging", Logging.PHYSIOLOGICAL).name(),
                Integer.toString(spareSegments),
                Long.toString((long) context.option("segment-mb", SEGMENT_MB) << 20),
                context.scratch().resolve(name).toString());
    }

    private static double measure(Context context, String name, Fork fork, double seconds, Measured measured) {
        Map<String, Double> round = fork.ask("measure", Double.toString(seconds));
        fork.ask("snapshot");
        context.progress(
                "%s: %.0f calls/s, %.1f MB logged, %.1f MB to the disk, %.1f MB of zeros, a flush takes %.0f us",
                name,
                round.get("per_second"),
                round.get("logged") / 1e6,
                round.get("to_disk") / 1e6,
                round.get("zeroed") / 1e6,
                round.get("flush_us"));
        return measured.add(round);
    }
}
