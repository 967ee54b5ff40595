package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Integers and DECIMALs are compared by value, also where neither's type can hold the other's. */
final class ExactComparisonTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, f DECIMAL(18,4), n INTEGER);
            CREATE INDEX t_f ON t (f);
            CREATE INDEX t_n ON t (n);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (900000000000000000, 1.5, 7), (5, 5, 5)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void assertIds(String ids, String condition) {
        assertThat(database.run("SELECT id FROM t WHERE " + condition + " ORDER BY id")
                        .toString())
                .as(condition)
                .isEqualTo(ids);
    }

    @Test
    void shouldCompareWhenTheIntegerIsNoSuchDecimal() {
        assertIds("[[5]]", "id = f");
        assertIds("[[900000000000000000]]", "id > f");
        assertIds("[[900000000000000000]]", "f BETWEEN -id AND id - 1");
        assertIds("[[900000000000000000]]", "NULLIF(id, f) > 5");
        assertIds("[[5]]", "n = f AND f = n");
        assertIds("[[5]]", "id = (SELECT MAX(f) FROM t)");
    }

    @Test
    void shouldCompareWithListsAndSubQueries() {
        assertIds("[[5]]", "id IN (SELECT f FROM t)");
        assertIds("[[5]]", "f IN (SELECT id FROM t)");
        assertIds("[[900000000000000000]]", "id NOT IN (SELECT f FROM t)");
        assertIds("[[5], [900000000000000000]]", "id IN (f, 900000000000000000, n)");
        assertIds("[[5]]", "(id, n) IN (SELECT f, n FROM t)");
    }

    @Test
    void shouldJoinByIndex() {
        assertThat(database.run("SELECT a.id, b.n FROM t a LEFT JOIN t b ON a.id = b.f ORDER BY 1")
                        .toString())
                .isEqualTo("[[5, 5], [900000000000000000, null]]");
        assertThat(database.run("SELECT a.id, b.n FROM t a JOIN t b ON a.n = b.f")
                        .toString())
                .isEqualTo("[[5, 5]]");
    }
}
