package io.reprise.benchmark.cluster;

import io.reprise.client.Client;
import io.reprise.procedure.Rows;
import io.reprise.workload.Call;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import io.reprise.workload.Workload;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** A table of many rows of some 130 bytes, and updates of single rows. */
final class Items implements Workload {
    /** A call's record in the log, roughly. */
    static final int RECORD_BYTES = 30;

    private static final int CALLS_AT_ONCE = 4_096;
    private static final String TEXT = "x".repeat(100);

    private final int rows;

    Items(int rows) {
        this.rows = rows;
    }

    @Override
    public String name() {
        return "items";
    }

    @Override
    public String ddl() {
        return """
                CREATE TABLE item (k BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL, t VARCHAR(100) NOT NULL);
                PARTITION TABLE item ON COLUMN k;
                CREATE PROCEDURE AddItem PARTITION ON TABLE item COLUMN k AS INSERT INTO item VALUES (?, 0, ?);
                CREATE PROCEDURE AddTo PARTITION ON TABLE item COLUMN k PARAMETER 1 AS
                    UPDATE item SET v = v + ? WHERE k = ?;
                """;
    }

    @Override
    public List<String> procedures() {
        return List.of("AddTo");
    }

    @Override
    public void load(Database database) {
        // The benchmark inserts them by many calls at once.
    }

    /** Inserts all rows. */
    void load(Client client) throws InterruptedException {
        Semaphore free = new Semaphore(CALLS_AT_ONCE);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        for (int row = 0; row < rows; row++) {
            free.acquire();
            client.callAsync("AddItem", (long) row, TEXT).whenComplete((reply, failed) -> {
                if (failed != null) {
                    failure.compareAndSet(null, failed);
                }
                free.release();
            });
        }
        free.acquire(CALLS_AT_ONCE);
        if (failure.get() != null) {
            throw new IllegalStateException("a row could not be inserted", failure.get());
        }
    }

    @Override
    public long held(Database database) {
        Rows sum = database.query("SELECT SUM(v) FROM item");
        sum.next();
        return sum.longAt(0);
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new Calls(new RandomValues(seed), rows);
    }

    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        long expected = before;
        for (Generator each : ran) {
            expected += ((Calls) each).added;
        }
        long held = held(database);
        // A call whose connection ended has no reply, and may have run.
        return held >= expected
                ? List.of()
                : List.of(new Violation("each addition is kept", "the sum is " + held + ", not " + expected));
    }

    private static final class Calls implements Generator {
        private final RandomValues random;
        private final int rows;
        private long added;

        Calls(RandomValues random, int rows) {
            this.random = random;
            this.rows = rows;
        }

        @Override
        public int next(Call call) {
            call.procedure(0).add(1).add(random.uniform(0, rows - 1));
            return 0;
        }

        @Override
        public void completed(int procedure, boolean committed, long value) {
            added += committed ? 1 : 0;
        }
    }
}
