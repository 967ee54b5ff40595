package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.sql.parse.CatalogScript;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that write and may end with one error or another, by the order in which rows are stored. */
final class DeterminedErrorsTest {
    private static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE r (id BIGINT NOT NULL PRIMARY KEY, v INTEGER NOT NULL, w INTEGER, UNIQUE (v));
            CREATE TABLE sorted (id BIGINT NOT NULL, v INTEGER, PRIMARY KEY (id) USING ORDERED);
            CREATE TABLE o (k BIGINT, v INTEGER, t TINYINT);
            CREATE TABLE p (id BIGINT NOT NULL, n INTEGER NOT NULL, v INTEGER, PRIMARY KEY (id, n) USING HASH);
            PARTITION TABLE p ON COLUMN id;
            """);

    private static boolean determined(String sql) {
        return StatementPlanner.plan(CATALOG, sql).errorDetermined();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE r SET v = ? WHERE id = ?",
                "UPDATE r SET v = ? WHERE id = ? AND EXISTS (SELECT 1 FROM o WHERE o.v = 7)",
                "UPDATE r SET v = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM o WHERE o.v = r.v)",
                "UPDATE r SET v = ? WHERE id = ? AND id IN (SELECT k FROM o)",
                "UPDATE r SET v = (SELECT MAX(v) FROM o) WHERE id = ?",
                "UPDATE r SET v = (SELECT v FROM o WHERE k = ?) WHERE id = ?",
                "UPDATE r SET v = (SELECT SUM(t) FROM o WHERE k = r.id) WHERE id = ?",
                "UPDATE r SET v = 100 / v WHERE id = ? AND EXISTS (SELECT 1 FROM o WHERE o.v = 7)",
                "UPDATE r SET v = 100 / (SELECT v FROM sorted WHERE id = ?) WHERE id = ?",
                "UPDATE sorted SET v = 100 / v WHERE id BETWEEN ? AND ?",
                "INSERT INTO r (id, v) SELECT ?, COUNT(*) FROM o WHERE v = 3",
                "INSERT INTO r (id, v) SELECT id, 100 / v FROM sorted WHERE id > ? AND EXISTS (SELECT 1 FROM o WHERE v = 7)",
                "INSERT INTO r VALUES (1, 1 / ?, 0), (2, 1 / ?, 0)",
                "DELETE FROM r WHERE v > 3",
                "DELETE FROM r WHERE id = ? AND 100 / v > 3",
                "UPDATE p SET n = ? WHERE id = ? AND n = ? AND EXISTS (SELECT 1 FROM o WHERE o.v = 7)"
            })
    void shouldNotBeMarkedWhenTheErrorIsTheSame(String sql) {
        assertThat(determined(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE r SET v = ?",
                "UPDATE r SET v = ? WHERE v > 3",
                "UPDATE r SET w = 100 / v",
                "UPDATE r SET v = ? WHERE id = ? AND EXISTS (SELECT 1 FROM o WHERE 100 / o.v = 7)",
                "UPDATE r SET v = ? WHERE id = ? AND EXISTS (SELECT 1 FROM o WHERE o.v / r.v = 7)",
                "UPDATE r SET v = (SELECT MAX(100 / v) FROM o) WHERE id = ?",
                "UPDATE r SET v = ? WHERE id = ? AND 1 IN (SELECT CAST(v AS TINYINT) FROM o)",
                "UPDATE r SET v = (SELECT COUNT(*) FROM o WHERE (SELECT x.v FROM o AS x WHERE x.k = o.k) = 3) WHERE id = ?",
                "INSERT INTO r (id, v) SELECT k, 100 / v FROM o",
                "INSERT INTO r (id, v) SELECT k, SUM(v) FROM o GROUP BY k",
                "INSERT INTO sorted (id, v) SELECT k, COUNT(*) FROM o WHERE 100 / v = 3 GROUP BY k",
                "INSERT INTO r (id, v) SELECT ?, COUNT(*) FROM o WHERE 100 / v = 3",
                "DELETE FROM r WHERE 100 / v > 3",
                "DELETE FROM r WHERE (SELECT o.v FROM o WHERE o.k = r.id) = 3",
                "UPDATE p SET n = ?",
                "UPDATE p SET n = ? WHERE id = ?",
                "UPDATE p SET n = ? WHERE n = ? AND EXISTS (SELECT 1 FROM o WHERE o.v = 7)",
                "DELETE FROM p WHERE 100 / v > 3"
            })
    void shouldBeMarkedWhenOneRowOrAnotherMayFailFirst(String sql) {
        assertThat(determined(sql)).isFalse();
    }
}
