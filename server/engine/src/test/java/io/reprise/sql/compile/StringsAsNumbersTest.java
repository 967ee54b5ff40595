package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.sql.bind.SqlPlanningException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A string that is compared or computed with as a number is that number, and not one that it would be rounded to. */
final class StringsAsNumbersTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, v SMALLINT, d DECIMAL(10,2), x DOUBLE, s VARCHAR(10));
            CREATE TABLE o (id VARCHAR(10), z INTEGER);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO w VALUES (1, 2, 1.50, 1.25, '1.4'), (2, 3, 2.50, 2.25, '2')");
        database.run("INSERT INTO o VALUES ('1.4', 1), ('2', 2)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id = '1.4'",
                "'1.4' = id",
                "v < '2.4'",
                "v <> '2.4'",
                "v IS DISTINCT FROM '2.4'",
                "v BETWEEN '1.5' AND '3'",
                "v IN ('2', '2.4')",
                "v NOT IN ('2.4')",
                "CASE v WHEN '2.4' THEN TRUE END",
                "NULLIF(v, '2.4') IS NULL",
                "d = '1.50500000000000000001'",
                "id = 'one'",
                "id = ''",
                "v = '32768'",
                "id = '1e2000000000'",
                "id = '1000000E2147483647'",
                "x = '1000000E2147483647'",
                "x = '1e400'",
                "x = '0x1p3'",
                "id = s",
                "id IN (SELECT s FROM w)",
                "s IN ('x', 1.40)",
                "s IN (1.40)",
                "s NOT IN ('x', 1)",
                "'1.0' IN ('x', 1)",
                "id IN ('1.4', 2)",
                "id IN (2.5, s)",
                "id = ANY ('1.4', 2)",
                "(id, v) IN (('1.4', '2'), ('2', '3'))",
                "id = '1.4' + 0",
                "id = 0 + '1.4'",
                "id = '1.4' * 1",
                "d = '1.00000000000000000001' + d",
                "id = s + 0",
                "id = -s",
                "id = ABS(s)",
                "id = MOD(s, 2)",
                "s = REPEAT('1', '1.4')",
                "BITAND('1.4', 1) = 1",
                "x = x * '1e400'",
                "(SELECT SUM(s) FROM w) > 1",
                "s = 5",
                "id = ANY (SELECT s FROM w)",
                "(id, v) = ('1.4', '2')",
                "(SELECT s FROM w WHERE id = 1) = 1",
                "'5.4' = 5"
            })
    void shouldBeRefusedWhereTheyWouldBeRounded(String condition) {
        assertThatThrownBy(() -> database.run("DELETE FROM w WHERE " + condition))
                .isInstanceOf(SqlPlanningException.class)
                .hasMessageContaining("taken for a number");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            id = '1'                       | 1
            id = ' 1.0 '                   | 1
            v > '-32768'                   | 2
            v IN ('2', '3')                | 2
            id IN ('1', 2.5)               | 1
            id IN ('3', 1.4)               | 0
            id IN ('1.0', NULL)            | 1
            id NOT IN ('2', 5.5)           | 1
            d IN ('1.5', '25e-1')          | 2
            x IN ('1.25', 7)               | 1
            id = '1' + 1                   | 1
            d = '0.5' + 1.0                | 1
            x = '1.25' * 1e0               | 1
            id = -'-1'                     | 1
            SUBSTRING(s, '1') = '2'        | 1
            (id, v) = ('1', '2')           | 1
            d = '1.5'                      | 1
            d = '1.505'                    | 0
            x < '2.2'                      | 1
            CAST(s AS DECIMAL(10,2)) < 1.5 | 1
            CAST(s AS INTEGER) = id        | 2
            """)
    void shouldBeTheNumbersThatTheyAre(String condition, long count) {
        assertThat(database.value("SELECT COUNT(*) FROM w WHERE " + condition)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "w JOIN o USING (id)",
                "o JOIN w USING (id)",
                "w NATURAL JOIN o",
                "w LEFT JOIN o USING (id)",
                "w JOIN w AS u USING (id) JOIN o USING (id)",
                "w NATURAL JOIN (SELECT id FROM o) AS u"
            })
    void shouldBeRefusedAsColumnsOfOneNameThatAreJoined(String joined) {
        assertThatThrownBy(() -> database.run("DELETE FROM w WHERE EXISTS (SELECT 1 FROM " + joined + ")"))
                .isInstanceOf(SqlPlanningException.class)
                .hasMessageContaining("column ID is a string in one table and a number in the other");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            w JOIN w AS u USING (id, s)                                        | 2
            w NATURAL JOIN w AS u                                              | 2
            w JOIN (SELECT CAST(id AS DECIMAL(10,2)) AS id FROM w) AS u USING (id) | 2
            w JOIN o ON w.id = CAST(o.id AS DECIMAL(10,2))                     | 1
            """)
    void shouldBeJoinedWhereBothAreNumbersOrStrings(String joined, long count) {
        assertThat(database.value("SELECT COUNT(*) FROM " + joined)).isEqualTo(count);
    }
}
