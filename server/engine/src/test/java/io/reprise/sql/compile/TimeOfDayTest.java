package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of the type TIME. */
final class TimeOfDayTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id INTEGER NOT NULL, at TIME NOT NULL, other TIME, ts TIMESTAMP, name VARCHAR(20),
                PRIMARY KEY (id, at));
            PARTITION TABLE t ON COLUMN id;
            CREATE INDEX by_at ON t (at) USING ORDERED;
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (1, TIME '12:30:15.25', NULL, TIMESTAMP '2024-02-29 23:59:59.5', '07:08')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            at                                       | 12:30:15.250000
            TIME '00:00'                             | 00:00:00
            '23:59:59'::time                         | 23:59:59
            ts::time                                 | 23:59:59.500000
            CAST(name AS TIME)                       | 07:08:00
            CAST(name AS TIME WITHOUT TIME ZONE)     | 07:08:00
            CAST('1:2:3' AS TIME(0))                 | 01:02:03
            CAST('2024-02-29 10:20' AS TIME)         | 10:20:00
            at + INTERVAL '1' HOUR                   | 13:30:15.250000
            at + INTERVAL '12' HOUR                  | 00:30:15.250000
            at - INTERVAL '13' HOUR                  | 23:30:15.250000
            at + INTERVAL '1' DAY                    | 12:30:15.250000
            at - INTERVAL '1 day 15 seconds'         | 12:30:00.250000
            COALESCE(other, at)                      | 12:30:15.250000
            CASE WHEN id = 2 THEN other ELSE TIME '01:02' END | 01:02:00
            TO_CHAR(at, 'HH12:MI:SS AM')             | 12:30:15 PM
            EXTRACT(HOUR FROM at)                    | 12
            EXTRACT(MINUTE FROM at)                  | 30
            EXTRACT(SECOND FROM at)                  | 15
            at = '12:30:15.25'                       | TRUE
            at > TIME '12:30:15.249999'              | TRUE
            at BETWEEN '12:00' AND '13:00'           | TRUE
            at IN ('12:30', '12:30:15.25')           | TRUE
            LOCALTIME = CAST(CURRENT_TIMESTAMP AS TIME) | TRUE
            GREATEST(at, TIME '13:00')               | 13:00:00
            """)
    void shouldComputeWithTimes(String expression, String expected) {
        assertThat(database.value("SELECT CAST(" + expression + " AS VARCHAR(30)) FROM t"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            at + INTERVAL '1' MONTH   | months
            EXTRACT(YEAR FROM at)     | EXTRACT
            CAST(at AS TIMESTAMP)     | cannot be converted
            CAST(at AS DATE)          | cannot be converted
            CAST(CURRENT_DATE AS TIME) | cannot be converted
            CAST(id AS TIME)          | cannot
            at = ts                   | TIME
            TIME '24:00:00'           | is not a TIME
            TIME '12:60'              | is not a TIME
            CAST(at AS TIME WITH TIME ZONE) | TIME WITH TIME ZONE is not supported
            """)
    void shouldRefuseWhatHasNoMeaning(String expression, String message) {
        assertThatThrownBy(() -> database.value("SELECT " + expression + " FROM t"))
                .hasMessageContaining(message);
    }

    @Test
    void shouldSearchSortAndGroupByTimes() {
        for (int i = 0; i < 50; i++) {
            database.run("INSERT INTO t (id, at) VALUES (?, ?)", 2 + i, (long) ((i * 37) % 50) * 1_000_000 * 60);
        }

        assertThat(database.value("SELECT COUNT(*) FROM t WHERE at < TIME '00:10'"))
                .isEqualTo(10L);
        assertThat(database.value("SELECT MIN(id) FROM t WHERE at = '00:37'")).isEqualTo(3L);
        assertThat(database.value("SELECT CAST(MAX(at) AS VARCHAR(20)) FROM t WHERE id > 1"))
                .isEqualTo("00:49:00");
        assertThat(database.value("SELECT COUNT(DISTINCT at) FROM t")).isEqualTo(51L);
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, at) VALUES (?, ?)", 99, 86_400_000_000L))
                .hasMessageContaining("out of range");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, at) VALUES (?, ?)", 99, -1L))
                .hasMessageContaining("out of range");
    }
}
