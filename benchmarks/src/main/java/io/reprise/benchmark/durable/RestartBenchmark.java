package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.fork.Fork;
import io.reprise.benchmark.fork.PreparedStart;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The time of a restart after a kill, as a user sees it: from the start of a node's process to its first answer. The states differ by rows of the
 * snapshot, log behind it, partitions and procedures, and a linear model of these is fitted to the times. It is not told of the last
 * state: a database that is killed under the highest load, after a long run with snapshots. A short log is replayed by code that is
 * not compiled yet, so the true curve is bent at its beginning.
 */
final class RestartBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int MOST_UNITS = 64;

    /** Units of log of the states that differ by something else. */
    private static final int USUAL_UNITS = 16;

    private static final int PROCEDURES = 200;
    private static final int CUSTOMERS = 1_000_000;
    private static final int QUICK_CUSTOMERS = 1_000;
    private static final int MINUTES = 20;
    private static final int SECONDS_OF_MINUTE = 60;
    private static final int QUICK_SECONDS = 3;
    private static final String ASK_TPCC = "SELECT w_name FROM warehouse WHERE w_id = 1";
    private static final String ASK_SMALLBANK = "SELECT COUNT(*) FROM accounts";

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String description() {
        return "Time to restart a node after a kill, command logging, by rows, log, partitions and procedures; its cost model";
    }

    @Override
    public List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int units = 1; units <= MOST_UNITS; units *= 2) {
            keys.add(Key.of(
                    "ready_ms_" + units,
                    "milliseconds from the start of the process to the first answer, with " + units + " units of log"));
        }
        String usual = ", " + USUAL_UNITS + " units of log";
        keys.add(Key.of("ready_ms_half_rows", "the same with half of the warehouses" + usual));
        keys.add(Key.of("ready_ms_double_rows", "the same with twice the warehouses" + usual));
        keys.add(Key.of("ready_ms_partitions", "the same with two partitions" + usual));
        keys.add(Key.of("ready_ms_procedures", "the same with " + PROCEDURES + " more procedures" + usual));
        keys.add(Key.of("ready_ms_full_rate", "killed under the highest load, after the minutes of --minutes"));
        keys.add(Key.of("fixed_ms", "the model: milliseconds that depend on nothing below"));
        keys.add(Key.of("ms_per_million_rows", "the model: for each million rows of the snapshot"));
        keys.add(Key.of("ms_per_log_mib", "the model: for each MiB of log behind the snapshot"));
        keys.add(Key.of("us_per_txn", "the same for each logged transaction of TPC-C, in microseconds"));
        keys.add(Key.of("ms_per_partition", "the model: for each further partition"));
        keys.add(Key.of("ms_per_100_procedures", "the model: for a hundred more procedures"));
        keys.add(Key.of("r2", "how much of the variance the model explains"));
        keys.add(Key.of(
                "residual_median_percent", "half of the states are nearer to the model, in percent of their time"));
        keys.add(Key.of("residual_most_percent", "the state that is farthest from the model"));
        keys.add(Key.of("full_rate_residual_percent", "how much longer than predicted the kill under load took"));
        return keys;
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("unit", 1), Option.ROUNDS, Option.number("minutes", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        List<String> flags = PreparedStart.flags();
        Result result = new Result();
        try (HttpClient client = HttpClient.newHttpClient()) {
            RestartedNodes nodes = new RestartedNodes(client, flags);
            Run run = new Run(context, flags, nodes, new ArrayList<>());
            run.series();
            run.withRows("half_rows", WAREHOUSES / 2);
            run.withRows("double_rows", WAREHOUSES * 2);
            run.states.forEach(state -> result.put("ready_ms_" + state.name(), state.ms()));
            Restart last = run.fullRate();
            result.put("ready_ms_full_rate", last.ms());
            model(result, run.states, last);
            result.fact("unit", String.format(Locale.ROOT, "%,d_transactions", run.unit()))
                    .fact("page_cache", nodes.hadColdDisk() ? "dropped before each start" : "kept");
        }
        return result;
    }

    /** One run's states, but for the last. */
    private record Run(Context context, List<String> flags, RestartedNodes nodes, List<Restart> states) {
        int unit() {
            return context.option("unit", context.quickOr(1_000, 10_000));
        }

        private int rounds() {
            return context.option("rounds", context.quickOr(1, 3));
        }

        private CrashSession session(int warehouses, Path data) {
            return new CrashSession(flags, Load.TPCC, warehouses, Logging.COMMAND, data);
        }

        private void add(String name, CrashSession session, Path data, int partitions, int procedures)
                throws Exception {
            session.crash(() -> states.add(nodes.restart(name, data, partitions, procedures, ASK_TPCC, rounds())));
            context.progress("%s: %.0f ms", name, states.getLast().ms().median());
        }

        /** One database whose log grows, and in between what only a node's start or a change of the schema tells apart. */
        void series() throws Exception {
            Path data = context.scratch().resolve("series");
            try (CrashSession session = session(WAREHOUSES, data)) {
                session.warmUp(context.quickOr(2, 4));
                session.snapshot();
                long transactions = 0;
                for (int units = 1; units <= MOST_UNITS; units *= 2) {
                    transactions += session.runAtLeast((long) units * unit() - transactions);
                    add(Integer.toString(units), session, data, 1, 0);
                    if (units == USUAL_UNITS) {
                        add("partitions", session, data, 2, 0);
                    }
                }
                session.snapshot();
                session.deploy(PROCEDURES);
                session.runAtLeast((long) USUAL_UNITS * unit());
                add("procedures", session, data, 1, PROCEDURES);
            }
        }

        void withRows(String name, int warehouses) throws Exception {
            Path data = context.scratch().resolve(name);
            try (CrashSession session = session(warehouses, data)) {
                session.warmUp(context.quickOr(2, 4));
                session.snapshot();
                session.runAtLeast((long) USUAL_UNITS * unit());
                add(name, session, data, 1, 0);
            }
        }

        Restart fullRate() throws Exception {
            Path data = context.scratch().resolve("full-rate");
            String customers = Integer.toString(context.quickOr(QUICK_CUSTOMERS, CUSTOMERS));
            int seconds = context.option("minutes", context.quickOr(0, MINUTES)) * SECONDS_OF_MINUTE;
            Fork database = Fork.start(flags, FullRateTask.class, customers, data.toString());
            try (database) {
                Map<String, Double> seen = database.ask(Double.toString(Math.max(QUICK_SECONDS, seconds)));
                context.progress("full rate: %.0f transactions/s until the kill", seen.get("rate"));
            }
            return nodes.restart("full_rate", data, 1, 0, ASK_SMALLBANK, rounds());
        }
    }

    private static void model(Result result, List<Restart> states, Restart last) {
        List<double[]> features = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        for (Restart state : states) {
            for (double ms : state.ms().values()) {
                features.add(state.features());
                times.add(ms);
            }
        }
        LinearModel model = LinearModel.fit(features, times);
        for (int i = 0; i < Restart.TERMS.length; i++) {
            result.put(Restart.TERMS[i], model.coefficients()[i]);
        }
        double bytes = states.stream().mapToDouble(Restart::logBytes).sum();
        double transactions = states.stream().mapToDouble(Restart::transactions).sum();
        double[] residuals = states.stream()
                .mapToDouble(state -> Math.abs(state.residualPercent(model)))
                .toArray();
        result.put("us_per_txn", model.predict(0, 0, bytes / transactions / (1 << 20)) * 1e3)
                .put("r2", model.explained(features, times))
                .put("residual_median_percent", new Samples(residuals).median())
                .put("residual_most_percent", new Samples(residuals).max())
                .put("full_rate_residual_percent", last.residualPercent(model))
                .remark(table(states, last, model));
    }

    private static String table(List<Restart> states, Restart last, LinearModel model) {
        List<Restart> all = new ArrayList<>(states);
        all.add(last);
        StringBuilder text = new StringBuilder("## Residuals\n\nThe model was fitted to all states but the last.\n\n");
        text.append("| state | rows | log, MiB | partitions | more procedures | ms | model, ms | residual |\n");
        text.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
        for (Restart state : all) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.1f | %d | %d | %.0f | %.0f | %+.1f%% |%n",
                    state.name(),
                    state.rows(),
                    state.logBytes() / (1 << 20),
                    state.partitions(),
                    state.procedures(),
                    state.ms().median(),
                    model.predict(state.features()),
                    state.residualPercent(model)));
        }
        return text.toString();
    }
}
