package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ALTER TABLE of types, NOT NULL, names and keys, with rows, procedures and views that are there. */
class AlterTableTest {
    private static final String SCHEMA = """
            CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, n INTEGER DEFAULT 7, price DECIMAL(6, 2), name VARCHAR(20),
                made TIMESTAMP, w DOUBLE);
            PARTITION TABLE item ON COLUMN id;
            CREATE INDEX by_n ON item (id, n);
            CREATE PROCEDURE ReadN PARTITION ON TABLE item COLUMN id AS SELECT n FROM item WHERE id = ?;
            """;

    private static Options options() {
        return Options.create().partitions(2).memoryPerPartition(64 << 20).ddl(SCHEMA);
    }

    private static void fill(Reprise engine) {
        engine.sql(
                "INSERT INTO item VALUES (1, 10, 1.25, 'pen', '2026-01-31 12:00:00', 2.5), (2, 20, 2.50, 'ink', NULL, 3)");
        engine.sql("INSERT INTO item (id) VALUES (3)");
    }

    private static List<String> rows(Reprise engine, String sql) {
        List<String> found = new ArrayList<>();
        Rows rows = engine.sql(sql).rows();
        while (rows.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < rows.columns(); i++) {
                row.append(i == 0 ? "" : " ").append(rows.isNull(i) ? "-" : String.valueOf(rows.valueAt(i)));
            }
            found.add(row.toString());
        }
        return found;
    }

    @Test
    void shouldConvertTheValuesOfAColumnWhoseTypeChanges() {
        try (Reprise engine = options().open()) {
            fill(engine);
            engine.ddl("ALTER TABLE item ALTER COLUMN n TYPE BIGINT");
            engine.sql("UPDATE item SET n = 5000000000 WHERE id = 2");

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item ALTER n SET DATA TYPE INTEGER"))
                    .hasMessageContaining("5000000000 is out of range for INTEGER");
            engine.ddl("ALTER TABLE item ALTER n TYPE DECIMAL(14, 1); ALTER TABLE item ALTER w TYPE INTEGER");
            engine.ddl("ALTER TABLE item ALTER price TYPE DECIMAL(6, 1); ALTER TABLE item ALTER made TYPE DATE");
            engine.sql("INSERT INTO item (id) VALUES (4)");
            assertThat(rows(engine, "SELECT id, n, price, made, w FROM item ORDER BY id"))
                    .containsExactly("1 10.0 1.3 2026-01-31 3", "2 5000000000.0 2.5 - 3", "3 7.0 - - -", "4 7.0 - - -");
            assertThat(engine.call("ReadN", 1).rows().next()).isTrue();
        }
    }

    @Test
    void shouldConvertDecimalsToAndFromMoreThan18Digits() {
        try (Reprise engine = options().open()) {
            fill(engine);

            engine.ddl(
                    "ALTER TABLE item ALTER n TYPE NUMERIC(38, 2); ALTER TABLE item ALTER price TYPE NUMERIC(19, 3)");
            engine.sql("UPDATE item SET n = 12345678901234567890.25, price = price * 2 WHERE id = 2");
            assertThat(rows(engine, "SELECT id, n, price FROM item ORDER BY n"))
                    .containsExactly("3 7.00 -", "1 10.00 1.250", "2 12345678901234567890.25 5.000");
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item ALTER n TYPE BIGINT"))
                    .hasMessageContaining("12345678901234567890 is out of range for BIGINT");
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item ALTER n TYPE NUMERIC(20, 1)"))
                    .hasMessageContaining("12345678901234567890.25 is out of range for DECIMAL(20,1)");
            engine.ddl("ALTER TABLE item ALTER n TYPE NUMERIC(21, 1); ALTER TABLE item ALTER price TYPE DOUBLE");
            engine.ddl("ALTER TABLE item ALTER price TYPE NUMERIC(30)");
            engine.sql("INSERT INTO item (id) VALUES (4)");
            assertThat(rows(engine, "SELECT id, n, price FROM item ORDER BY id"))
                    .containsExactly("1 10.0 1", "2 12345678901234567890.3 5", "3 7.0 -", "4 7.0 -");
        }
    }

    @Test
    void shouldRejectValuesThatAnAlteredColumnCanNotHave() {
        try (Reprise engine = options().open()) {
            fill(engine);

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item ALTER name TYPE VARCHAR(2)"))
                    .hasMessageContaining("a value of column NAME is too long for VARCHAR(2)");
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item ALTER name SET NOT NULL"))
                    .hasMessageContaining("column NAME of table ITEM can't become NOT NULL");
            engine.sql("UPDATE item SET name = 'paper' WHERE id = 3");
            engine.ddl("ALTER TABLE item ALTER name SET NOT NULL; ALTER TABLE item ALTER name TYPE VARCHAR(5)");
            assertThatThrownBy(() -> engine.sql("UPDATE item SET name = NULL")).hasMessageContaining("NOT NULL");
            engine.ddl("ALTER TABLE item ALTER name DROP NOT NULL");
            engine.sql("UPDATE item SET name = NULL WHERE id = 1");
            assertThat(rows(engine, "SELECT name FROM item ORDER BY id")).containsExactly("-", "ink", "paper");
        }
    }

    @Test
    void shouldRenameWhatNothingElseNames() {
        String more = "CREATE TABLE child (id INTEGER NOT NULL REFERENCES item ON DELETE CASCADE);"
                + " PARTITION TABLE child ON COLUMN id; CREATE TABLE tick (id SERIAL PRIMARY KEY, v INTEGER CHECK (v > 0))";
        try (Reprise engine = options().open()) {
            fill(engine);
            engine.ddl(more);

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE item RENAME n TO amount"))
                    .hasMessageContaining("procedure READN");
            assertThatThrownBy(() -> engine.ddl("ALTER TABLE tick RENAME v TO w"))
                    .hasMessageContaining("CHECK TICK_V_CHECK names it");
            engine.ddl("DROP PROCEDURE ReadN; ALTER TABLE item RENAME COLUMN id TO item_id;"
                    + " ALTER TABLE item RENAME TO goods; ALTER TABLE tick RENAME id TO number");
            engine.sql("INSERT INTO child VALUES (1), (2)");
            assertThatThrownBy(() -> engine.sql("INSERT INTO child VALUES (9)"))
                    .hasMessageContaining("table GOODS has no row that it names");
            engine.sql("DELETE FROM goods WHERE item_id = 1");
            assertThat(rows(engine, "SELECT id FROM child")).containsExactly("2");
            engine.sql("INSERT INTO tick (v) VALUES (5)");
            assertThat(rows(engine, "SELECT number, v FROM tick")).containsExactly("1 5");
            engine.ddl("DROP TABLE tick");
        }
    }

    @Test
    void shouldAddKeysToTablesWithRows() {
        try (Reprise engine = options()
                .ddl("CREATE TABLE t (a INTEGER, b VARCHAR(5)); CREATE INDEX t_b ON t (b)")
                .open()) {
            engine.sql("INSERT INTO t VALUES (1, 'x'), (2, 'y'), (2, 'z')");

            assertThatThrownBy(() -> engine.ddl("ALTER TABLE t ADD PRIMARY KEY (a)"))
                    .hasMessageContaining("more than one row with A = 2");
            engine.sql("DELETE FROM t WHERE b = 'z'");
            engine.ddl("ALTER TABLE ONLY t ADD CONSTRAINT t_key PRIMARY KEY (a); ALTER TABLE t ADD UNIQUE (b)");
            assertThatThrownBy(() -> engine.sql("INSERT INTO t VALUES (1, 'w')"))
                    .hasMessageContaining("T_KEY");
            assertThatThrownBy(() -> engine.sql("INSERT INTO t VALUES (3, 'x')"))
                    .hasMessageContaining("T_B_UNIQUE");
            assertThatThrownBy(() -> engine.sql("INSERT INTO t VALUES (NULL, 'w')"))
                    .hasMessageContaining("NULL");
            engine.sql("UPSERT INTO t VALUES (1, 'w')");
            assertThat(rows(engine, "SELECT a, b FROM t WHERE b >= 'w' ORDER BY b"))
                    .containsExactly("1 w", "2 y");
        }
    }

    @Test
    void shouldDoNothingWhereIfAllowsThat() {
        try (Reprise engine = options().open()) {
            engine.ddl(
                    "ALTER TABLE item ADD COLUMN IF NOT EXISTS n INTEGER; ALTER TABLE item DROP COLUMN IF EXISTS other");
            engine.ddl("ALTER TABLE item ADD COLUMN IF NOT EXISTS extra INTEGER DEFAULT 5");

            engine.sql("INSERT INTO item (id) VALUES (1)");
            assertThat(rows(engine, "SELECT n, extra FROM item")).containsExactly("7 5");
        }
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldReplayAlteredTables(LoggingMethod method) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Options options = options().files(disk).durability(Durability.standard().with(method));
        List<String> before;
        try (Reprise engine = options.open()) {
            fill(engine);
            engine.snapshot();
            engine.ddl("ALTER TABLE item ALTER n TYPE DECIMAL(10, 2); ALTER TABLE item ALTER name TYPE TEXT;"
                    + "ALTER TABLE item ALTER price TYPE NUMERIC(38, 3)");
            engine.sql("UPDATE item SET n = n + 0.25, name = 'more', price = 123456789012345678901.125 WHERE id > 1");
            engine.ddl(
                    "DROP PROCEDURE ReadN; ALTER TABLE item RENAME COLUMN w TO weight; ALTER TABLE item RENAME TO goods");
            engine.sql("INSERT INTO goods (id, weight) VALUES (9, 0.5)");
            before = rows(engine, "SELECT * FROM goods ORDER BY id");
        }

        try (Reprise engine = options.open()) {
            assertThat(rows(engine, "SELECT * FROM goods ORDER BY id")).isEqualTo(before);
            assertThat(rows(engine, "SELECT n, weight FROM goods WHERE id = 9")).containsExactly("7.00 0.5");
        }
    }
}
