package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays that do something else, in ways that are easily taken for the same, stop at the first transaction that does. */
final class OtherWritesTest {
    private static final int ROWS = 8;

    private static final LogSettings LOG = SmallDurability.logOfSchemas(48 << 10);

    /** Their rows are each the first of a bucket, so all have the same number in it. */
    private static final String DDL = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL);
            PARTITION TABLE thing ON COLUMN id;
            CREATE TABLE other (id BIGINT NOT NULL PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL);
            PARTITION TABLE other ON COLUMN id;
            """;

    /** Two writes to one row in a varying order. */
    public static final class LastOne extends Procedure {
        private final Statement set = sql("UPDATE thing SET a = ? WHERE id = ?");
        private int calls;

        /** Sets it to 1 and 2 in some order. */
        public long run(long id) {
            calls++;
            int last = calls > 2 ? 2 : 1;
            set.set(0, 3 - last).set(1, id).update();
            return set.set(0, last).set(1, id).update();
        }
    }

    /** The same bytes into another column. */
    public static final class Column extends Procedure {
        private final Statement setA = sql("UPDATE thing SET a = 5 WHERE id = ?");
        private final Statement setB = sql("UPDATE thing SET b = 5 WHERE id = ?");
        private int calls;

        /** Sets one of the two. */
        public long run(long id) {
            calls++;
            return (calls > 2 ? setA : setB).set(0, id).update();
        }
    }

    /** The same into another row. */
    public static final class Row extends Procedure {
        private final Statement set = sql("UPDATE thing SET a = 5 WHERE id = ?");
        private int calls;

        /** Sets it in this or another one. */
        public long run(long id) {
            calls++;
            return set.set(0, calls > 2 ? id : id + 4).update();
        }
    }

    /** Another table is emptied. */
    public static final class Table extends Procedure {
        private final Statement emptyThing = sql("TRUNCATE TABLE thing");
        private final Statement emptyOther = sql("TRUNCATE TABLE other");
        private int calls;

        /** Empties none of them, then one. */
        public long run(long id) {
            calls++;
            return calls == 1 ? emptyOther.update() : calls > 2 ? emptyThing.update() : id;
        }
    }

    /** Rows that are inserted before a table is emptied, and others behind that. */
    public static final class Emptied extends Procedure {
        private final Statement empty = sql("TRUNCATE TABLE thing");
        private final Statement insert = sql("INSERT INTO thing VALUES (?, 1, 1)");
        private int calls;

        /** Leaves one of two new rows. */
        public long run(long id) {
            calls++;
            boolean third = calls > 2;
            insert.set(0, 100 + 2 * id + (third ? 0 : 1)).update();
            empty.update();
            return insert.set(0, 100 + 2 * id + (third ? 1 : 0)).update();
        }
    }

    private static Options options(SimulatedFileStore disk, Class<?> procedure) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .ddl(DDL + "CREATE PROCEDURE Other FROM CLASS " + procedure.getName() + ";")
                .files(disk)
                .durability(Durability.standard()
                        .with(LOG)
                        .with(SmallDurability.snapshots(2))
                        // Only the commands' write hashes can be compared then, as after a crash.
                        .withStateHash(false));
    }

    @ParameterizedTest
    @ValueSource(classes = {LastOne.class, Column.class, Row.class, Table.class, Emptied.class})
    void shouldStopAtTheTransactionThatWritesSomethingElse(Class<?> procedure) {
        SimulatedFileStore disk = new SimulatedFileStore(3);
        long third;
        try (Reprise engine = options(disk, procedure).open()) {
            engine.call("Other", 0L);
            engine.call("Other", 1L);
            for (int id = 0; id < ROWS; id++) {
                engine.sql("UPSERT INTO thing VALUES (?, 0, 0)", id);
                engine.sql("UPSERT INTO other VALUES (?, 0, 0)", id);
            }
            assertThat(engine.snapshot().problem()).isEmpty();
            third = engine.call("Other", 2L).transactionId();
            engine.call("Other", 3L);
        }

        assertThatThrownBy(() -> options(disk, procedure).open())
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageStartingWith("The replay of transaction 0x" + Long.toHexString(third))
                .hasMessageContaining("it wrote something else when it was replayed (hash ");
    }
}
