package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A procedure that names its buckets only by its statements runs while rows are loaded. If a statement meets a bucket that is not loaded, the
 * transaction leaves no trace and comes again.
 */
final class MissedBucketTest {
    private static final int ACCOUNTS = 300;
    private static final String DDL = Bank.DDL + """
            CREATE TABLE note (id BIGINT NOT NULL, number INTEGER NOT NULL, text VARCHAR(20), PRIMARY KEY (id, number));
            PARTITION TABLE note ON COLUMN id;
            CREATE TABLE entry (id BIGINT NOT NULL, text VARCHAR(20));
            PARTITION TABLE entry ON COLUMN id;
            CREATE PROCEDURE Ask FROM CLASS io.reprise.engine.MissedBucketTest$Ask;
            CREATE PROCEDURE Change FROM CLASS io.reprise.engine.MissedBucketTest$Change;
            CREATE PROCEDURE Remove FROM CLASS io.reprise.engine.MissedBucketTest$Remove;
            CREATE PROCEDURE Enter FROM CLASS io.reprise.engine.MissedBucketTest$Enter;
            CREATE PROCEDURE Put FROM CLASS io.reprise.engine.MissedBucketTest$Put;
            CREATE PROCEDURE Joined FROM CLASS io.reprise.engine.MissedBucketTest$Joined;
            CREATE PROCEDURE Catching FROM CLASS io.reprise.engine.MissedBucketTest$Catching;
            CREATE PROCEDURE Own PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.engine.MissedBucketTest$Own;
            CREATE PROCEDURE Four FROM CLASS io.reprise.engine.MissedBucketTest$Four;
            """;

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    /** Whether the log has a write to a replicated table, so that all rows are loaded with the first bucket. */
    private boolean isTied = true;

    /** Changes a row of a loaded bucket first, and inserts one, so that a trace would be seen. */
    abstract static class Traced extends Procedure {
        private final Statement change = sql("UPDATE account SET balance = balance + 1 WHERE id = ?");
        private final Statement insert = sql("INSERT INTO entry (id, text) VALUES (?, 'trace')");

        final void trace(long id) {
            change.set(0, id).update();
            insert.set(0, id).update();
        }
    }

    /** Reads. */
    public static final class Ask extends Traced {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the other's balance. */
        public long run(long one, long other) {
            trace(one);
            return read.set(0, other).first() ? read.rows().longAt(0) : -1;
        }
    }

    /** Changes. */
    public static final class Change extends Traced {
        private final Statement add = sql("UPDATE account SET balance = balance + 7 WHERE id = ?");

        /** Returns the number of changed rows. */
        public long run(long one, long other) {
            trace(one);
            return add.set(0, other).update();
        }
    }

    /** Deletes. */
    public static final class Remove extends Traced {
        private final Statement delete = sql("DELETE FROM account WHERE id = ?");

        /** Returns the number of deleted rows. */
        public long run(long one, long other) {
            trace(one);
            return delete.set(0, other).update();
        }
    }

    /** Inserts, which needs no row that is there. */
    public static final class Enter extends Traced {
        private final Statement insert = sql("INSERT INTO note (id, number, text) VALUES (?, 1, 'blind')");

        /** Returns the number of inserted rows. */
        public long run(long one, long other) {
            trace(one);
            return insert.set(0, other).update();
        }
    }

    /** Inserts or changes. */
    public static final class Put extends Traced {
        private final Statement put = sql("UPSERT INTO account (id, balance, owner) VALUES (?, 5, 'put')");

        /** Returns the number of rows. */
        public long run(long one, long other) {
            trace(one);
            return put.set(0, other).update();
        }
    }

    /** Joins tables within the other's bucket. */
    public static final class Joined extends Traced {
        private final Statement join =
                sql("SELECT COUNT(*) FROM account a JOIN note n ON a.id = n.id WHERE a.id = ? AND n.id = ?");

        /** Returns the number of rows. */
        public long run(long one, long other) {
            trace(one);
            join.set(0, other).set(1, other).first();
            return join.rows().longAt(0);
        }
    }

    /** Catches each exception, and would commit. */
    public static final class Catching extends Traced {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the other's balance, or less than 0 if there was an exception. */
        public long run(long one, long other) {
            trace(one);
            try {
                return read.set(0, other).first() ? read.rows().longAt(0) : -1;
            } catch (ProcedureException e) {
                return -100;
            }
        }
    }

    /** Is routed to one bucket, and searches a table without an index for its rows. */
    public static final class Own extends Procedure {
        private final Statement put = sql("UPSERT INTO account (id, balance, owner) VALUES (?, 5, 'own')");
        private final Statement entries = sql("SELECT COUNT(*) FROM entry WHERE id = ?");

        /** Returns the number of entries. */
        public long run(long id) {
            put.set(0, id).update();
            entries.set(0, id).first();
            return entries.rows().longAt(0);
        }
    }

    /** Needs more buckets than a transaction may meet one after the other. */
    public static final class Four extends Traced {
        private final Statement read = sql("SELECT balance FROM account WHERE id = ?");

        /** Returns the sum of balances. */
        public long run(long one, long other) {
            trace(one);
            long sum = 0;
            for (long id = other; id < other + 6; id++) {
                sum += read.set(0, id).first() ? read.rows().longAt(0) : 0;
            }
            return sum;
        }
    }

    private Options options(int partitions, LoggingMethod method) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .durability(Durability.standard()
                        .with(method)
                        .with(SmallDurability.logOfSchemas(256 << 10))
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(true);
    }

    private void fill(Reprise engine, boolean durable) {
        for (long id = 0; id < ACCOUNTS; id++) {
            engine.call("OpenAccount", id, 100 + id, "owner " + id);
        }
        if (durable) {
            assertThat(engine.snapshot().problem()).isEmpty();
        }
        for (long id = 0; id < ACCOUNTS; id += 3) {
            engine.call("Transfer", id, (id + 1) % ACCOUNTS, 2L);
        }
        if (isTied) {
            engine.call("SetRate", "base", 3);
        }
        engine.call("OpenAccount", ACCOUNTS + 1L, 1L, "last");
    }

    private Reprise killedAndOpened(int partitions, LoggingMethod method) {
        Reprise engine = options(partitions, method).files(disk).open();
        fill(engine, true);
        disk = disk.kill();
        abandon(engine);
        return options(partitions, method).files(disk).open();
    }

    private static void abandon(Reprise engine) {
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ask", "Change", "Remove", "Enter", "Put", "Joined", "Catching"})
    void shouldComeAgainWithoutATrace(String procedure) {
        for (int partitions = 1; partitions <= 3; partitions++) {
            disk = new SimulatedFileStore(partitions);
            isTied = partitions == 2;
            Reprise oracle = options(partitions, LoggingMethod.COMMAND).open();
            fill(oracle, false);
            try (Reprise engine = killedAndOpened(partitions, LoggingMethod.COMMAND)) {
                assertThat(ComparedCalls.reply(engine, "Balance", 0L))
                        .isEqualTo(ComparedCalls.reply(oracle, "Balance", 0L));

                String expected = ComparedCalls.reply(oracle, procedure, 0L, 7L);
                assertThat(ComparedCalls.reply(engine, procedure, 0L, 7L)).isEqualTo(expected);

                LoadStats loads = engine.load().orElseThrow();
                assertThat(loads.ready()).as("it did not wait for all").isLessThan(loads.buckets());
                assertThat(loads.onDemand()).isEqualTo(2);
                assertThat(ComparedCalls.reply(engine, "Total")).isEqualTo(ComparedCalls.reply(oracle, "Total"));
                assertThat(engine.contentHashes()).isEqualTo(oracle.contentHashes());
            }
            oracle.close();
        }
    }

    /** No row of the missed bucket is there, which only its scope knows. */
    @Test
    void shouldComeAgainWhenTheBucketOfTheRoutingParameterIsMissed() {
        isTied = false;
        Reprise oracle = options(2, LoggingMethod.PHYSIOLOGICAL).open();
        fill(oracle, false);
        try (Reprise engine = killedAndOpened(2, LoggingMethod.PHYSIOLOGICAL)) {
            assertThat(ComparedCalls.reply(engine, "Balance", 0L))
                    .isEqualTo(ComparedCalls.reply(oracle, "Balance", 0L));
            assertThat(engine.load().orElseThrow().rows()).isLessThan(ACCOUNTS / 2);
            for (long id = ACCOUNTS / 2; id < ACCOUNTS / 2 + 10; id++) {
                assertThat(ComparedCalls.reply(engine, "Own", id)).isEqualTo(ComparedCalls.reply(oracle, "Own", id));
            }
            assertThat(ComparedCalls.reply(engine, "Total")).isEqualTo(ComparedCalls.reply(oracle, "Total"));
            assertThat(engine.contentHashes()).isEqualTo(oracle.contentHashes());
        }
        oracle.close();
    }

    @Test
    void shouldWaitForAllRowsAfterThreeMisses() {
        Reprise oracle = options(2, LoggingMethod.COMMAND).open();
        fill(oracle, false);
        try (Reprise engine = killedAndOpened(2, LoggingMethod.COMMAND)) {
            engine.call("Balance", 0L);
            oracle.call("Balance", 0L);

            assertThat(ComparedCalls.reply(engine, "Four", 0L, 20L))
                    .isEqualTo(ComparedCalls.reply(oracle, "Four", 0L, 20L));

            LoadStats loads = engine.load().orElseThrow();
            assertThat(loads.ready()).isEqualTo(loads.buckets());
            assertThat(engine.contentHashes()).isEqualTo(oracle.contentHashes());
        }
        oracle.close();
    }

    /** Calls of all kinds at once give the replies and rows of an engine that has never stopped. */
    @Test
    void shouldAnswerAsAnEngineThatHasNeverStopped() {
        Seeds.forEach(4, this::compare);
    }

    private void compare(long seed) {
        disk = new SimulatedFileStore(seed);
        SeededRandomness random = new SeededRandomness(seed);
        isTied = random.chance(0.5);
        int partitions = 1 + random.nextInt(3);
        LoggingMethod method = random.chance(0.5) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        List<String> names = List.of("Ask", "Change", "Remove", "Put", "Joined", "Catching", "Four", "Transfer");
        Reprise oracle = options(partitions, method).open();
        fill(oracle, false);
        Reprise engine = killedAndOpened(partitions, method);
        List<String> replies = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            clock.advance(1_000_000);
            long one = random.nextInt(ACCOUNTS);
            long other = random.nextInt(ACCOUNTS);
            boolean moves = random.chance(0.1);
            String name = moves ? "GetRate" : names.get(random.nextInt(names.size()));
            Object[] arguments = moves
                    ? new Object[] {"base"}
                    : name.equals("Transfer") ? new Object[] {one, other, 1L} : new Object[] {one, other};
            replies.add(ComparedCalls.reply(engine, name, arguments));
            expected.add(ComparedCalls.reply(oracle, name, arguments));
        }
        assertThat(replies).as("seed " + seed).isEqualTo(expected);
        assertThat(engine.call("Total").longValue())
                .isEqualTo(oracle.call("Total").longValue());
        assertThat(engine.contentHashes()).as("seed " + seed).isEqualTo(oracle.contentHashes());
        abandon(engine);
        oracle.close();
    }
}
