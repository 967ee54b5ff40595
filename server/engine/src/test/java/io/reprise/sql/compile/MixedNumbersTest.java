package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mixtures of integers and DECIMALs round nothing unasked. */
final class MixedNumbersTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, n INTEGER, d DECIMAL(8,2), e DECIMAL(18,6), w DECIMAL(18,0));
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (1, 1, 1.5, 1.25, 7), (2, 2, 2, 2.5, 8)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void assertRows(String rows, String sql) {
        assertThat(database.run(sql).toString()).as(sql).isEqualTo(rows);
    }

    @Test
    void shouldKeepDigitsWhenRowsAreUnited() {
        assertRows("[[1.00], [1.50], [2.00], [2.00]]", "SELECT id FROM t UNION ALL SELECT d FROM t ORDER BY 1");
        assertRows("[[1.250000], [2.500000]]", "SELECT e FROM t EXCEPT SELECT id FROM t ORDER BY 1");
        assertRows("[[2.00]]", "SELECT id FROM t INTERSECT SELECT d FROM t");
        assertRows("[[1.25], [7.00]]", "SELECT w FROM t WHERE id = 1 UNION SELECT 1.25 FROM t ORDER BY 1");
        assertRows("[[1.0], [1.5]]", "SELECT k FROM (VALUES (CAST(1 AS BIGINT)), (1.5)) v(k) ORDER BY 1");
    }

    @Test
    void shouldKeepDigitsWhenOneOfSeveralIsChosen() {
        assertRows(
                "[[1.50, 1.50, 1.50, 1.50, 1.75, 1.250000]]",
                "SELECT CASE WHEN id = 1 THEN d ELSE id END, COALESCE(d, id), COALESCE(NULLIF(id, 1), d),"
                        + " GREATEST(id, d), GREATEST(id, 1.75), COALESCE(NULLIF(w, 7), e) FROM t WHERE id = 1");
        assertRows("[[2]]", "UPDATE t SET d = CASE WHEN n > 0 THEN d + 0.25 ELSE id END");
        assertRows("[[1.75], [2.25]]", "SELECT d FROM t ORDER BY id");
    }

    @Test
    void shouldRefuseWhatHasTooManyDigits() {
        database.run("INSERT INTO t (id) VALUES (9000000000000000000)");

        database.assertOverflow("SELECT id FROM t UNION ALL SELECT d FROM t");
    }

    @Test
    void shouldNotRoundWhenTheyAreCompared() {
        assertRows("[]", "SELECT id FROM t WHERE id = 1.5 OR 2.4 = id");
        assertRows("[[1], [2]]", "SELECT id FROM t WHERE id <> 1.5 ORDER BY id");
        assertRows("[[2]]", "SELECT id FROM t WHERE d = id");
        assertRows("[[2]]", "SELECT id FROM t WHERE id IN (1.5, 2.0)");
        assertRows("[[2]]", "SELECT id FROM t WHERE id IN (SELECT d FROM t)");
        assertRows("[[1]]", "SELECT id FROM t WHERE id NOT IN (SELECT d FROM t)");
        assertRows("[[2]]", "SELECT id FROM t WHERE (id, n) IN ((1.5, 1), (2, 2))");
        assertRows("[[2]]", "SELECT a.id FROM t a JOIN t b ON a.id = b.d");
        assertRows("[[true, false]]", "SELECT id IS DISTINCT FROM d, d IS NOT DISTINCT FROM id FROM t WHERE id = 1");
    }

    @Test
    void shouldCompareWhatHasTooManyDigitsForTheOthersType() {
        database.run("INSERT INTO t VALUES (9000000000000000000, 2000000000, 3, 999999999999.5, 999999999999999999)");

        assertRows("[[2]]", "SELECT id FROM t WHERE id = d");
        assertRows("[[1], [9000000000000000000]]", "SELECT id FROM t WHERE d <> id ORDER BY id");
        assertRows("[[9000000000000000000]]", "SELECT id FROM t WHERE id > d");
        assertRows("[[1], [2]]", "SELECT id FROM t WHERE id < 2.5 ORDER BY id");
        assertRows("[[2]]", "SELECT id FROM t WHERE id = 2.0 AND NOT id = 1.5");
        assertRows("[[2]]", "SELECT id FROM t WHERE id BETWEEN 1.5 AND 2.5");
        assertRows("[[2]]", "SELECT id FROM t WHERE id IN (1.5, 2.0)");
        assertRows("[[1], [9000000000000000000]]", "SELECT id FROM t WHERE id NOT IN (1.5, 2.0) ORDER BY id");
        assertRows("[[2]]", "SELECT id FROM t WHERE id IN (SELECT d FROM t)");
        assertRows("[[2]]", "SELECT id FROM t WHERE d IN (SELECT id FROM t)");
        assertRows("[[1], [9000000000000000000]]", "SELECT id FROM t WHERE d NOT IN (SELECT id FROM t) ORDER BY id");
        assertRows("[[2]]", "SELECT a.id FROM t a JOIN t b ON a.id = b.d");
        assertRows("[[9000000000000000000]]", "SELECT id FROM t WHERE id > (SELECT MAX(d) FROM t)");
        assertRows("[[9000000000000000000]]", "SELECT id FROM t WHERE w > e AND n > 2");
        assertRows("[[true], [false], [true]]", "SELECT id IS DISTINCT FROM d FROM t ORDER BY id");
        assertRows("[[b], [a], [b]]", "SELECT DECODE(id, 2.0, 'a', 'b') FROM t ORDER BY id");
        assertRows(
                "[[a], [b], [c]]",
                "SELECT CASE id WHEN 1.0 THEN 'a' WHEN 2.0 THEN 'b' ELSE 'c' END FROM t ORDER BY id");
    }

    @Test
    void shouldCompareWithSubQueriesOfAnyShapeAsTheyAre() {
        database.run("INSERT INTO t VALUES (9000000000000000000, 2000000000, 3, 999999999999.5, 999999999999999999)");

        for (String all : List.of(
                "SELECT DISTINCT id FROM t",
                "SELECT id FROM t ORDER BY id LIMIT 5",
                "SELECT id FROM t UNION SELECT n FROM t",
                "SELECT id FROM t UNION ALL SELECT n FROM t",
                "SELECT id FROM t INTERSECT SELECT id FROM t",
                "SELECT id FROM t EXCEPT SELECT 5 FROM t",
                "SELECT MAX(id) FROM t GROUP BY id",
                "SELECT id FROM t GROUP BY id HAVING COUNT(*) > 0",
                "WITH w AS (SELECT id FROM t) SELECT id FROM w",
                "SELECT id FROM (SELECT DISTINCT id FROM t) x",
                "VALUES (9000000000000000000), (2)")) {
            assertRows("[[2]]", "SELECT id FROM t WHERE d IN (" + all + ")");
            assertRows("[[false], [true], [false]]", "SELECT d IN (" + all + ") FROM t ORDER BY id");
            assertRows("[[1], [9000000000000000000]]", "SELECT id FROM t WHERE d NOT IN (" + all + ") ORDER BY id");
            assertRows("[[2]]", "SELECT id FROM t WHERE d = SOME (" + all + ")");
        }
        assertRows("[[2]]", "SELECT id FROM t WHERE id IN (SELECT DISTINCT d FROM t)");
        assertRows("[[2]]", "SELECT id FROM t WHERE (id, n) IN (SELECT d, n FROM t UNION SELECT d, n FROM t)");
        assertRows("[[2]]", "SELECT id FROM t WHERE (d, 2) IN (SELECT DISTINCT id, n FROM t)");
        assertRows(
                "[[1], [2]]", "SELECT id FROM t WHERE d < ALL (SELECT id FROM t WHERE id > 2) AND n < 3 ORDER BY id");
        assertRows("[[9000000000000000000]]", "SELECT id FROM t WHERE id > ALL (SELECT DISTINCT d FROM t)");
    }

    @Test
    void shouldUseTheIndexWhenAnIntegerIsWrittenAsADecimal() {
        assertThat(database.run("EXPLAIN SELECT n FROM t WHERE id = 2.0").toString())
                .contains("unique lookup T by T_PK: ID = 2");
    }

    @Test
    void shouldRoundALiteralBeforeItIsComputedWith() {
        assertRows("[[101.00]]", "SELECT CAST(1.006 AS DECIMAL(3,2)) * 100");
        assertRows("[[2.01, -1.01]]", "SELECT CAST(1.006 AS DECIMAL(3,2)) + 1, -CAST(1.006 AS DECIMAL(3,2))");
        assertRows("[[true, false]]", "SELECT CAST(1.006 AS DECIMAL(3,2)) = 1.01, CAST(1.006 AS DECIMAL(3,2)) = 1.006");
        assertRows("[[0.00]]", "SELECT CAST(0 AS DECIMAL(2,2))");
        database.assertOverflow("SELECT CAST(9.999 AS DECIMAL(3,2))");
    }

    @Test
    void shouldStoreNoLiteralThatTheColumnHasNoRoomFor() {
        database.assertOverflow("INSERT INTO t (id, d) VALUES (3, 999999.999)");
        database.assertOverflow("UPDATE t SET d = 999999.996 WHERE id = 1");
        assertRows("[[1]]", "UPDATE t SET d = 999999.994 WHERE id = 1");
        assertRows("[[999999.99]]", "SELECT d FROM t WHERE id = 1");
    }

    /** Of as many digits as the greatest INTEGER has there are numbers that are none. */
    @Test
    void shouldFindNothingByAnIndexForADecimalThatIsOutOfRange() {
        try (TestDatabase numbers = new TestDatabase("""
                CREATE TABLE k (i INTEGER NOT NULL, t TINYINT NOT NULL, PRIMARY KEY (i) USING ORDERED);
                CREATE INDEX k_t ON k (t);
                CREATE TABLE v (d DECIMAL(10,0), e DECIMAL(3,0));
                """)) {
            numbers.run("INSERT INTO k VALUES (7, 7)");
            numbers.run("INSERT INTO v VALUES (9999999999, 999), (7, 7)");

            for (String where :
                    List.of("k.i = v.d", "k.t = v.e", "k.i >= v.d", "k.t >= v.e", "v.e BETWEEN k.t AND 500")) {
                assertThat(numbers.run("SELECT i FROM v JOIN k ON " + where).toString())
                        .as(where)
                        .isEqualTo("[[7]]");
            }
            assertThat(numbers.run("SELECT d FROM v WHERE d IN (SELECT i FROM k)")
                            .toString())
                    .isEqualTo("[[7]]");
            assertThat(numbers.run("EXPLAIN SELECT i FROM v JOIN k ON k.i = v.d")
                            .toString())
                    .contains("unique lookup K by K_PK");
        }
    }
}
