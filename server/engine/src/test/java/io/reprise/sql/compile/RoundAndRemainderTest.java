package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RoundAndRemainderTest {
    private final TestDatabase database = new TestDatabase(
            "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, e DECIMAL(5,2), f DECIMAL(18,4), n INTEGER, x DOUBLE);");

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void shouldNotStoreWhatRoundingMakesTooLargeForTheColumn() {
        database.run("INSERT INTO t VALUES (1, 999.99, 99999999999999.9999, 7, 5000.5)");

        assertThat(database.value("SELECT ROUND(e, 0) FROM t")).isEqualTo(new BigDecimal("1000.00"));
        database.assertOverflow("UPDATE t SET e = ROUND(e, 0)");
        database.assertOverflow("UPDATE t SET e = ROUND(e)");
        database.assertOverflow("INSERT INTO t (id, e) SELECT id + 1, ROUND(e, 0) FROM t");
        database.assertOverflow("UPDATE t SET f = ROUND(f, 0)");
        assertThat(database.value("SELECT e FROM t")).isEqualTo(new BigDecimal("999.99"));
    }

    @Test
    void shouldTakeTheRemainderOfDoublesAsDoubles() {
        database.run("INSERT INTO t VALUES (1, 999.99, 2.5, 7, 5000.5)");

        assertThat(database.run("SELECT MOD(x, 3), x % 3, MOD(n, 2.5e0), MOD(5000.5e0, 3), MOD(x, NULL) FROM t")
                        .toString())
                .isEqualTo("[[2.5, 2.5, 2.0, 2.5, null]]");
        assertThat(database.run("SELECT MOD(n, ?), n % ?, MOD(e, n), MOD(-7, 3), 7.5 % 2 FROM t", 4, 4)
                        .toString())
                .isEqualTo("[[3, 3, 5.99, -1, 1.5]]");
    }

    @Test
    void shouldRoundToAnyNumberOfDigits() {
        database.run("INSERT INTO t VALUES (1, 999.99, 2.5, 7, 5000.5)");

        for (long digits : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -41, -40, -20}) {
            assertThat(database.run(
                                    "SELECT ROUND(n, CAST(? AS BIGINT)), ROUND(e, CAST(? AS BIGINT)), ROUND(x, CAST(?"
                                            + " AS BIGINT)) FROM t",
                                    digits,
                                    digits,
                                    digits)
                            .toString())
                    .as("%d digits", digits)
                    .isEqualTo("[[0, 0.00, 0.0]]");
        }
        assertThat(database.run(
                                "SELECT ROUND(n, CAST(? AS BIGINT)), ROUND(e, CAST(? AS BIGINT)) FROM t",
                                Long.MAX_VALUE,
                                Long.MAX_VALUE)
                        .toString())
                .isEqualTo("[[7, 999.99]]");
    }
}
