package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;

/** COPY of a million rows of CSV into a new table, beside PostgreSQL. */
final class PgCopyBenchmark implements Benchmark {
    private static final int ROWS = 1_000_000;
    private static final int QUICK_ROWS = 50_000;

    @Override
    public String name() {
        return "pg-copy";
    }

    @Override
    public String description() {
        return "COPY FROM of a million rows of CSV over the PostgreSQL port, committed in batches; PostgreSQL by turns";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("rows_s", "rows a second").atLeast(400_000),
                Key.of("cpu_us", "the node's processor time per row"),
                Key.of("postgres_rows_s", "the same of PostgreSQL, in one transaction"),
                Key.of("ratio", "rows_s / postgres_rows_s"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.ROUNDS, Option.WARM_UP, Option.number("rows", 1), Option.number("partitions", 1, 64));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rows = context.option("rows", context.quickOr(QUICK_ROWS, ROWS));
        int rounds = context.option("rounds", context.quickOr(1, 5));
        int warmUps = context.option("warmup", context.quickOr(1, 3));
        byte[] csv = CopyData.csv(rows);
        double[] cpuUs = new double[warmUps + rounds];
        int[] round = {0};
        try (Targets targets = Targets.start(context, context.option("partitions", 2))) {
            Interleaved turns = new Interleaved().add("node", () -> {
                long before = targets.node().cpu().toNanos();
                double rate = copy(context, targets.node(), csv, rows);
                cpuUs[round[0]++] = (targets.node().cpu().toNanos() - before) / 1e3 / rows;
                return rate;
            });
            targets.postgres().ifPresent(postgres -> turns.add("postgres", () -> copy(context, postgres, csv, rows)));
            Interleaved.Comparison comparison = turns.run(warmUps, rounds);
            Result result = new Result()
                    .put("rows_s", comparison.of("node"))
                    .put("cpu_us", new Samples(Arrays.copyOfRange(cpuUs, warmUps, warmUps + rounds)));
            if (targets.postgres().isEmpty()) {
                return result.ofPart("a run without PostgreSQL");
            }
            return result.put("postgres_rows_s", comparison.of("postgres"))
                    .put("ratio", comparison.ratio("node", "postgres"));
        }
    }

    private static double copy(Context context, Target target, byte[] csv, int rows) throws SQLException, IOException {
        try (Connection connection = target.connect()) {
            CopyData.makeTable(connection, target.isPostgres());
            if (!target.isPostgres()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET reprise.copy_atomic = off");
                }
            }
            long beganNs = System.nanoTime();
            long copied = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + CopyData.TABLE + " FROM STDIN (FORMAT csv)", new ByteArrayInputStream(csv));
            double rate = rows * 1e9 / (System.nanoTime() - beganNs);
            if (copied != rows || CopyData.count(connection) != rows) {
                throw new IllegalStateException(copied + " rows were copied, not " + rows);
            }
            context.progress("%s: %,.0f rows/s", target.isPostgres() ? "PostgreSQL" : "Reprise", rate);
            return rate;
        }
    }
}
