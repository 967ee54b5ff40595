package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.PartitionsTask;
import io.reprise.benchmark.fork.Fork;
import java.nio.file.Path;
import java.util.List;

/**
 * Access to memory by the JDK's Unsafe against access by memory segments: the same engine, with and without the flag that exports Unsafe, by
 * turns, each in a process of its own.
 */
final class MemoryAccessBenchmark implements Benchmark {
    private static final String EXPORT = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
    private static final String WAREHOUSES = "4";

    @Override
    public String name() {
        return "memory-access";
    }

    @Override
    public String description() {
        return "Unsafe against memory segments: TPC-C on one partition, and the replay of its log";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("run_ratio", "transactions per second in memory with Unsafe, as a ratio to segments"),
                Key.of("run_segments", "the same with segments, per second"),
                Key.of("command_ratio", "commands replayed per second with Unsafe, as a ratio to segments"),
                Key.of("command_segments", "the same with segments, per second"),
                Key.of("physio_ratio", "data records replayed per second with Unsafe, as a ratio to segments"),
                Key.of("physio_segments", "the same with segments, per second"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int seconds = context.option("seconds", context.quickOr(2, 5));
        int rounds = context.option("rounds", context.quickOr(3, 9));
        Result result = new Result();
        context.progress("Transactions");
        try (Fork unsafe = Fork.start(PartitionsTask.class, "1", WAREHOUSES);
                Fork segments = Fork.startWithout(EXPORT, PartitionsTask.class, "1", WAREHOUSES)) {
            String wanted = Integer.toString(seconds);
            put(
                    result,
                    "run",
                    new Interleaved()
                            .add("unsafe", () -> unsafe.ask("measure", wanted).get("tps"))
                            .add(
                                    "segments",
                                    () -> segments.ask("measure", wanted).get("tps"))
                            .run(2, rounds));
        }
        replay(context, result, "command", Logging.COMMAND, seconds, rounds);
        replay(context, result, "physio", Logging.PHYSIOLOGICAL, seconds, rounds);
        return result;
    }

    private static void replay(Context context, Result result, String key, Logging logging, int seconds, int rounds)
            throws Exception {
        context.progress("Replay, %s", logging.key());
        Path folder = context.scratch().resolve(key);
        try (Fork unsafe = ReplayTask.start(Load.TPCC, logging, folder.resolve("unsafe"));
                Fork segments = ReplayTask.startWithout(EXPORT, Load.TPCC, logging, folder.resolve("segments"))) {
            put(
                    result,
                    key,
                    new Interleaved()
                            .add("unsafe", () -> ReplayTask.turn(unsafe, 0, seconds))
                            .add("segments", () -> ReplayTask.turn(segments, 0, seconds))
                            .run(1, rounds));
        }
    }

    private static void put(Result result, String key, Interleaved.Comparison comparison) {
        result.put(key + "_ratio", comparison.ratio("unsafe", "segments"))
                .put(key + "_segments", comparison.of("segments"));
    }
}
