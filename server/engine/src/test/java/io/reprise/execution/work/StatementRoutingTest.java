package io.reprise.execution.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementRoutingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT v FROM n WHERE name = ?                                           | ONE_BUCKET",
                "SELECT v FROM n WHERE name = CAST(? AS VARCHAR(5))                       | UNKNOWN_BUCKET",
                "SELECT v FROM n WHERE name = CAST(? AS VARCHAR(3))                       | UNKNOWN_BUCKET",
                "SELECT v FROM n WHERE name = CAST(CAST(? AS VARCHAR(10)) AS VARCHAR(3))  | UNKNOWN_BUCKET",
                "SELECT v FROM n WHERE name = CAST(CAST(? AS VARCHAR(3)) AS VARCHAR(10))  | UNKNOWN_BUCKET",
                "INSERT INTO n VALUES (?, ?)                                              | ONE_BUCKET",
                "INSERT INTO n VALUES (CAST(? AS VARCHAR(3)), ?)                          | UNKNOWN_BUCKET",
                "UPSERT INTO n VALUES (?, ?)                                              | ONE_BUCKET",
                "UPDATE n SET v = ? WHERE name = ?                                        | ONE_BUCKET",
                "DELETE FROM n WHERE name = ?                                             | ONE_BUCKET",
                "SELECT w FROM m WHERE id = CAST(? AS BIGINT)                             | ONE_BUCKET",
                "SELECT w FROM m WHERE id = CAST(? AS SMALLINT)                           | ONE_BUCKET",
                "SELECT w FROM m WHERE id = ? AND w = ?                                   | ONE_BUCKET"
            })
    void shouldKnowTheBucketOnlyOfWhatStaysWhole(String sql, StatementRouting expected) {
        Catalog catalog = catalog();

        assertThat(StatementRouting.of(StatementPlanner.plan(catalog, sql).traits()))
                .isEqualTo(expected);
    }

    private static Catalog catalog() {
        return CatalogScript.load("""
                CREATE TABLE n (name VARCHAR(5) NOT NULL PRIMARY KEY, v INTEGER);
                PARTITION TABLE n ON COLUMN name;
                CREATE TABLE m (id INTEGER NOT NULL PRIMARY KEY, w INTEGER);
                PARTITION TABLE m ON COLUMN id;
                """);
    }
}
