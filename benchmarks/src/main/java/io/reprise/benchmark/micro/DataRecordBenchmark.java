package io.reprise.benchmark.micro;

import io.reprise.catalog.Catalog;
import io.reprise.id.Buckets;
import io.reprise.procedure.Statement;
import io.reprise.record.command.CommandWriter;
import io.reprise.record.data.DataCollector;
import io.reprise.redo.DataDecoder;
import io.reprise.redo.DataRedo;
import io.reprise.redo.RedoBatch;
import io.reprise.redo.RedoBatches;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.workload.Ddl;
import io.reprise.workload.tpcc.Tpcc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
 * The cost of logging and replaying the writes of a New-Order of ten lines: one district and ten stock rows updated, twelve
 * rows inserted. Redo puts the order in and takes it out again, so a call of it is two records with 46 operations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DataRecordBenchmark {
    private static final int LINES = 10;
    private static final int ITEMS = 100_000;
    private static final int ORDERS = 3000;
    private static final String TEXT = "abcdefghijklmnopqrstuvwxyz";

    private static final long MOST_BYTES = 16 << 20;
    private static final long RECORD = 64;

    @Param({"true", "false"})
    boolean differential;

    private final int[] items = new int[LINES];
    private final int[] warehouses = new int[LINES];
    private final int[] quantities = new int[LINES];
    private final CommandWriter command = new CommandWriter();
    private Catalog catalog;
    private PartitionStore store;
    private DataCollector collector;
    private DataRedo redo;
    private DataDecoder decoder;
    private Memory records;
    private RedoBatch batch;
    private MemorySegment forward;
    private MemorySegment backward;
    private RowImageCodec stockCodec;
    private ImageCursor cursor;
    private long stockRow;
    private long image;
    private boolean underWay;

    @Setup(Level.Trial)
    public void load() {
        catalog = CatalogScript.load(Ddl.resource(Tpcc.class, "tpcc.sql"));
        store = new PartitionStore(PartitionStore.Options.single(4L << 30));
        catalog.tables().values().forEach(store::createTable);
        collector = new DataCollector(store, differential);
        redo = new DataRedo(store, 1 << 10);
        decoder = redo.newDecoder();
        records = Memory.reserve(MOST_BYTES);
        batch = new RedoBatch();
        store.begin(1);
        fill();
        store.commit();
        for (int i = 0; i < LINES; i++) {
            items[i] = (int) Math.unsignedMultiplyHigh(Buckets.mix(i, 0x9E3779B97F4A7C15L * (i + 1)), ITEMS) + 1;
            warehouses[i] = 1;
            quantities[i] = 5;
        }
        forward = record(1);
        store.commit();
        backward = record(-1);
        store.commit();
        System.out.println("Bytes of a New-Order: " + forward.byteSize() + " of data, " + command() + " of command");
        TableStore stock = table("STOCK");
        stockCodec = new RowImageCodec(store, stock);
        cursor = new ImageCursor(store.memory());
        stockRow = stock.first();
        record(1);
        underWay = true;
        image = store.scratch(1000);
    }

    private TableStore table(String name) {
        return store.table(catalog.tables().get(name).id());
    }

    private void fill() {
        sql("INSERT INTO district VALUES (1, 1, 'name', 'street', 'street', 'city', 'st', '123456789', 0.1, 10.0, 3001)")
                .update();
        Statement stock = sql("INSERT INTO stock (s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt, s_data,"
                + " s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09,"
                + " s_dist_10) VALUES (1, ?, 50, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (int item = 1; item <= ITEMS; item++) {
            stock.set(0, item).set(1, TEXT + TEXT.substring(0, item % 24));
            for (int i = 2; i < 12; i++) {
                stock.set(i, TEXT.substring(2));
            }
            stock.update();
        }
        for (int order = 1; order <= ORDERS; order++) {
            order(order);
        }
    }

    private Statement sql(String text) {
        return StatementFactory.compile(StatementPlanner.plan(catalog, text)).create(store);
    }

    private void order(int order) {
        sql("INSERT INTO orders VALUES (1, 1, " + order + ", 17, TIMESTAMP '2026-01-01 00:00:00', NULL, 10, 1)")
                .update();
        sql("INSERT INTO new_order VALUES (1, 1, " + order + ")").update();
    }

    /** Runs a New-Order's writes, or what undoes them, up to the commit, and returns the payload. */
    private MemorySegment record(int direction) {
        store.begin(2);
        int order = ORDERS + 1;
        sql("UPDATE district SET d_next_o_id = d_next_o_id + " + direction + " WHERE d_w_id = 1 AND d_id = 1")
                .update();
        if (direction > 0) {
            order(order);
        } else {
            sql("DELETE FROM orders WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = " + order)
                    .update();
            sql("DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = " + order)
                    .update();
            sql("DELETE FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = " + order)
                    .update();
        }
        for (int i = 0; i < LINES; i++) {
            sql("UPDATE stock SET s_quantity = s_quantity - " + 5 * direction + ", s_ytd = s_ytd + " + 5 * direction
                            + ", s_order_cnt = s_order_cnt + " + direction + ", s_remote_cnt = s_remote_cnt + 0"
                            + " WHERE s_w_id = 1 AND s_i_id = " + items[i])
                    .update();
            if (direction > 0) {
                sql("INSERT INTO order_line VALUES (1, 1, " + order + ", " + (i + 1) + ", " + items[i] + ", 1, NULL, 5,"
                                + " 123.45, '" + TEXT.substring(2) + "')")
                        .update();
            }
        }
        collector.collect(true);
        long end = collector.writeTo(records, RECORD);
        return MemorySegment.ofArray(
                records.segment().asSlice(RECORD, end - RECORD).toArray(ValueLayout.JAVA_BYTE));
    }

    @TearDown(Level.Trial)
    public void close() {
        store.rollback();
        store.verify();
        store.close();
        batch.close();
        records.close();
    }

    /** A New-Order's data record, from its writes to its payload. The writes stay; only the scratch space is emptied. */
    @Benchmark
    public long collect() {
        store.begin(2);
        collector.collect(true);
        return collector.writeTo(records, RECORD);
    }

    /** A New-Order's call, from its values to its payload. */
    @Benchmark
    public int command() {
        command.begin(17);
        command.putInteger(1);
        command.putInteger(1);
        command.putInteger(2999);
        command.putInts(items);
        command.putInts(warehouses);
        command.putInts(quantities);
        return command.length();
    }

    /** A stock row of 300 bytes to its image. */
    @Benchmark
    public long writeStockRow() {
        return stockCodec.writeRow(stockRow, store.memory(), image);
    }

    /** The same and back into a new place. */
    @Benchmark
    public long writeAndReadStockRow() {
        long end = stockCodec.writeRow(stockRow, store.memory(), image);
        cursor.over(image, end - image);
        long row = stockCodec.store().allocate();
        stockCodec.readRow(cursor, row);
        stockCodec.store().abandon(row);
        return row;
    }

    /** A New-Order's record and the one that takes it back, applied. */
    @Benchmark
    public void redoTwice() {
        if (underWay) {
            // The writes that collecting needs; for redo there must be no transaction.
            store.rollback();
            underWay = false;
        }
        apply(2, forward);
        apply(3, backward);
    }

    private final RedoBatches batches = full -> {
        redo.apply(full);
        full.clear();
        return full;
    };

    private void apply(long transactionId, MemorySegment payload) {
        records.copyIn(payload, 0, RECORD, payload.byteSize());
        batch.clear();
        redo.apply(decoder.decode(transactionId, records, RECORD, payload.byteSize(), batch, batches));
    }
}
