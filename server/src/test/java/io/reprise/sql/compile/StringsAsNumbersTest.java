package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.sql.plan.SqlPlanningException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A string that is compared with a number is that number, and not one that it would be rounded to. */
final class StringsAsNumbersTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, v SMALLINT, d DECIMAL(10,2), x DOUBLE, s VARCHAR(10));
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO w VALUES (1, 2, 1.50, 1.25, '1.4'), (2, 3, 2.50, 2.25, '2')");
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
                "id = s",
                "id IN (SELECT s FROM w)",
                "s = 5",
                "id = ANY (SELECT s FROM w)",
                "(id, v) = ('1.4', '2')",
                "(SELECT s FROM w WHERE id = 1) = 1",
                "'5.4' = 5"
            })
    void shouldBeRefusedWhereTheyWouldBeRounded(String condition) {
        assertThatThrownBy(() -> database.run("DELETE FROM w WHERE " + condition))
                .isInstanceOf(SqlPlanningException.class)
                .hasMessageContaining("compared with a number");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            id = '1'                       | 1
            id = ' 1.0 '                   | 1
            v > '-32768'                   | 2
            v IN ('2', '3')                | 2
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
}
