package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.PreparedStart;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;

/**
 * The gain of the JVM's cache, and of the recoveries that are rehearsed for it, where a node starts on the data of a killed one. The log is short: that
 * of a long one is replayed mostly by code that the new process has compiled.
 */
final class StartRecoveryBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int TRANSACTIONS = 10_000;
    private static final String QUESTION = "SELECT w_name FROM warehouse WHERE w_id = 1";

    @Override
    public String name() {
        return "start-recovery";
    }

    @Override
    public String description() {
        return "Restart of a killed node with a short log of TPC-C: without the JVM's cache, with one of a start, and with one of recoveries too";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of(
                        "command_ms",
                        "milliseconds to the first answer with the cache that nodes have, log of commands"),
                Key.of("command_start_ratio", "as a ratio to a cache without rehearsed recoveries"),
                Key.of("command_none_ratio", "as a ratio to a start without a cache"),
                Key.of("physio_ms", "milliseconds to the first answer with the cache that nodes have, log of data"),
                Key.of("physio_start_ratio", "as a ratio to a cache without rehearsed recoveries"),
                Key.of("physio_none_ratio", "as a ratio to a start without a cache"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int rounds = context.option("rounds", context.quickOr(3, 9));
        context.progress("Making the caches");
        List<String> full = PreparedStart.flags();
        List<String> start =
                PreparedStart.flagsWithoutRecoveries(context.scratch().resolve("start.aot"));
        Result result = new Result();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (Logging logging : List.of(Logging.COMMAND, Logging.PHYSIOLOGICAL)) {
                String key = logging == Logging.COMMAND ? "command" : "physio";
                Path data = context.scratch().resolve(key);
                context.progress("Restarts, log of %s", logging.key());
                try (CrashSession session = new CrashSession(full, Load.TPCC, WAREHOUSES, logging, data)) {
                    session.warmUp(context.quickOr(1, 2));
                    session.snapshot();
                    session.runAtLeast(TRANSACTIONS);
                    session.crash(() -> {
                        Interleaved.Comparison comparison = new Interleaved()
                                .add("full", () -> restartMs(client, full, data))
                                .add("start", () -> restartMs(client, start, data))
                                .add("none", () -> restartMs(client, List.of(), data))
                                .run(1, rounds);
                        result.put(key + "_ms", comparison.of("full"))
                                .put(key + "_start_ratio", comparison.ratio("full", "start"))
                                .put(key + "_none_ratio", comparison.ratio("full", "none"));
                    });
                }
            }
        }
        return result;
    }

    private static double restartMs(HttpClient client, List<String> flags, Path data) throws Exception {
        return new RestartedNodes(client, flags)
                .restart("killed", data, 1, 0, QUESTION, 1)
                .ms()
                .median();
    }
}
