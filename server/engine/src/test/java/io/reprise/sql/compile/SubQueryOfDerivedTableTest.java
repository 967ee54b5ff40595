package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sub-queries over rows of a query in FROM, whose columns are others, or stand elsewhere, than those of its table. */
final class SubQueryOfDerivedTableTest {
    private final TestDatabase database =
            new TestDatabase("CREATE TABLE named (id INTEGER NOT NULL PRIMARY KEY, s VARCHAR(9));"
                    + "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER, b INTEGER, c INTEGER);");

    @BeforeEach
    void insert() {
        database.run("INSERT INTO named VALUES (1, 'one'), (10, 'ten'), (100, 'hundred')");
        database.run("INSERT INTO t VALUES (1, 10, 100, 1000)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void assertRows(String rows, String sql) {
        assertThat(database.run(sql).toString()).as(sql).isEqualTo(rows);
    }

    @Test
    void shouldTakeItsColumnsBesideSubQueriesInTheSelectList() {
        String name = "(SELECT s FROM named WHERE id = v.";
        assertRows("[[10, ten]]", "SELECT v.p, " + name + "p) FROM (SELECT a AS p, id AS q FROM t) v");
        assertRows("[[10, one]]", "SELECT v.p, " + name + "q) FROM (SELECT a AS p, id AS q FROM t) v");
        assertRows("[[100, hundred]]", "SELECT v.q, " + name + "q) FROM (SELECT id AS p, a + 90 AS q FROM t) v");
        assertRows("[[hundred, 1000]]", "SELECT " + name + "q), v.p FROM (SELECT c AS p, b AS q FROM t) v");
        assertRows("[[11, false]]", "SELECT v.p + 1, NOT EXISTS " + name + "q) FROM (SELECT a AS p, id AS q FROM t) v");
        assertRows(
                "[[10, true]]",
                "SELECT v.p, v.q IN (SELECT id FROM named WHERE id < v.p) FROM (SELECT a AS p, id AS q FROM t) v");
        assertRows(
                "[[1000, ten]]",
                "SELECT w.m, (SELECT s FROM named WHERE id = w.k) FROM (SELECT a AS k, SUM(c) AS m FROM t GROUP BY a) w");
        assertRows(
                "[[10, ten]]",
                "WITH w AS (SELECT a AS p, id AS q FROM t) SELECT p, (SELECT s FROM named WHERE id = w.p) FROM w");
    }

    @Test
    void shouldTakeItsColumnsWhenSubQueriesAreOrderedBy() {
        database.run("INSERT INTO t VALUES (2, 1, 1, 7)");

        assertRows(
                "[[1000, 100], [7, 1]]",
                "SELECT v.p, v.q FROM (SELECT c AS p, b AS q FROM t) v ORDER BY (SELECT s FROM named WHERE id = v.q)");
    }

    @Test
    void shouldRunSubQueriesOfIntersectionsWhoseRowsAreMadeUnique() {
        assertRows(
                "[[1]]",
                "SELECT DISTINCT v.id FROM (SELECT id FROM t WHERE id = 1 INTERSECT"
                        + " SELECT id FROM named WHERE EXISTS (SELECT 1 FROM t WHERE c > 5)) v");
        assertRows(
                "[[100]]",
                "SELECT DISTINCT t.b FROM t JOIN (SELECT id FROM t WHERE id > 0 INTERSECT"
                        + " SELECT id FROM named WHERE id < 5 AND EXISTS (SELECT 1 FROM t WHERE c > 5)) v ON v.id = t.id");
    }
}
