package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.fork.PreparedStart;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The time of a restart after a kill, with all rows loaded first and with recovery on demand. It is measured to the first answer from one
 * bucket, and to the first answer from all rows. Transactions of Voter have one bucket each; those of TPC-C tie warehouses
 * together, so that the log of one needs others.
 */
final class DemandRestartBenchmark implements Benchmark {
    /** A workload and its two questions. */
    private enum Case {
        VOTER(Load.VOTER, "SELECT COUNT(*) FROM votes WHERE area_code = 212", "SELECT COUNT(*) FROM votes"),
        TPCC(Load.TPCC, "SELECT w_name FROM warehouse WHERE w_id = 1", "SELECT COUNT(*) FROM warehouse");

        private final Load load;
        private final String one;
        private final String all;

        Case(Load load, String one, String all) {
            this.load = load;
            this.one = one;
            this.all = all;
        }

        private String key(String what) {
            return name().toLowerCase(Locale.ROOT) + "_" + what;
        }
    }

    @Override
    public String name() {
        return "demand-restart";
    }

    @Override
    public String description() {
        return "Time to restart a node after a kill, command logging: all rows first, and on demand";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (Case each : Case.values()) {
            keys.add(
                    Key.of(
                            each.key("whole_one_ms"),
                            "milliseconds from the start of the process to an answer from one bucket; all rows are loaded first"));
            keys.add(Key.of(each.key("whole_all_ms"), "the same to an answer from all rows"));
            keys.add(Key.of(each.key("demand_one_ms"), "to an answer from one bucket, with recovery on demand"));
            keys.add(Key.of(each.key("demand_all_ms"), "the same to an answer from all rows"));
        }
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("transactions", 1), Option.number("warehouses", 1), Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        List<String> flags = PreparedStart.flags();
        Result result = new Result();
        try (HttpClient client = HttpClient.newHttpClient()) {
            RestartedNodes nodes = new RestartedNodes(client, flags);
            for (Case each : Case.values()) {
                measure(context, flags, nodes, each, result);
            }
            result.fact("page_cache", nodes.hadColdDisk() ? "dropped before each start" : "kept");
        }
        return result;
    }

    private static void measure(Context context, List<String> flags, RestartedNodes nodes, Case each, Result result)
            throws Exception {
        Path data = context.scratch().resolve(each.key("data"));
        int warehouses = context.option("warehouses", context.quickOr(2, 8));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        try (CrashSession session = new CrashSession(flags, each.load, warehouses, Logging.COMMAND, data)) {
            session.warmUp(context.quickOr(2, 10));
            session.snapshot();
            session.runAtLeast(context.option("transactions", context.quickOr(10_000, 100_000)));
            session.crash(() -> {
                RestartedNodes.Answers whole = nodes.answers(data, false, each.one, each.all, rounds);
                RestartedNodes.Answers demand = nodes.answers(data, true, each.one, each.all, rounds);
                result.put(each.key("whole_one_ms"), whole.one())
                        .put(each.key("whole_all_ms"), whole.all())
                        .put(each.key("demand_one_ms"), demand.one())
                        .put(each.key("demand_all_ms"), demand.all());
                context.progress(
                        "%s: one bucket after %.0f ms, on demand after %.0f ms",
                        each.load, whole.one().median(), demand.one().median());
            });
        }
    }
}
