package io.reprise.benchmark.cluster;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Call;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.RandomValues;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/** A table of many rows of some 130 bytes, and updates of single rows. */
final class Items extends Additions {
    /** A call's record in the log, roughly. */
    static final int RECORD_BYTES = 30;

    private static final int CALLS_AT_ONCE = 4_096;
    private static final String TEXT = "x".repeat(100);

    private final int rows;

    Items(int rows) {
        super("SELECT SUM(v) FROM item", 1);
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

    /** Inserts all rows over a connection of its own. */
    void load(ClientSettings settings) throws InterruptedException {
        try (Client client = Client.connect(settings)) {
            load(client);
        }
    }

    private void load(Client client) throws InterruptedException {
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
    public Generator generator(long seed, Placement placement, int partition) {
        return new Updates(new RandomValues(seed), rows);
    }

    /** A call whose connection ended has no reply, and may have run. */
    @Override
    boolean isRight(long held, long expected) {
        return held >= expected;
    }

    private static final class Updates extends Calls {
        private final RandomValues random;
        private final int rows;

        Updates(RandomValues random, int rows) {
            this.random = random;
            this.rows = rows;
        }

        @Override
        public int next(Call call) {
            call.procedure(0).add(1).add(random.uniform(0, rows - 1));
            return 0;
        }
    }
}
