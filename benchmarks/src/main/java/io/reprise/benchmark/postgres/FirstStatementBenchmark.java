package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/**
 * The time of an ad hoc query that no client has sent before: parsed, planned, compiled and run. The tables are those of TPC-C, small
 * enough that running takes little.
 */
final class FirstStatementBenchmark implements Benchmark {
    private static final int COLD = 10;
    private static final long SEED = 37;

    @Override
    public String name() {
        return "first-statement";
    }

    @Override
    public String description() {
        return "ad hoc queries over one or two tables, none sent before, through JDBC; beside PostgreSQL";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("p50_ms", "a query, median").atMost(5),
                Key.of("p99_ms", "a query, 99th percentile").atMost(20),
                Key.of("cold_ms", "the median of a new node's first " + COLD + " queries"),
                Key.of("postgres_p50_ms", "the same query of PostgreSQL, median"),
                Key.of("postgres_p99_ms", "the same query of PostgreSQL, 99th percentile"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("statements", 100), Option.number("warmup", COLD));
    }

    @Override
    public Result run(Context context) throws Exception {
        int statements = context.option("statements", context.quickOr(300, 2000));
        int warmUp = context.option("warmup", context.quickOr(300, 3000));
        PgTpcc workload = PgTpcc.small(2);
        try (Targets targets = Targets.start(context, 2)) {
            Times node = times(context, workload, targets.node(), warmUp, statements);
            Result result = new Result()
                    .put("p50_ms", node.at(0.5))
                    .put("p99_ms", node.at(0.99))
                    .put("cold_ms", node.coldMs());
            if (targets.postgres().isEmpty()) {
                return result.ofPart("a run without PostgreSQL");
            }
            Times postgres = times(context, workload, targets.postgres().get(), warmUp, statements);
            return result.put("postgres_p50_ms", postgres.at(0.5)).put("postgres_p99_ms", postgres.at(0.99));
        }
    }

    /**
     * The times of a server.
     *
     * @param coldMs the median of its first queries
     * @param sortedMs those that count, in ascending order
     */
    private record Times(double coldMs, double... sortedMs) {
        double at(double share) {
            return sortedMs[(int) (share * (sortedMs.length - 1))];
        }
    }

    private static Times times(Context context, PgTpcc workload, Target target, int warmUp, int count)
            throws Exception {
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : workload.tables(target.isPostgres())) {
                statement.execute(sql);
            }
            workload.load(connection);
            UnseenStatements unseen = new UnseenStatements(SEED);
            double[] cold = times(statement, unseen, COLD);
            times(statement, unseen, warmUp - COLD);
            Times times = new Times(cold[COLD / 2], times(statement, unseen, count));
            context.progress(
                    "%s: %.1f ms, %.1f ms in the 99th percentile, %.0f ms at first",
                    target.isPostgres() ? "PostgreSQL" : "Reprise", times.at(0.5), times.at(0.99), times.coldMs());
            return times;
        }
    }

    /** The times of the next queries, in ascending order. */
    private static double[] times(Statement statement, UnseenStatements unseen, int count) throws SQLException {
        double[] ms = new double[count];
        for (int i = 0; i < count; i++) {
            String sql = unseen.next();
            long beganNs = System.nanoTime();
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    rows.getString(1);
                }
            }
            ms[i] = (System.nanoTime() - beganNs) / 1e6;
        }
        Arrays.sort(ms);
        return ms;
    }
}
