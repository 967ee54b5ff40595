package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sub-query is run only if its value is needed: its failure is no failure elsewhere. */
final class LazySubQueryTest {
    private static final String TWO_ROWS = "(SELECT n FROM r)";
    private static final String CORRELATED = "(SELECT n FROM r WHERE r.n + 1 > t.id)";
    private static final String DIVIDES = "(SELECT MAX(1 / (n - 1)) FROM r)";

    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, n INTEGER, s VARCHAR(10));
            CREATE TABLE r (id BIGINT NOT NULL PRIMARY KEY, n INTEGER);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (1, 10, 'a'), (2, NULL, 'b')");
        database.run("INSERT INTO r VALUES (1, 1), (2, 2), (3, 3)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT CASE WHEN id > 0 THEN id ELSE $ END FROM t                               | [[1], [2]]
            SELECT CASE WHEN id < 0 THEN $ WHEN id = 1 THEN 5 WHEN id = 2 THEN 6 ELSE $ END FROM t | [[5], [6]]
            SELECT CASE WHEN id < 3 THEN 7 WHEN $ = 1 THEN 8 END FROM t                     | [[7], [7]]
            SELECT CASE id WHEN 1 THEN 7 WHEN 2 THEN 8 WHEN $ THEN 9 END FROM t             | [[7], [8]]
            SELECT COALESCE(n, id, $) FROM t                                                | [[10], [2]]
            SELECT NULLIF(id, CASE WHEN n > 100 THEN $ ELSE 2 END) FROM t                   | [[1], [null]]
            SELECT id FROM t WHERE id > 0 OR id = $                                         | [[1], [2]]
            SELECT id FROM t WHERE id = 1 OR id = 2 OR id = $                               | [[1], [2]]
            SELECT id FROM t WHERE NOT (id = 1 AND n = 11 AND id = $)                       | [[1], [2]]
            SELECT id FROM t WHERE id = 1 AND (id = 1 OR n = $) OR id = 2 AND (n IS NULL OR n = $) | [[1], [2]]
            SELECT id < 5 OR id = $, id > 5 AND id = $ FROM t                               | [[true, false], [true, false]]
            SELECT id FROM t WHERE id < 5 OR id IN (SELECT n FROM r WHERE 1 / (n - 1) > 0)  | [[1], [2]]
            SELECT id FROM t WHERE id < 5 OR EXISTS (SELECT n FROM r WHERE 1 / (n - 1) > 0) | [[1], [2]]
            SELECT id FROM t WHERE id < 5 OR id + $ IN (SELECT n FROM r)                    | [[1], [2]]
            SELECT SUM(CASE WHEN id > 0 THEN 1 ELSE $ END) FROM t                           | [[2]]
            SELECT id FROM t ORDER BY CASE WHEN id = 1 THEN 2 WHEN id = 2 THEN 1 ELSE $ END | [[2], [1]]
            SELECT CASE WHEN id = 1 THEN (SELECT CASE WHEN t.n = 10 THEN 3 ELSE $ END) ELSE 4 END FROM t | [[3], [4]]
            """)
    void shouldNotRunWhatIsNotNeeded(String sql, String rows) {
        for (String query : new String[] {TWO_ROWS, CORRELATED, DIVIDES}) {
            String statement = sql.replace("$", query);
            assertThat(database.run(statement).toString()).as(statement).isEqualTo(rows);
        }
    }

    @Test
    void shouldRunWhatIsNeeded() {
        assertThat(database.run("SELECT CASE WHEN id = 2 THEN (SELECT MAX(n) FROM r) ELSE (SELECT MIN(r.n) FROM r WHERE"
                                + " r.n > t.id) END FROM t")
                        .toString())
                .isEqualTo("[[2], [3]]");
        assertThat(database.run("SELECT CASE WHEN id = 2 THEN (SELECT s FROM t WHERE id = 1) ELSE s || '!' END FROM t")
                        .toString())
                .isEqualTo("[[a!], [a]]");
        assertThat(database.run("SELECT id FROM t WHERE id = 2 OR n / 10 IN (SELECT n FROM r)")
                        .toString())
                .isEqualTo("[[1], [2]]");
        // Of AND and OR both sides count where the first one is unknown.
        assertThat(database.run(
                                "SELECT n > 5 OR id = (SELECT MIN(n) + 1 FROM r), n > 5 AND id = (SELECT MIN(n) + 5 FROM r)"
                                        + " FROM t")
                        .toString())
                .isEqualTo("[[true, false], [true, false]]");
        for (String query : new String[] {TWO_ROWS, CORRELATED, DIVIDES}) {
            assertThatThrownBy(() -> database.run("SELECT CASE WHEN id = 1 THEN id ELSE " + query + " END FROM t"))
                    .isInstanceOf(ProcedureException.class);
            assertThatThrownBy(() -> database.run("SELECT id FROM t WHERE n > 5 OR id = " + query))
                    .isInstanceOf(ProcedureException.class);
        }
    }

    @Test
    void shouldWriteWithoutWhatIsNotNeeded() {
        database.run("UPDATE t SET n = CASE WHEN id = 1 THEN 5 ELSE (SELECT COUNT(*) FROM r WHERE r.id <> t.id) END"
                + " WHERE id = 2");
        database.run("UPDATE t SET n = CASE WHEN id = 1 THEN 5 ELSE " + CORRELATED + " END WHERE id = 1");
        database.run("INSERT INTO t SELECT id + 2, CASE WHEN id > 0 THEN n ELSE " + TWO_ROWS + " END, s FROM t");
        database.run("DELETE FROM t WHERE id = 4 OR id = 3 AND n > 5 AND n = " + TWO_ROWS);

        assertThat(database.run("SELECT id, n FROM t ORDER BY id").toString()).isEqualTo("[[1, 5], [2, 2], [3, 5]]");
    }

    @Test
    void shouldSayInPlansWhenASubQueryIsRun() {
        assertThat(database.run("EXPLAIN SELECT CASE WHEN id = 1 THEN n ELSE (SELECT MAX(n) FROM r) END FROM t")
                        .toString())
                .contains("only if (T.ID = 1) IS NOT TRUE");
    }

    /** An outer row's name in a plan must differ from its name in the statement's algebra. */
    @Test
    void shouldFindOuterColumnsInNestedSubQueries() {
        assertThat(database.run("SELECT id, (SELECT MAX(x.v + (SELECT COUNT(*) FROM r r2 WHERE r2.id = x.id))"
                                + " FROM (SELECT r.id, r.n + t.n AS v FROM r) x) FROM (SELECT n, id FROM t) t")
                        .toString())
                .isEqualTo("[[1, 14], [2, null]]");
    }
}
