package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.engine.Reprise;
import io.reprise.engine.Stats;
import io.reprise.procedure.Rows;
import io.reprise.storage.MemoryUse;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;
import java.util.Locale;

/**
 * The memory of rows against their content. The packed row has its values written one after another: the width of a
 * fixed type, a length byte and the characters of a string (two bytes of length if it is declared longer than 255), a
 * bit for each column that may be NULL. The memory is the table's share of the partition's limit, free places
 * included.
 */
final class MemoryBenchmark implements Benchmark {
    private static final int CHURN_BATCH = 1_000;

    @Override
    public String name() {
        return "engine-memory";
    }

    @Override
    public String description() {
        return "Memory taken by TPC-C's rows and indexes, after loading and after churn";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("row_ratio", "bytes taken for rows and strings against packed rows, the worst of all states")
                        .atMost(1.3),
                Key.of("index_bytes_per_entry", "bytes taken for indexes, for each entry, after the run"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 1), Option.number("rows", 1));
    }

    @Override
    public Result run(Context context) {
        int warehouses = context.option("warehouses", context.quickOr(1, 4));
        int churnRows = context.option("rows", context.quickOr(50_000, 500_000));
        TpccOptions options = TpccOptions.standard(warehouses);
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(new Tpcc(options), 1, EngineRun.MEMORY_FOR_ONE)) {
            double loaded = ratio(run.engine(), "all tables", context);
            context.progress("Running TPC-C");
            run.start();
            run.watch(context.quickOr(5, 30));
            run.stop();
            double afterRun = ratio(run.engine(), "all tables", context);
            double perEntry = indexBytesPerEntry(run.engine());
            context.progress("Replacing rows");
            run.engine().ddl(Churn.DDL);
            churn(run.engine(), churnRows);
            double filled = ratio(run.engine(), "CHURN", context);
            for (int i = 0; i < 10; i++) {
                churn(run.engine(), churnRows);
            }
            double churned = ratio(run.engine(), "CHURN", context);
            return new Result()
                    .put("row_ratio", Math.max(Math.max(loaded, afterRun), churned))
                    .put("index_bytes_per_entry", perEntry)
                    .fact("after_load", format(loaded))
                    .fact("after_run", format(afterRun))
                    .fact("before_churn", format(filled))
                    .fact("after_churn", format(churned));
        }
    }

    private static void churn(Reprise engine, int rows) {
        for (int done = 0; done < rows; done += CHURN_BATCH) {
            engine.call("Churn", 1, rows, CHURN_BATCH, System.nanoTime());
        }
    }

    private static double ratio(Reprise engine, String which, Context context) {
        long taken = 0;
        long packed = 0;
        for (Table table : engine.catalog().tables().values()) {
            if (which.equals("all tables") || which.equals(table.name())) {
                MemoryUse use = use(engine, table.name());
                long bytes = packedBytes(engine, table);
                taken += use.rows() + use.strings();
                packed += bytes;
                context.progress(
                        "%-12s %,13d bytes packed, %,13d taken for rows, %,13d for strings",
                        table.name(), bytes, use.rows(), use.strings());
            }
        }
        return (double) taken / packed;
    }

    private static double indexBytesPerEntry(Reprise engine) {
        long bytes = 0;
        long entries = 0;
        for (String table : engine.catalog().tables().keySet()) {
            MemoryUse use = use(engine, table);
            bytes += use.indexes();
            entries += use.indexEntries();
        }
        return (double) bytes / entries;
    }

    private static MemoryUse use(Reprise engine, String table) {
        Stats.PartitionStats partition = engine.stats().partitions().getFirst();
        return partition.tables().get(table).memory();
    }

    private static long packedBytes(Reprise engine, Table table) {
        StringBuilder sql = new StringBuilder("SELECT COUNT(*)");
        long fixed = 0;
        int nullable = 0;
        for (Column column : table.columns()) {
            nullable += column.nullable() ? 1 : 0;
            if (column.type().kind().isString()) {
                sql.append(", SUM(CHAR_LENGTH(").append(column.name()).append("))");
                fixed += column.type().precision() > 255 ? 2 : 1;
            } else {
                fixed += column.type().kind().width();
            }
        }
        Rows rows =
                engine.sql(sql.append(" FROM ").append(table.name()).toString()).rows();
        rows.next();
        long bytes = rows.longAt(0) * (fixed + (nullable + 7) / 8);
        for (int i = 1; i < rows.columns(); i++) {
            bytes += rows.isNull(i) ? 0 : rows.longAt(i);
        }
        return bytes;
    }

    private static String format(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}
