package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TO_DATE, TO_TIMESTAMP and TO_NUMBER; the results are those of PostgreSQL 15. */
final class TextsByPatternTest {
    private final TestDatabase database =
            new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, text VARCHAR(40), form VARCHAR(40));");

    @AfterEach
    void close() {
        database.close();
    }

    private Object read(String function, String text, String pattern) {
        return database.value("SELECT CAST(" + function + "('" + text + "', '" + pattern + "') AS VARCHAR(40))");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            05 Dec 2000         | DD Mon YYYY        | 2000-12-05
            2026-01-31          | YYYY-MM-DD         | 2026-01-31
            20260131            | YYYYMMDD           | 2026-01-31
            31/1/26             | DD/MM/YY           | 2026-01-31
            1.2.1999            | DD.MM.YYYY         | 1999-02-01
            january 7, 1984     | Month DD, YYYY     | 1984-01-07
            7 JAN 84            | DD MON YY          | 1984-01-07
            2024-060            | YYYY-DDD           | 2024-02-29
            2461072             | J                  | 2026-01-31
            XII 2020 5          | RM YYYY DD         | 2020-12-05
            2,026-03-04         | Y,YYY-MM-DD        | 2026-03-04
            2026                | YYYY               | 2026-01-01
            on 2026-03-04       | "on "YYYY-MM-DD    | 2026-03-04
            2026 03 04          | YYYY-MM-DD         | 2026-03-04
            2026-3-4            | FMYYYY-MM-DD       | 2026-03-04
            Mon 2026-01-05      | DY YYYY-MM-DD      | 2026-01-05
            """)
    void shouldReadDates(String text, String pattern, String expected) {
        assertThat(read("TO_DATE", text, pattern)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            2026-01-31 23:59:58    | YYYY-MM-DD HH24:MI:SS    | 2026-01-31 23:59:58
            2026-01-31 11:59 pm    | YYYY-MM-DD HH12:MI AM    | 2026-01-31 23:59:00
            2026-01-31 12:00 a.m.  | YYYY-MM-DD HH:MI A.M.    | 2026-01-31 00:00:00
            20260131235958         | YYYYMMDDHH24MISS         | 2026-01-31 23:59:58
            2026-01-31 10:00:00.25 | YYYY-MM-DD HH24:MI:SS.MS | 2026-01-31 10:00:00.250000
            2026-01-31 10:00:00.000025 | YYYY-MM-DD HH24:MI:SS.US | 2026-01-31 10:00:00.000025
            2026-01-31 3661        | YYYY-MM-DD SSSS          | 2026-01-31 01:01:01
            2026-01-31 12:30       | YYYY-MM-DD HH:MI         | 2026-01-31 00:30:00
            2026-01-31 12:30 pm    | YYYY-MM-DD HH:MI AM      | 2026-01-31 12:30:00
            2026-01-31 11:30       | YYYY-MM-DD HH12:MI       | 2026-01-31 11:30:00
            2026-01-31 10:00:00.7  | YYYY-MM-DD HH24:MI:SS.FF1 | 2026-01-31 10:00:00.700000
            2026-01-31 10:00:00.25 | YYYY-MM-DD HH24:MI:SS.FF2 | 2026-01-31 10:00:00.250000
            2026-01-31 10:00:00.25 | YYYY-MM-DD HH24:MI:SS.FF3 | 2026-01-31 10:00:00.250000
            2026-01-31 10:00:00.1234 | YYYY-MM-DD HH24:MI:SS.FF4 | 2026-01-31 10:00:00.123400
            2026-01-31 10:00:00.12345 | YYYY-MM-DD HH24:MI:SS.FF5 | 2026-01-31 10:00:00.123450
            2026-01-31 10:00:00.000025 | YYYY-MM-DD HH24:MI:SS.FF6 | 2026-01-31 10:00:00.000025
            2026-01-31 10:00:00.250 000025 | YYYY-MM-DD HH24:MI:SS.MS US | 2026-01-31 10:00:00.250025
            """)
    void shouldReadTimestamps(String text, String pattern, String expected) {
        assertThat(read("TO_TIMESTAMP", text, pattern)).isEqualTo(expected);
    }

    /** A year 0 is 1 BC; two negations are one year after Christ. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            -44-02-01       | YYYY-MM-DD    | 0044-02-01 BC
            -1-12-31        | YYYY-MM-DD    | 0001-12-31 BC
            44-02-01 BC     | YYYY-MM-DD BC | 0044-02-01 BC
            1-01-01 BC      | YYYY-MM-DD BC | 0001-01-01 BC
            -44-02-01 BC    | YYYY-MM-DD BC | 0044-02-01 AD
            0000-02-01      | YYYY-MM-DD    | 0001-02-01 BC
            """)
    void shouldReadYearsBeforeChrist(String text, String pattern, String expected) {
        assertThat(database.value("SELECT TO_CHAR(TO_DATE('" + text + "', '" + pattern + "'), 'YYYY-MM-DD BC')"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"FF1,1", "FF2,12", "FF3,123", "FF4,1234", "FF5,12345", "FF6,123456", "MS,123", "US,123456"})
    void shouldWriteFractions(String pattern, String expected) {
        assertThat(database.value("SELECT TO_CHAR(TIMESTAMP '2026-01-31 10:00:00.123456', '" + pattern + "')"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            12,454.8-     | 99G999D9S  | -12454.8
            1,234.56      | 9,999.99   | 1234.56
            -12.5         | S99D9      | -12.5
            0012          | 9999       | 12
            1234          | 99         | 12
            42            | 999.99     | 42.00
            <34>          | 99PR       | -34
            5-            | 9MI        | -5
            $ 7.50        | L 9.99     | 7.50
            """)
    void shouldReadNumbers(String text, String pattern, String expected) {
        assertThat(read("TO_NUMBER", text, pattern)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = '|', textBlock = """
            TO_DATE('2026-13-01', 'YYYY-MM-DD')        | out of range
            TO_DATE('2026-02-30', 'YYYY-MM-DD')        | out of range
            TO_DATE('2026-xx-01', 'YYYY-MM-DD')        | invalid value
            TO_DATE('05 Foo 2000', 'DD Mon YYYY')      | invalid value
            TO_DATE('2026-10', 'IYYY-IW')              | can be written by TO_CHAR
            TO_TIMESTAMP('2026-01-01 24:30', 'YYYY-MM-DD HH24:MI') | out of range
            TO_TIMESTAMP('2026-01-01 13:30', 'YYYY-MM-DD HH12:MI') | 12-hour clock
            TO_TIMESTAMP('2026-01-01 00:30', 'YYYY-MM-DD HH12:MI') | 12-hour clock
            TO_TIMESTAMP('2026-01-01 0:30 am', 'YYYY-MM-DD HH:MI AM') | 12-hour clock
            TO_TIMESTAMP('2026 999 999999', 'YYYY MS US') | out of range
            TO_DATE('4294969,296', 'Y,YYY')            | out of range
            TO_NUMBER('abc', '999')                    | has no number
            TO_NUMBER('', '9')                         | has no number
            TO_NUMBER('1', 'RN')                       | can't read
            TO_DATE('2026')                            | TO_DATE
            """)
    void shouldRefuseWhatIsNoSuchText(String expression, String message) {
        assertThatThrownBy(() -> database.value("SELECT " + expression)).hasMessageContaining(message);
    }

    @Test
    void shouldReadTextsOfRows() {
        database.run("INSERT INTO t VALUES (1, '31.01.2026', 'DD.MM.YYYY'), (2, NULL, 'DD'), (3, '12.5', '99.9')");

        assertThat(database.value("SELECT CAST(TO_DATE(text, form) AS VARCHAR(20)) FROM t WHERE id = 1"))
                .isEqualTo("2026-01-31");
        assertThat(database.value("SELECT COUNT(*) FROM t WHERE TO_DATE(text, form) IS NULL AND id = 2"))
                .isEqualTo(1L);
        assertThat(database.value("SELECT CAST(TO_NUMBER(text, form) AS VARCHAR(20)) FROM t WHERE id = 3"))
                .isEqualTo("12.500000");
        assertThat(database.value("SELECT CAST(TO_DATE(?, ?) AS VARCHAR(20))", "2026-05-06", "YYYY-MM-DD"))
                .isEqualTo("2026-05-06");
    }
}
