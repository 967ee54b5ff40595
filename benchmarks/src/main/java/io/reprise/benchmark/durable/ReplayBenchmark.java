package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** How fast a log is replayed, against how fast the same stretch of it was written at full speed. */
final class ReplayBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String description() {
        return "Replay of a log, reading included, against the live run that wrote it; one partition";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("command_tpcc", "TPC-C, command logging: replay rate as a ratio to the live rate")
                        .atLeast(1.1),
                Key.of("physio_tpcc", "TPC-C, physiological logging").atLeast(4),
                Key.of("command_voter", "Voter, command logging").atLeast(1.1),
                Key.of("physio_voter", "Voter, physiological logging").atLeast(8),
                Key.of("command_tpcc_tps", "logged transactions replayed in a second"),
                Key.of("physio_tpcc_tps", "the same"),
                Key.of("command_voter_tps", "the same"),
                Key.of("physio_voter_tps", "the same"),
                Key.of("command_tpcc_cpu", "the ratio of rates per second of processor time, all threads"),
                Key.of("physio_tpcc_cpu", "the same"),
                Key.of("command_voter_cpu", "the same"),
                Key.of("physio_voter_cpu", "the same"));
    }

    @Override
    public List<String> options() {
        return List.of("seconds", "rounds");
    }

    @Override
    public Result run(Context context) {
        Result result = new Result();
        for (Load load : Load.values()) {
            for (Logging logging : List.of(Logging.COMMAND, Logging.PHYSIOLOGICAL)) {
                String key = (logging == Logging.COMMAND ? "command_" : "physio_")
                        + load.name().toLowerCase(Locale.ROOT);
                List<ReplaySession.Turn> turns = turns(context, load, logging);
                result.put(key, samples(turns, ReplaySession.Turn::ratio));
                result.put(key + "_tps", samples(turns, ReplaySession.Turn::replayRate));
                result.put(key + "_cpu", samples(turns, ReplaySession.Turn::cpuRatio));
            }
        }
        return result.fact("same_content_after_each_replay", "true");
    }

    private static List<ReplaySession.Turn> turns(Context context, Load load, Logging logging) {
        double seconds = context.option("seconds", context.quickOr(1, 8));
        int rounds = context.option("rounds", context.quickOr(1, 3));
        List<ReplaySession.Turn> turns = new ArrayList<>();
        try (ReplaySession session = new ReplaySession(load, WAREHOUSES, logging, context.scratch())) {
            session.warmUp(context.quickOr(1, 6));
            for (int i = -1; i < rounds; i++) {
                ReplaySession.Turn turn = session.turn(seconds);
                context.progress(
                        "%s %s: live %.0f/s, replay %.0f/s, ratio %.2f, of processor time %.2f",
                        load, logging.key(), turn.liveRate(), turn.replayRate(), turn.ratio(), turn.cpuRatio());
                if (i >= 0) {
                    turns.add(turn);
                }
            }
        }
        return turns;
    }

    private static Samples samples(List<ReplaySession.Turn> turns, ToDoubleFunction<ReplaySession.Turn> value) {
        return new Samples(turns.stream().mapToDouble(value).toArray());
    }
}
