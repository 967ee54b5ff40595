package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A DATE plus or minus an interval of whole days is a DATE. */
final class IntervalsOfDaysTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (d DATE NOT NULL PRIMARY KEY, ts TIMESTAMP);
            PARTITION TABLE t ON COLUMN d;
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (DATE '2024-01-31', TIMESTAMP '2024-02-01 05:00:00')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            d + INTERVAL '1' WEEK           | 2024-02-07
            d - INTERVAL '1' WEEK           | 2024-01-24
            d + CAST(2 AS INTERVAL WEEK)    | 2024-02-14
            d + 2 * INTERVAL '1' WEEK       | 2024-02-14
            d + INTERVAL '1' DAY            | 2024-02-01
            d + INTERVAL '1' QUARTER        | 2024-04-30
            DATEADD(WEEK, -1, d)            | 2024-01-24
            DATEADD(QUARTER, 1, d)          | 2024-04-30
            d + INTERVAL '24' HOUR          | 2024-02-01 00:00:00
            d + INTERVAL '7 00' DAY TO HOUR | 2024-02-07 00:00:00
            """)
    void shouldBeADateWhenDaysAreAdded(String expression, String expected) {
        assertThat(database.value("SELECT CAST(" + expression + " AS VARCHAR(30)) FROM t"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            d + INTERVAL '1' DAY / 2                             | 2024-01-31
            d - INTERVAL '1' DAY / 2                             | 2024-01-31
            d + INTERVAL '1' WEEK / 2                            | 2024-02-03
            d - INTERVAL '1' WEEK / 2                            | 2024-01-28
            d + INTERVAL '1' DAY * -0.5                          | 2024-01-31
            d + (ts - TIMESTAMP '2024-01-31 00:00:00') DAY       | 2024-02-01
            d - (ts - TIMESTAMP '2024-01-31 00:00:00') DAY       | 2024-01-30
            d + (TIMESTAMP '2024-01-31 00:00:00' - ts) DAY       | 2024-01-30
            d - CAST(INTERVAL '30' HOUR AS INTERVAL DAY)         | 2024-01-30
            ts - INTERVAL '1' DAY / 2                            | 2024-01-31 17:00:00
            CAST(d AS TIMESTAMP) - INTERVAL '1' DAY / 2          | 2024-01-30 12:00:00
            """)
    void shouldCutHoursTowardsZeroWhereADateHasNone(String expression, String expected) {
        assertThat(database.value("SELECT CAST(" + expression + " AS VARCHAR(30)) FROM t"))
                .isEqualTo(expected);
    }

    @Test
    void shouldTakeDatesFromDatesWithWeeksBetween() {
        assertThat(database.value("SELECT COUNT(*) FROM t WHERE (d + INTERVAL '1' WEEK - d) DAY = INTERVAL '7' DAY"))
                .isEqualTo(1L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"INTERVAL '1' WEEK", "INTERVAL '1' DAY", "INTERVAL '1' QUARTER", "CAST(2 AS INTERVAL WEEK)"})
    void shouldFindTheRowByItsKey(String interval) {
        String sql = "SELECT ts FROM t WHERE d = CAST(? AS DATE) + " + interval;

        assertThat(database.plan(sql).explanation()).startsWith("scope: KEY").contains("unique lookup");
    }
}
