package io.reprise.sql.compile;

import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.storage.PartitionStore;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;

/** Measures point statements in a procedure's way of calling them, by CPU time; not a test. */
final class PointTiming {
    private static final int ROWS = 1 << 20;
    private static final int ROUNDS = 6;

    private final PartitionStore store;
    private final Statement insert;
    private final Statement select;
    private final Statement update;
    private final Statement wide;
    private long transaction = 1 << 12;

    private PointTiming(TestDatabase database) {
        store = database.store;
        insert = database.statement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)");
        select = database.statement("SELECT a, b FROM t WHERE id = ?");
        update = database.statement("UPDATE t SET a = a + ? WHERE id = ?");
        wide = database.statement("SELECT a, b, d, s, l FROM t WHERE id = ?");
    }

    private void begin() {
        store.begin(transaction += 4096);
    }

    private long select(long key) {
        begin();
        long sum = 0;
        if (select.set(0, key).first()) {
            Rows rows = select.rows();
            sum = rows.longAt(0) + rows.longAt(1);
        }
        store.commit();
        return sum;
    }

    private long wide(long key) {
        begin();
        long sum = 0;
        if (wide.set(0, key).first()) {
            Rows rows = wide.rows();
            sum = rows.longAt(0)
                    + rows.unscaledAt(2)
                    + rows.textAt(3).length()
                    + rows.textAt(4).length();
        }
        store.commit();
        return sum;
    }

    private long update(long key) {
        begin();
        long count = update.set(0, 7L).set(1, key).update();
        store.commit();
        return count;
    }

    public static void main(String[] args) {
        try (TestDatabase database = new TestDatabase("""
                CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT NOT NULL, b BIGINT, d DECIMAL(12,2), s VARCHAR(24),
                  l VARCHAR(50));
                PARTITION TABLE t ON COLUMN id;
                """)) {
            PointTiming timing = new PointTiming(database);
            timing.load();
            for (int round = 0; round < ROUNDS; round++) {
                for (int kind = 0; kind < 3; kind++) {
                    timing.measure(kind, ROWS);
                    timing.measure(kind, 1024);
                }
                System.out.println();
            }
        }
    }

    private void load() {
        for (long i = 0; i < ROWS; i++) {
            begin();
            insert.set(0, i).set(1, i * 3).set(2, i * 5).setUnscaled(3, i).set(4, "the text of the row");
            insert.set(5, "another text of the row, longer").update();
            store.commit();
        }
    }

    private void measure(int kind, int rows) {
        SplittableRandom random = new SplittableRandom(5);
        int count = 2_000_000;
        long sum = 0;
        long start = cpuNanos();
        for (int i = 0; i < count; i++) {
            long key = random.nextLong() & (rows - 1);
            sum += switch (kind) {
                case 0 -> select(key);
                case 1 -> update(key);
                default -> wide(key);
            };
        }
        double nanos = (double) (cpuNanos() - start) / count;
        String what = kind == 0 ? "select" : kind == 1 ? "update" : "select of strings";
        System.out.printf("%s, one of %d rows: %.1f ns (%d)%n", what, rows, nanos, sum);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
