package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Interleaved;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.util.List;

/**
 * One statement's cost: many of them in one transaction, on a table that fits the processor's cache. Setting the
 * parameters and reading the result are included, beginning and ending the transaction are spread over all of them.
 */
final class PointBenchmark implements Benchmark {
    private static final String DDL = """
            CREATE TABLE point (
              part SMALLINT NOT NULL,
              id INTEGER NOT NULL,
              balance BIGINT NOT NULL,
              owner VARCHAR(15) NOT NULL,
              PRIMARY KEY (part, id) USING HASH
            );
            PARTITION TABLE point ON COLUMN part;
            CREATE PROCEDURE PARTITION ON TABLE point COLUMN part PARAMETER 0
              FROM CLASS io.reprise.benchmark.engine.PointSelect;
            CREATE PROCEDURE PARTITION ON TABLE point COLUMN part PARAMETER 0
              FROM CLASS io.reprise.benchmark.engine.PointUpdate;
            CREATE PROCEDURE PARTITION ON TABLE point COLUMN part PARAMETER 0
              FROM CLASS io.reprise.benchmark.engine.PointLoad;
            """;
    private static final int STATEMENTS = 10_000;
    private static final int ROWS = 1 << 12;

    @Override
    public String name() {
        return "engine-point";
    }

    @Override
    public String description() {
        return "SELECT and UPDATE by primary key, compiled statements, rows in the cache";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("select_ns", "per SELECT of one row").atMost(100),
                Key.of("update_ns", "per UPDATE of one row, with undo and write hash")
                        .atMost(150));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("rows", 1));
    }

    @Override
    public Result run(Context context) throws Exception {
        int rows = context.option("rows", ROWS);
        int calls = context.quickOr(100, 500);
        if (Integer.bitCount(rows) != 1) {
            throw new io.reprise.benchmark.UsageException("--rows needs a power of two, not " + rows);
        }
        try (Reprise engine = Options.create().ddl(DDL).open()) {
            engine.call("PointLoad", 1, rows);
            Interleaved.Comparison comparison = new Interleaved()
                    .add("select", () -> perStatementNs(engine, "PointSelect", rows, calls))
                    .add("update", () -> perStatementNs(engine, "PointUpdate", rows, calls))
                    .run(context.quickOr(5, 10), context.quickOr(7, 21));
            return new Result().put("select_ns", comparison.of("select")).put("update_ns", comparison.of("update"));
        }
    }

    private static double perStatementNs(Reprise engine, String procedure, int rows, int calls) {
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            engine.call(procedure, 1, rows - 1, STATEMENTS, i);
        }
        return (System.nanoTime() - start) / ((double) calls * STATEMENTS);
    }
}
