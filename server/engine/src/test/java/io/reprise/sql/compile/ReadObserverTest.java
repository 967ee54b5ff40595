package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Rows;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.ReadObserver;
import io.reprise.storage.TableStore;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A statement tells its reads: each row by table and the order of insertion, from 0; absences by table. */
final class ReadObserverTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(20));
            CREATE INDEX a_n ON a (n);
            CREATE TABLE b (id INTEGER NOT NULL, line INTEGER NOT NULL, v INTEGER,
              PRIMARY KEY (id, line) USING ORDERED);
            CREATE INDEX b_v ON b (v) USING HASH;
            """);
    private final TreeSet<String> told = new TreeSet<>();

    ReadObserverTest() {
        for (int i = 0; i < 6; i++) {
            database.run("INSERT INTO a VALUES (?, ?, 'text')", i, i % 3);
            database.run("INSERT INTO b VALUES (?, ?, ?)", i / 2, i % 2, i);
        }
        database.store.observeReads(new ReadObserver() {
            @Override
            public void row(TableStore table, long row) {
                told.add(table.table().name() + (table.rowId(row) & 0xFF));
            }

            @Override
            public void absence(TableStore table) {
                told.add(table.table().name() + "-");
            }
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    private CompiledStatement statement(String sql, boolean tellsReads) {
        StatementPlan plan = StatementPlanner.plan(database.catalog, sql);
        return StatementFactory.compile(plan, tellsReads).create(database.store);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT s FROM a WHERE id = 3 # [A3]",
                "SELECT s FROM a WHERE id = 3 AND n = 7 # [A3]",
                "SELECT s FROM a WHERE id = 9 # [A-]",
                "SELECT COUNT(*) FROM a WHERE n = 1 # [A-, A1, A4]",
                "SELECT id FROM a WHERE n > 1 # [A-, A2, A5]",
                "SELECT MAX(n) FROM a WHERE n < 0 # [A-]",
                "SELECT s FROM a WHERE s = 'other' # [A-, A0, A1, A2, A3, A4, A5]",
                "SELECT id FROM a ORDER BY n LIMIT 1 # [A-, A0]",
                "SELECT v FROM b WHERE id = 1 # [B-, B2, B3]",
                "SELECT line FROM b WHERE v = 5 # [B-, B5]",
                "SELECT a.s FROM b JOIN a ON a.id = b.v WHERE b.id = 1 AND b.line = 0 # [A2, B2]",
                "SELECT a.s FROM b LEFT JOIN a ON a.id = b.v + 9 WHERE b.id = 1 AND b.line = 0 # [A-, B2]",
                "SELECT s FROM a WHERE id = 1 AND EXISTS (SELECT * FROM b WHERE b.id = a.id) # [A1, B-, B2]",
                "SELECT s FROM a WHERE id = 4 AND n IN (SELECT v FROM b WHERE id = 0) # [A4, B-, B1]",
                "SELECT (SELECT SUM(v) FROM b WHERE b.id = a.id) FROM a WHERE id = 2 # [A2, B-, B4, B5]",
                "SELECT id FROM a WHERE id = 0 UNION SELECT v FROM b WHERE id = 2 AND line = 1 # [A0, B5]",
                "SELECT 1 # []",
                "UPDATE a SET n = n + 1 WHERE id = 5 # [A5]",
                "DELETE FROM b WHERE id = 2 # [B-, B4, B5]",
                "UPSERT INTO a VALUES (2, 2, 'x') # [A2]",
                "UPSERT INTO a VALUES (7, 2, 'x') # [A-]",
                "INSERT INTO a SELECT id + 10, line, 'x' FROM b WHERE id = 1 AND line = 1 # [B3]"
            })
    void shouldTellAllThatAStatementLooksAt(String sql, String expected) {
        statement(sql, true).execute();

        assertThat(told).hasToString(expected);
    }

    @Test
    void shouldTellOfEachStatementByItself() {
        CompiledStatement byKey = statement("SELECT s FROM a WHERE id = ?", true);
        CompiledStatement byRange = statement("SELECT COUNT(*) FROM b WHERE id BETWEEN ? AND ?", true);

        byKey.set(0, 4).first();
        TreeSet<String> first = new TreeSet<>(told);
        told.clear();
        Rows counted = byRange.set(0, 1).set(1, 2).query();

        assertThat(first).hasToString("[A4]");
        assertThat(told).hasToString("[B-, B2, B3, B4, B5]");
        assertThat(counted.next()).isTrue();
        assertThat(counted.longAt(0)).isEqualTo(4);
    }

    @Test
    void shouldTellNothingUnlessCompiledForIt() {
        statement("SELECT COUNT(*) FROM a JOIN b ON a.id = b.v", false).execute();

        assertThat(told).isEmpty();
    }

    @Test
    void shouldRunTheSameWhenNobodyListens() {
        database.store.observeReads(null);
        CompiledStatement count = statement("SELECT COUNT(*) FROM a JOIN b ON a.id = b.v", true);

        count.execute();

        assertThat(count.found().next()).isTrue();
        assertThat(count.found().longAt(0)).isEqualTo(6);
    }
}
