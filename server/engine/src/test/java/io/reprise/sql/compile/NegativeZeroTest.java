package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 0.0 and -0.0 are equal and not alike: the order of storage would decide which one MIN or a group has. */
final class NegativeZeroTest {
    private final TestDatabase database =
            new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, z DOUBLE, m DOUBLE, s VARCHAR(10));");

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-z",
                "z * m",
                "z / m",
                "MOD(m, 1e0)",
                "m % 1e0",
                "CEIL(m / 2)",
                "FLOOR(-z)",
                "ROUND(m / 4, 0)",
                "TRUNCATE(m / 2, 0)",
                "(m * 1e-300) * 1e-300",
                "(m * 1e-300) / 1e300",
                "POWER(m * 1e-300, 3e0)",
                "ATAN2(m * 1e-300, 1e300)",
                "RADIANS(m * 4.9e-324)",
                "SIN(-z)",
                "TAN(-z)",
                "ASIN(-z)",
                "ATAN(-z)",
                "DEGREES(-z)",
                "SIGN(-z)",
                "ABS(-z)",
                "SQRT(-z)",
                "CAST(s AS DOUBLE)",
                "GREATEST(-z, z * m)",
                "CAST(? AS DOUBLE)"
            })
    void shouldComeOfNoExpression(String expression) {
        database.run("INSERT INTO t VALUES (1, 0e0, -1e0, '-1e-400')");
        Object[] parameters = expression.contains("?") ? new Object[] {-0.0} : new Object[0];

        List<Object> row = database.run(
                        "SELECT " + expression + ", CAST(" + expression.replace("?", "-0e0")
                                + " AS VARCHAR(10)) FROM t",
                        parameters)
                .getFirst();

        assertThat(Double.doubleToRawLongBits((double) row.getFirst())).isZero();
        assertThat(row.getLast()).isEqualTo("0.0");
    }

    @Test
    void shouldMakeNoDifferenceForAnAggregateWhichRowComesFirst() {
        database.run("INSERT INTO t VALUES (1, 0e0, -1e0, ''), (2, 0e0, 1e0, '')");
        String both = "SELECT CAST(MIN(z * m) AS VARCHAR(10)), ATAN2(0e0, MAX(z * m)) FROM t";
        String expected = database.run(both).toString();
        database.run("UPDATE t SET m = -m");

        assertThat(database.run(both).toString()).isEqualTo(expected).isEqualTo("[[0.0, 0.0]]");
    }
}
