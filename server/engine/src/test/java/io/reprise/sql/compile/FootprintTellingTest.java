package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Table;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.row.RowLayout;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A statement tells its reads: each row by table and the order of insertion, from 0. */
final class FootprintTellingTest {
    private static final long NUMBER = (1L << RowLayout.SEQUENCE_BITS) - 1;

    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE a (p INTEGER NOT NULL, id INTEGER NOT NULL, n INTEGER, s VARCHAR(20), PRIMARY KEY (p, id));
            PARTITION TABLE a ON COLUMN p;
            CREATE INDEX a_n ON a (n);
            CREATE TABLE b (p INTEGER NOT NULL, id INTEGER NOT NULL, line INTEGER NOT NULL, v INTEGER,
              PRIMARY KEY (p, id, line) USING ORDERED);
            PARTITION TABLE b ON COLUMN p;
            CREATE INDEX b_v ON b (v) USING HASH;
            CREATE TABLE r (id INTEGER NOT NULL PRIMARY KEY, n INTEGER);
            """);

    FootprintTellingTest() {
        database.store.collectFootprints(FootprintBuffer.Settings.DEFAULTS);
        for (int i = 0; i < 6; i++) {
            database.run("INSERT INTO a VALUES (1, ?, ?, 'text')", i, i % 3);
            database.run("INSERT INTO b VALUES (1, ?, ?, ?)", i / 2, i % 2, i);
            database.run("INSERT INTO r VALUES (?, ?)", i, i);
        }
        database.store.footprint().turnOn();
        database.begin();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private CompiledStatement statement(String sql, boolean tellsReads) {
        StatementPlan plan = StatementPlanner.plan(database.catalog, sql);
        return StatementFactory.compile(plan, tellsReads).create(database.store);
    }

    /** The rows of the running transaction's footprint. */
    private TreeSet<String> told() {
        TreeSet<String> told = new TreeSet<>();
        database.store.footprint().visitAll((table, row, reads, writes) -> told.add(nameOf(table) + (row & NUMBER)));
        return told;
    }

    private String nameOf(int id) {
        for (Table table : database.catalog.tables().values()) {
            if (table.id() == id) {
                return table.name();
            }
        }
        throw new IllegalStateException("no table has id " + id);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT s FROM a WHERE p = 1 AND id = 3 # [A3]",
                "SELECT s FROM a WHERE p = 1 AND id = 3 AND n = 7 # [A3]",
                "SELECT s FROM a WHERE p = 1 AND id = 9 # []",
                "SELECT COUNT(*) FROM a WHERE n = 1 AND p = 1 # [A1, A4]",
                "SELECT id FROM a WHERE n > 1 # [A2, A5]",
                "SELECT MAX(n) FROM a WHERE n < 0 AND p = 1 # []",
                "SELECT s FROM a WHERE s = 'other' AND p = 1 # [A0, A1, A2, A3, A4, A5]",
                "SELECT COUNT(*) FROM a WHERE p = 1 # [A0, A1, A2, A3, A4, A5]",
                "SELECT id FROM a ORDER BY n LIMIT 1 # [A0]",
                "SELECT v FROM b WHERE p = 1 AND id = 1 # [B2, B3]",
                "SELECT line FROM b WHERE v = 5 AND p = 1 # [B5]",
                "SELECT a.s FROM b JOIN a ON a.p = b.p AND a.id = b.v WHERE b.p = 1 AND b.id = 1 AND b.line = 0 # [A2, B2]",
                "SELECT r.n FROM b JOIN r ON r.id = b.v WHERE b.p = 1 AND b.id = 1 AND b.line = 0 # [B2]",
                "SELECT a.s FROM b LEFT JOIN a ON a.p = b.p AND a.id = b.v + 9 WHERE b.p = 1 AND b.id = 1 AND b.line = 0 # [B2]",
                "SELECT s FROM a WHERE p = 1 AND id = 1 AND EXISTS (SELECT * FROM b WHERE b.p = a.p AND b.id = a.id) # [A1, B2]",
                "SELECT s FROM a WHERE p = 1 AND id = 4 AND n IN (SELECT v FROM b WHERE p = 1 AND id = 0) # [A4, B1]",
                "SELECT (SELECT SUM(v) FROM b WHERE b.p = a.p AND b.id = a.id) FROM a WHERE p = 1 AND id = 2 # [A2, B4, B5]",
                "SELECT id FROM a WHERE p = 1 AND id = 0 UNION SELECT v FROM b WHERE p = 1 AND id = 2 AND line = 1 # [A0, B5]",
                "SELECT 1 # []",
                "UPDATE a SET n = n + 1 WHERE p = 1 AND id = 5 # [A5]",
                "DELETE FROM b WHERE p = 1 AND id = 2 # [B4, B5]",
                "UPSERT INTO a VALUES (1, 2, 2, 'x') # [A2]",
                "UPSERT INTO a VALUES (1, 7, 2, 'x') # []",
                "INSERT INTO a SELECT p, id + 10, line, 'x' FROM b WHERE p = 1 AND id = 1 AND line = 1 # [B3]"
            })
    void shouldTellAllThatAStatementLooksAt(String sql, String expected) {
        statement(sql, true).execute();

        assertThat(told()).hasToString(expected);
    }

    @Test
    void shouldTellTheRowThatRefusesAnother() {
        CompiledStatement insert = statement("INSERT INTO a VALUES (1, 4, 0, 'again')", true);

        assertThatThrownBy(insert::execute).isInstanceOf(ProcedureException.class);

        assertThat(told()).hasToString("[A4]");
    }

    @Test
    void shouldTellTheRowThatRefusesAnUpdate() {
        CompiledStatement update = statement("UPDATE a SET id = 4 WHERE p = 1 AND id = 2", true);

        assertThatThrownBy(update::execute).isInstanceOf(ProcedureException.class);

        assertThat(told()).hasToString("[A2, A4]");
    }

    @Test
    void shouldTellWritesFromTheUndoLog() {
        statement("UPDATE a SET n = 7 WHERE p = 1 AND id = 5", false).execute();
        statement("DELETE FROM b WHERE p = 1 AND id = 2", false).execute();
        statement("INSERT INTO a VALUES (1, 6, 0, 'new')", false).execute();
        statement("UPDATE r SET n = 1 WHERE id = 3", false).execute();

        database.store.tellWrites();

        assertThat(told()).hasToString("[A5, A6, B4, B5, R0]");
    }

    @Test
    void shouldTellNothingUnlessCompiledForIt() {
        statement("SELECT COUNT(*) FROM a JOIN b ON a.p = b.p AND a.id = b.v WHERE a.p = 1", false)
                .execute();

        assertThat(told()).isEmpty();
    }

    @Test
    void shouldRunTheSameWithoutABuffer() {
        try (TestDatabase other = new TestDatabase("""
                CREATE TABLE a (p INTEGER NOT NULL PRIMARY KEY, n INTEGER);
                PARTITION TABLE a ON COLUMN p;
                """)) {
            other.run("INSERT INTO a VALUES (1, 2)");
            StatementPlan plan = StatementPlanner.plan(other.catalog, "SELECT n FROM a WHERE p = 1");
            CompiledStatement query = StatementFactory.compile(plan, true).create(other.store);

            query.execute();

            assertThat(query.found().next()).isTrue();
            assertThat(query.found().longAt(0)).isEqualTo(2);
        }
    }
}
