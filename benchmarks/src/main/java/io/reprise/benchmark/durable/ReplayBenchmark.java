package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Folders;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.PreparedStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The rate of replaying a log after a kill, against the rate at which it was written at full speed. Rates are of
 * transactions that are in the log, those that only read left out, by the same clock, from the first to the last. The live
 * run has warmed up before; the recovering process is new, and what its compiler needs is in its time. Both have the JVM's cache that
 * a node has from its second start on.
 *
 * <p>A node makes a snapshot every three minutes by default, so that a crash finds a minute and a half of log on
 * average. A minute is replayed here. {@code _early} tells what the ratio is of the first sixth, most of which is warming up, and {@code
 * _late} that of the second half.
 */
final class ReplayBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int SECONDS = 60;

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String description() {
        return "Replay of a log after a kill, in a new JVM, against the live run that wrote it; one partition";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        keys.add(Key.of("command_tpcc", "TPC-C, command logging: replay rate as a ratio to the live rate")
                .atLeast(1.1));
        keys.add(Key.of("physio_tpcc", "TPC-C, physiological logging").atLeast(4));
        keys.add(Key.of("command_voter", "Voter, command logging").atLeast(1.1));
        keys.add(Key.of("physio_voter", "Voter, physiological logging").atLeast(8));
        for (String key : List.of("command_tpcc", "physio_tpcc", "command_voter", "physio_voter")) {
            keys.add(Key.of(key + "_tps", "logged transactions replayed in a second"));
            keys.add(Key.of(key + "_early", "the ratio of rates until a sixth of the log is replayed"));
            keys.add(Key.of(key + "_late", "the ratio of rates when half of the log is replayed"));
            keys.add(Key.of(key + "_cpu", "the ratio of rates per second of processor time, all threads"));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    /** A live stretch, and its replay. */
    private record Turn(Map<String, Double> live, Map<String, Double> replay) {
        double ratio(String replayed, String lived) {
            return replay.get(replayed) / live.get(lived);
        }
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.option("rounds", context.quickOr(1, 3));
        Map<String, List<Turn>> turns = new LinkedHashMap<>();
        // Each round has all of them, so that an hour in which the machine is slow is not one load's alone.
        for (int i = 0; i < rounds; i++) {
            for (Load load : Load.values()) {
                for (Logging logging : List.of(Logging.COMMAND, Logging.PHYSIOLOGICAL)) {
                    String key = (logging == Logging.COMMAND ? "command_" : "physio_")
                            + load.name().toLowerCase(Locale.ROOT);
                    turns.computeIfAbsent(key, _ -> new ArrayList<>()).add(turn(context, load, logging));
                }
            }
        }
        Result result = new Result();
        turns.forEach((key, of) -> {
            result.put(key, samples(of, turn -> turn.ratio("rate", "rate")));
            result.put(key + "_tps", samples(of, turn -> turn.replay.get("rate")));
            result.put(key + "_early", samples(of, turn -> turn.ratio("early_rate", "rate")));
            result.put(key + "_late", samples(of, turn -> turn.ratio("late_rate", "rate")));
            result.put(key + "_cpu", samples(of, turn -> turn.ratio("cpu_rate", "cpu_rate")));
        });
        return result.fact("same_content_after_each_replay", "true");
    }

    /** With data of its own: earlier data would grow with each turn, until they fill the memory. */
    private static Turn turn(Context context, Load load, Logging logging) throws Exception {
        double seconds = context.option("seconds", context.quickOr(1, SECONDS));
        Path folder = context.scratch().resolve(load + "-" + logging.key());
        Turn turn;
        try (CrashSession session = new CrashSession(PreparedStart.flags(), load, WAREHOUSES, logging, folder)) {
            session.warmUp(context.quickOr(2, 4));
            session.snapshot();
            Map<String, Double> live = session.run(seconds);
            turn = new Turn(live, session.crash());
        }
        Folders.remove(folder);
        context.progress(
                "%s %s: live %.0f/s, replay %.0f/s, at first %.0f/s, later %.0f/s; ratio %.2f, of processor time %.2f",
                load,
                logging.key(),
                turn.live.get("rate"),
                turn.replay.get("rate"),
                turn.replay.get("early_rate"),
                turn.replay.get("late_rate"),
                turn.ratio("rate", "rate"),
                turn.ratio("cpu_rate", "cpu_rate"));
        return turn;
    }

    private static Samples samples(List<Turn> turns, ToDoubleFunction<Turn> value) {
        return new Samples(turns.stream().mapToDouble(value).toArray());
    }
}
