package io.reprise.benchmark.micro;

import io.reprise.catalog.Catalog;
import io.reprise.id.Buckets;
import io.reprise.id.TransactionId;
import io.reprise.procedure.Statement;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one compiled statement, without executor and procedure: transactions are made of these. A transaction
 * is begun and committed for each 16 statements.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StatementBenchmark {
    private static final int PER_TRANSACTION = 16;

    @Param({"10000", "1000000"})
    int rows;

    @Param({"HASH", "ORDERED"})
    String index;

    private PartitionStore store;
    private Statement select;
    private Statement selectString;
    private Statement update;
    private Statement insert;
    private Statement delete;
    private long state = 1;
    private long transaction = TransactionId.of(TransactionId.EPOCH_MICROS + 1, 0);
    private int statements;

    @Setup(Level.Trial)
    public void load() {
        Catalog catalog = CatalogScript.load("CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20) NOT NULL,"
                + " branch INTEGER NOT NULL, balance DECIMAL(12,2) NOT NULL, PRIMARY KEY (id) USING " + index + ");"
                + "PARTITION TABLE account ON COLUMN id;");
        store = new PartitionStore(PartitionStore.Options.single(4L << 30));
        catalog.tables().values().forEach(store::createTable);
        select = compile(catalog, "SELECT branch, balance FROM account WHERE id = ?");
        selectString = compile(catalog, "SELECT owner FROM account WHERE id = ?");
        update = compile(catalog, "UPDATE account SET balance = balance + ? WHERE id = ?");
        insert = compile(catalog, "INSERT INTO account VALUES (?, ?, ?, ?)");
        delete = compile(catalog, "DELETE FROM account WHERE id = ?");
        store.begin(++transaction);
        for (int i = 0; i < rows; i++) {
            if (i % 1000 == 999) {
                next();
            }
            insert.set(0, i)
                    .set(1, "owner " + i % 100_000)
                    .set(2, i % 100)
                    .setUnscaled(3, i)
                    .update();
        }
        next();
    }

    private CompiledStatement compile(Catalog catalog, String sql) {
        return StatementFactory.compile(StatementPlanner.plan(catalog, sql)).create(store);
    }

    @TearDown(Level.Trial)
    public void close() {
        store.close();
    }

    private void next() {
        store.commit();
        store.begin(++transaction);
        statements = 0;
    }

    private int key() {
        if (++statements == PER_TRANSACTION) {
            next();
        }
        state = Buckets.mix(state, state + 0x9E3779B97F4A7C15L);
        return (int) Math.unsignedMultiplyHigh(state, rows);
    }

    @Benchmark
    public long selectNumbers() {
        select.set(0, key());
        return select.first() ? select.rows().longAt(0) + select.rows().unscaledAt(1) : -1;
    }

    @Benchmark
    public int selectText() {
        selectString.set(0, key());
        return selectString.first() ? selectString.rows().textAt(0).length() : -1;
    }

    @Benchmark
    public long updateNumber() {
        int key = key();
        return update.setUnscaled(0, 1).set(1, key).update();
    }

    @Benchmark
    public long insertAndDelete() {
        int key = key() + rows;
        long inserted = insert.set(0, key)
                .set(1, "somebody")
                .set(2, 5)
                .setUnscaled(3, 100)
                .update();
        return inserted + delete.set(0, key).update();
    }
}
