package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.Rows;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PARTITION TABLE on tables with rows. */
final class PartitionTableTest {
    private static final int ROWS = 200;
    private static final String TABLE = """
            CREATE TABLE item (id BIGINT NOT NULL, code VARCHAR(40) NOT NULL, price DECIMAL(9, 2) NOT NULL, made DATE NOT NULL,
                n INTEGER, raw VARBINARY(60));
            CREATE UNIQUE INDEX by_all ON item (id, code, price, made) USING ORDERED;
            CREATE INDEX by_n ON item (n);
            CREATE PROCEDURE Count_item AS SELECT COUNT(*), SUM(n) FROM item;
            """;

    private static Options options(int partitions, SimulatedFileStore disk, LoggingMethod method) {
        return Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .files(disk)
                .durability(Durability.standard().with(method));
    }

    /** Rows with and without strings outside of the row, and gaps in their numbers. */
    private static void fill(Reprise engine) {
        for (int i = 0; i < ROWS; i++) {
            insert(engine, i);
        }
        engine.sql("DELETE FROM item WHERE id < 20");
        engine.sql("UPDATE item SET n = n + 1 WHERE id > 150");
    }

    private static void insert(Reprise engine, int i) {
        engine.sql(
                "INSERT INTO item VALUES (?, ?, ?, CAST('2026-01-31' AS DATE), ?, ?)",
                i,
                "code " + "x".repeat(i % 30) + i % 50,
                new java.math.BigDecimal(i + ".25"),
                i % 7 == 0 ? null : i,
                new byte[i % 60]);
    }

    private static List<String> rows(Reprise engine, String sql) {
        List<String> found = new ArrayList<>();
        Rows rows = engine.sql(sql).rows();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < rows.columns(); i++) {
                row.append(rows.isNull(i) ? "-" : String.valueOf(rows.valueAt(i)))
                        .append(' ');
            }
            found.add(row.toString());
        }
        return found;
    }

    private static List<String> all(Reprise engine) {
        return rows(engine, "SELECT id, code, price, made, n, OCTET_LENGTH(raw) FROM item ORDER BY id, code");
    }

    private static long called(Reprise engine) {
        Rows rows = engine.call("Count_item").rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @CsvSource({
        "id, 1, 3, COMMAND, NONE",
        "id, 3, 1, PHYSIOLOGICAL, BEFORE",
        "code, 3, 2, COMMAND, BEFORE",
        "code, 2, 3, PHYSIOLOGICAL, AFTER",
        "price, 2, 2, ADAPTIVE, NONE",
        "price, 3, 3, COMMAND, AFTER",
        "made, 3, 1, PHYSIOLOGICAL, NONE",
        "made, 2, 2, COMMAND, BEFORE"
    })
    void shouldKeepAllRowsOverRestarts(String column, int before, int after, LoggingMethod method, String snapshot) {
        SimulatedFileStore disk = new SimulatedFileStore(5);
        List<String> rows;
        long[] content;
        try (Reprise engine = options(before, disk, method).ddl(TABLE).open()) {
            fill(engine);
            if (snapshot.equals("BEFORE")) {
                assertThat(engine.snapshot().succeeded()).isTrue();
            }
            rows = all(engine);

            engine.ddl("PARTITION TABLE item ON COLUMN " + column);

            assertThat(engine.catalog().table("ITEM").orElseThrow().replicated())
                    .isFalse();
            assertThat(all(engine)).isEqualTo(rows);
            assertThat(called(engine)).isEqualTo(ROWS - 20);
            if (snapshot.equals("AFTER")) {
                assertThat(engine.snapshot().succeeded()).isTrue();
            }
            insert(engine, ROWS + 1);
            engine.sql("UPDATE item SET n = 4 WHERE id = 33");
            engine.sql("DELETE FROM item WHERE id = 34 AND code LIKE 'code%'");
            assertThatThrownBy(() -> insert(engine, 40)).hasMessageContaining("BY_ALL");
            rows = all(engine);
            content = engine.contentHashes();
        }
        try (Reprise again = options(after, disk, method).open()) {
            assertThat(all(again)).isEqualTo(rows);
            if (before == after) {
                assertThat(again.contentHashes()).isEqualTo(content);
            }
            assertThat(rows(again, "SELECT id FROM item WHERE n = 100")).containsExactly("100 ");
            assertThatThrownBy(() -> insert(again, 40)).hasMessageContaining("BY_ALL");
            insert(again, ROWS + 2);
            assertThat(called(again)).isEqualTo(ROWS - 19);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldChangeColumnsInTheSameScript(int partitions) {
        SimulatedFileStore disk = new SimulatedFileStore(6);
        List<String> rows;
        try (Reprise engine = options(partitions, disk, LoggingMethod.COMMAND)
                .ddl("CREATE TABLE t (gone VARCHAR(9), id INTEGER NOT NULL, name VARCHAR(40))")
                .open()) {
            engine.sql(
                    "INSERT INTO t VALUES ('a', 1, 'one'), ('b', 2, 'two'), ('c', 3, 'a name that is longer than others')");

            engine.ddl("ALTER TABLE t DROP COLUMN gone; ALTER TABLE t ALTER id TYPE BIGINT;"
                    + " PARTITION TABLE t ON COLUMN id; ALTER TABLE t ADD COLUMN more INTEGER DEFAULT 5");
            engine.ddl("ALTER TABLE t ADD PRIMARY KEY (id)");

            rows = rows(engine, "SELECT * FROM t ORDER BY id");
            assertThat(rows).containsExactly("1 one 5 ", "2 two 5 ", "3 a name that is longer than others 5 ");
        }
        try (Reprise again =
                options(partitions + 1, disk, LoggingMethod.COMMAND).open()) {
            assertThat(rows(again, "SELECT * FROM t ORDER BY id")).isEqualTo(rows);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldMoveThePartitioningColumnWhenOneBeforeItIsDropped(int partitions) {
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE t (gone INTEGER, id INTEGER NOT NULL, n INTEGER); PARTITION TABLE t ON COLUMN id")
                .open()) {
            engine.sql("INSERT INTO t VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3)");

            engine.ddl("ALTER TABLE t DROP COLUMN gone");

            for (int id = 10; id <= 30; id += 10) {
                assertThat(engine.sql("UPDATE t SET n = n + 1 WHERE id = " + id).longValue())
                        .isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldHoldForeignKeysWhereRowsAreTogether(int partitions) {
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE parent (id INTEGER NOT NULL PRIMARY KEY);"
                        + " CREATE TABLE child (parent INTEGER NOT NULL REFERENCES parent, n INTEGER)")
                .open()) {
            engine.sql("INSERT INTO parent VALUES (1), (2), (3)");
            engine.sql("INSERT INTO child VALUES (1, 1), (2, 2), (2, 3)");

            engine.ddl("PARTITION TABLE child ON COLUMN parent");
            assertThatThrownBy(() -> engine.sql("INSERT INTO child VALUES (9, 1)"))
                    .hasMessageContaining("PARENT");
            engine.ddl("PARTITION TABLE parent ON COLUMN id");

            assertThatThrownBy(() -> engine.sql("INSERT INTO child VALUES (9, 1)"))
                    .hasMessageContaining("PARENT");
            assertThatThrownBy(() -> engine.sql("DELETE FROM parent WHERE id = 2"))
                    .hasMessageContaining("CHILD");
            assertThat(engine.sql("DELETE FROM parent WHERE id = 3").longValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldGiveBackMemoryWhenThereIsTooLittle() {
        try (Reprise engine = Options.create()
                .partitions(2)
                .memoryPerPartition(4 << 20)
                .ddl("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, text VARCHAR(4000))")
                .open()) {
            int rows = 0;
            String text = "x".repeat(4000);
            for (; rows < 700; rows++) {
                engine.sql("INSERT INTO t VALUES (?, ?)", rows, text);
            }
            long[] before = engine.contentHashes();

            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> engine.ddl("PARTITION TABLE t ON COLUMN id"))
                        .hasMessageContaining("memory");
            }

            assertThat(engine.contentHashes()).isEqualTo(before);
            engine.sql("DELETE FROM t WHERE id >= 200");
            engine.ddl("PARTITION TABLE t ON COLUMN id");
            assertThat(rows(engine, "SELECT COUNT(*) FROM t")).containsExactly("200 ");
        }
    }

    @Test
    void shouldRebuildAPartitionFromASnapshotOfTheReplicatedTable() {
        SimulatedClock clock = new SimulatedClock();
        try (Reprise engine = options(3, new SimulatedFileStore(7), LoggingMethod.COMMAND)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(SmallDurability.withFootprints())
                .ddl(TABLE)
                .open()) {
            fill(engine);
            assertThat(engine.snapshot().succeeded()).isTrue();
            insert(engine, ROWS + 1);
            engine.ddl("PARTITION TABLE item ON COLUMN id");
            for (int i = 60; i < 90; i++) {
                engine.sql("DELETE FROM item WHERE id = ?", i);
                insert(engine, i + 500);
                engine.sql("UPDATE item SET n = n + 1 WHERE id = ?", i + 40);
            }
            long[] before = engine.contentHashes();

            for (int partition = 0; partition < 3; partition++) {
                PartitionLosses.spoil(engine, partition, table -> true);
                assertThat(engine.contentHashes()).isNotEqualTo(before);
                RebuildReport report = PartitionLosses.run(engine, clock, partition);

                assertThat(report.buckets()).isPositive();
                assertThat(engine.contentHashes()).isEqualTo(before);
            }
        }
    }
}
