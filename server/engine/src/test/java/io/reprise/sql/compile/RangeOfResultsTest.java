package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** At the ends of its type a result is right or an error. */
final class RangeOfResultsTest {
    private final TestDatabase database = new TestDatabase(
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, d DATE, ts TIMESTAMP); CREATE INDEX t_d ON t (d);");

    @AfterEach
    void close() {
        database.close();
    }

    private void assertRefused(ErrorCode code, String sql, Object... parameters) {
        assertThatThrownBy(() -> database.run(sql, parameters))
                .as(sql)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldRoundOnceWhenADoubleBecomesAnInteger() {
        String cast = "SELECT CAST(CAST(? AS DOUBLE) AS BIGINT)";

        assertThat(database.value(cast, 4503599627370497.0)).isEqualTo(4503599627370497L);
        assertThat(database.value(cast, -4503599627370497.0)).isEqualTo(-4503599627370497L);
        assertThat(database.value(cast, 0.49999999999999994)).isEqualTo(0L);
        assertThat(database.value(cast, 2.5)).isEqualTo(3L);
        assertThat(database.value(cast, -2.5)).isEqualTo(-3L);
        assertThat(database.value(cast, -0x1p63)).isEqualTo(Long.MIN_VALUE);
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, cast, 0x1p63);
    }

    @Test
    void shouldRefuseADateWhoseDayIsNoInteger() {
        String insert = "INSERT INTO t (id, d) VALUES (1, CAST(CAST(? AS VARCHAR(40)) AS DATE))";

        assertRefused(ErrorCode.INVALID_VALUE, insert, "+999999999-01-01");
        database.run(insert, "+5800000-01-01");
        assertThat(database.value("SELECT CAST(d AS VARCHAR(20)) FROM t")).isEqualTo("+5800000-01-01");
    }

    @Test
    void shouldRefuseATimestampOfADateThatIsTooFarAway() {
        database.run("INSERT INTO t (id, d) VALUES (1, CAST('+294247-01-10' AS DATE))");
        database.run("INSERT INTO t (id, d) VALUES (2, CAST('+300000-01-01' AS DATE))");

        assertThat(database.value("SELECT CAST(CAST(d AS TIMESTAMP) AS VARCHAR(40)) FROM t WHERE id = 1"))
                .isEqualTo("+294247-01-10 00:00:00");
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT CAST(d AS TIMESTAMP) FROM t WHERE id = 2");
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT id FROM t WHERE d > TIMESTAMP '2020-01-01 00:00:00'");
        assertThat(database.run("SELECT id FROM t WHERE d > DATE '2020-01-01' ORDER BY id"))
                .isEqualTo(List.of(List.of(1L), List.of(2L)));
    }

    @Test
    void shouldRefuseAUnitThatBeginsOrEndsOutsideOfTimestamps() {
        database.run("INSERT INTO t (id, ts) VALUES (1, ?)", Long.MIN_VALUE);
        database.run("INSERT INTO t (id, ts) VALUES (2, ?)", Long.MAX_VALUE);

        for (String unit : List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")) {
            assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT FLOOR(ts TO " + unit + ") FROM t WHERE id = 1");
            assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT CEIL(ts TO " + unit + ") FROM t WHERE id = 2");
        }
        assertThat(database.value("SELECT CAST(FLOOR(ts TO DAY) AS VARCHAR(40)) FROM t WHERE id = 2"))
                .isEqualTo("+294247-01-10 00:00:00");
        assertThat(database.value("SELECT CAST(CEIL(ts TO DAY) AS VARCHAR(40)) FROM t WHERE id = 1"))
                .isEqualTo("-290308-12-22 00:00:00");
    }

    @Test
    void shouldRefuseInfinity() {
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT ROUND(CAST(? AS DOUBLE), -308)", Double.MAX_VALUE);
        assertRefused(ErrorCode.NUMERIC_OVERFLOW, "SELECT COT(CAST(? AS DOUBLE))", Double.MIN_VALUE);
    }

    @Test
    void shouldGiveAllCharactersFromFarBeforeTheFirst() {
        assertThat(database.value("SELECT SUBSTRING('abc' FROM CAST(? AS BIGINT))", Long.MIN_VALUE))
                .isEqualTo("abc");
    }

    @Test
    void shouldKeepTheTimeThatIsAddedToADate() {
        database.run("INSERT INTO t (id, d) VALUES (1, DATE '2024-01-31')");

        assertThat(database.run("SELECT CAST(d + INTERVAL '23' HOUR AS VARCHAR(30)), CAST(INTERVAL '1' MINUTE + d AS"
                                + " VARCHAR(30)), CAST(d - INTERVAL '1' SECOND AS VARCHAR(30)), CAST(d + INTERVAL"
                                + " '1 12' DAY TO HOUR AS VARCHAR(30)), CAST(d + INTERVAL '1' DAY AS VARCHAR(30)),"
                                + " CAST(d + INTERVAL '1' MONTH AS VARCHAR(30)) FROM t")
                        .getFirst())
                .isEqualTo(List.of(
                        "2024-01-31 23:00:00",
                        "2024-01-31 00:01:00",
                        "2024-01-30 23:59:59",
                        "2024-02-01 12:00:00",
                        "2024-02-01",
                        "2024-02-29"));
        assertThat(database.value(
                        "SELECT COUNT(*) FROM t WHERE d + INTERVAL '23' HOUR > TIMESTAMP '2024-01-31 22:00:00'"))
                .isEqualTo(1L);
    }

    @Test
    void shouldCutWhatAnotherCaseHasLengthened() {
        database.run("INSERT INTO t (id) VALUES (1)");

        assertThat(database.value("SELECT CAST(UPPER(CAST(? AS VARCHAR(3))) AS VARCHAR(3)) FROM t", "ßßß"))
                .isEqualTo("SSS");
        assertThat(database.value("SELECT CAST(INITCAP(CAST(? AS VARCHAR(2))) AS VARCHAR(2)) FROM t", "xİ"))
                .isEqualTo("Xi");
        assertThat(database.value("SELECT CAST(LOWER(CAST(? AS VARCHAR(1))) AS VARCHAR(1)) FROM t", "İ"))
                .isEqualTo("i");
    }
}
