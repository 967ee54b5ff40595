package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.PreparedStart;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The time of a restart after a kill, with all rows loaded first and with recovery on demand. It is measured to the first answer from one
 * bucket, and to the first answer from all rows. Transactions of Voter have one bucket each; those of TPC-C tie warehouses
 * together, so that the log of one needs others. The questions about one bucket find their row by its key: a scan of a table waits for
 * all buckets. Reads of YCSB under load are in {@link DemandUnderLoad}.
 */
final class DemandRestartBenchmark implements Benchmark {
    /** A workload and its two questions. */
    private enum Case {
        VOTER(
                Load.VOTER,
                "SELECT num_votes FROM votes_by_contestant_state WHERE area_code = 212 AND contestant_number = 1",
                "SELECT COUNT(*) FROM votes"),
        TPCC(Load.TPCC, "SELECT w_name FROM warehouse WHERE w_id = 1", "SELECT COUNT(*) FROM warehouse"),
        /** The same with images of commands in the sorted log, so that a warehouse does not need others. */
        IMAGES(Load.TPCC, TPCC.one, TPCC.all);

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

    /** The goal on two cores. A start without data takes 700 of it. */
    static final double MOST_FIRST_MS = 850;

    /** Units of log behind the snapshot, and the transactions of one. */
    private static final List<Integer> UNITS = List.of(1, 8, 64);

    private static final int UNIT = 10_000;
    private static final int ROUNDS = 3;

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
        for (int units : UNITS) {
            keys.add(Key.of(
                            "first_ms_" + units,
                            "milliseconds to the first answer on demand, Voter, with " + units
                                    + " units of log behind the snapshot")
                    .atMost(MOST_FIRST_MS));
        }
        keys.add(Key.of("slope", "the last of these as a ratio to the first, less 1")
                .atMost(0.05));
        keys.addAll(DemandUnderLoad.keys());
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(
                Option.number("transactions", 1), Option.number("warehouses", 1), DemandUnderLoad.ROWS, Option.ROUNDS);
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
            firstAnswers(context, flags, nodes, result);
            DemandUnderLoad.measure(context, context.option("rounds", context.quickOr(1, ROUNDS)), result);
            result.fact("page_cache", nodes.hadColdDisk() ? "dropped before each start" : "kept");
        }
        return result;
    }

    private static void firstAnswers(Context context, List<String> flags, RestartedNodes nodes, Result result)
            throws Exception {
        Path data = context.scratch().resolve("units");
        int rounds = context.option("rounds", context.quickOr(1, ROUNDS));
        List<Samples> first = new ArrayList<>();
        try (CrashSession session = new CrashSession(flags, Load.VOTER, 1, Logging.COMMAND, data, true, false)) {
            session.warmUp(context.quickOr(2, 4));
            session.snapshot();
            int before = 0;
            for (int units : UNITS) {
                session.runAtLeast((long) (units - before) * UNIT);
                before = units;
                session.crash(() -> first.add(nodes.answers(data, true, Case.VOTER.one, Case.VOTER.one, rounds)
                        .one()));
                result.put("first_ms_" + units, first.getLast());
                context.progress(
                        "%d units of log: first answer after %.0f ms",
                        units, first.getLast().median());
            }
        }
        result.put(
                "slope", new Samples(first.getLast().median() / first.getFirst().median() - 1));
    }

    private static void measure(Context context, List<String> flags, RestartedNodes nodes, Case each, Result result)
            throws Exception {
        Path data = context.scratch().resolve(each.key("data"));
        int warehouses = context.option("warehouses", context.quickOr(2, 4));
        int rounds = context.option("rounds", context.quickOr(1, ROUNDS));
        try (CrashSession session =
                new CrashSession(flags, each.load, warehouses, Logging.COMMAND, data, true, each == Case.IMAGES)) {
            session.warmUp(context.quickOr(2, 4));
            session.snapshot();
            session.runAtLeast(context.option("transactions", context.quickOr(10_000, 50_000)));
            session.crash(() -> {
                RestartedNodes.Answers whole = nodes.answers(data, false, each.one, each.all, rounds);
                RestartedNodes.Answers demand = nodes.answers(data, true, each.one, each.all, rounds);
                result.put(each.key("whole_one_ms"), whole.one())
                        .put(each.key("whole_all_ms"), whole.all())
                        .put(each.key("demand_one_ms"), demand.one())
                        .put(each.key("demand_all_ms"), demand.all());
                context.progress(
                        "%s: one bucket after %.0f ms, on demand after %.0f ms",
                        each, whole.one().median(), demand.one().median());
            });
        }
    }
}
