package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.CompiledStatement;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A parameter is compared as the same number is where it stands in the statement, also with more digits than its type. */
final class ComparedDecimalsTest {
    private static final List<String> VALUES = List.of(
            "19.99", "19.990", "19.994", "19.995", "20", "20.001", "-19.995", "-20.004", "0.001", "-1e-30", "0");

    /** Nothing of a DECIMAL(10,2) is as near to them on the other side. */
    private static final List<String> OUTSIDE = List.of("99999999.991", "-99999999.991");

    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, price DECIMAL(10,2) NOT NULL, d DECIMAL(10,2), e DECIMAL(12,4), n INTEGER);
            CREATE INDEX t_price ON t (price);
            CREATE TABLE u (id INTEGER NOT NULL PRIMARY KEY, d DECIMAL(10,2) NOT NULL);
            CREATE INDEX u_d ON u (d) USING HASH;
            """);

    @BeforeEach
    void fill() {
        String[] prices = {"19.99", "20.00", "20.01", "0.00", "-0.01", "-19.99", "-20.00", "-20.01", "0.01"};
        for (int i = 0; i < prices.length; i++) {
            database.run("INSERT INTO t VALUES (" + i + ", " + prices[i] + ", " + prices[i] + ", 19.9950, 20)");
            database.run("INSERT INTO u VALUES (" + i + ", " + prices[i] + ")");
        }
        database.run("INSERT INTO t VALUES (100, 50, NULL, NULL, NULL)");
    }

    @Test
    void shouldCompareWhatIsJustOutsideOfTheType() {
        for (String comparison : List.of("price < ?", "price <= ?", "price > ?", "price >= ?", "price = ?")) {
            for (String value : OUTSIDE) {
                boolean all = comparison.contains("<") != value.startsWith("-");
                long expected = comparison.equals("price = ?") || !all ? 0 : 10;
                assertThat(database.run("SELECT id FROM t WHERE " + comparison, new BigDecimal(value)))
                        .as(comparison + " with " + value)
                        .hasSize((int) expected);
            }
        }
    }

    /** 0 with a scale far from the type's has no digits in front of the point. */
    @Test
    void shouldCompareZeroAsZeroWhateverItsScale() {
        try (TestDatabase fractions = new TestDatabase("""
                CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, x NUMERIC(38,38), y DECIMAL(18,18), z NUMERIC(30,2), d DECIMAL(10,2));
                """)) {
            fractions.run("INSERT INTO t VALUES (1, 0, 0, 0, 0), (2, 0.5, 0.5, 0.5, 0.5)");
            for (String column : List.of("x", "y", "z", "d")) {
                for (String zero : List.of("0", "0E+30", "0.000", "0E-60")) {
                    for (String comparison : List.of(" = ?", " <= ?", " < ?")) {
                        assertThat(fractions.run("SELECT id FROM t WHERE " + column + comparison, new BigDecimal(zero)))
                                .as(column + comparison + " with " + zero)
                                .hasSize(comparison.equals(" < ?") ? 0 : 1);
                    }
                }
            }
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "price = $",
                "price <> $",
                "price < $",
                "price <= $",
                "price > $",
                "price >= $",
                "$ < d",
                "$ <= d",
                "$ > d",
                "$ >= d",
                "$ = d",
                "NOT (d < $)",
                "NOT d = $",
                "price BETWEEN $ AND $",
                "d NOT BETWEEN $ AND $",
                "price IN ($, $)",
                "d NOT IN ($, 20.00)",
                "d IS DISTINCT FROM $",
                "d IS NOT DISTINCT FROM $",
                "(d = $) IS NULL",
                "(price, id) IN (($, 1), ($, 2))",
                "price * 2 < $",
                "ABS(d) >= $",
                "n = 20 AND (price < $ OR price > $)",
                "CASE WHEN d > $ THEN id ELSE 0 END = 1",
                "$ IN (SELECT d FROM u)",
                "$ NOT IN (SELECT d FROM u WHERE u.id < t.id)",
                "$ > ALL (SELECT d FROM u WHERE u.id < 3)",
                "$ <= ANY (SELECT d FROM u WHERE u.id < 3)",
                "EXISTS (SELECT 1 FROM u WHERE u.d = $)",
                "id IN (SELECT id FROM u GROUP BY id HAVING SUM(d) >= $)",
                "NULLIF(d, $) IS NULL",
                "CASE d WHEN $ THEN 1 ELSE 2 END = 2"
            })
    void shouldFindWhatTheNumberItselfFinds(String condition) {
        for (String value : VALUES) {
            Object[] parameters = Stream.generate(() -> new BigDecimal(value))
                    .limit(condition.chars().filter(c -> c == '$').count())
                    .toArray();
            String query = "SELECT id FROM t WHERE " + condition + " ORDER BY id";
            String literal = new BigDecimal(value).scale() > 18 ? "-0.00000000000000001" : value;

            assertThat(database.run(query.replace("$", "?"), parameters))
                    .as("%s with %s", condition, value)
                    .isEqualTo(database.run(query.replace("$", literal)));
        }
    }

    @Test
    void shouldWriteByComparisonsOfTheNumberItself() {
        BigDecimal between = new BigDecimal("19.995");

        assertThat(database.value("UPDATE u SET d = ? WHERE d = ?", new BigDecimal("7.777"), between))
                .isEqualTo(0L);
        assertThat(database.value("DELETE FROM u WHERE d > ?", between)).isEqualTo(2L);
        assertThat(database.value("DELETE FROM u WHERE d >= ?", new BigDecimal("-19.995")))
                .isEqualTo(5L);
    }

    @Test
    void shouldStillRoundWhatIsStoredOrComputedWith() {
        BigDecimal value = new BigDecimal("19.995");
        database.run("INSERT INTO u VALUES (50, ?)", value);
        database.run("UPDATE u SET d = ? WHERE id = 0", value);
        database.run("UPDATE u SET d = NULLIF(?, d) WHERE id = 2", value);

        assertThat(database.run("SELECT d FROM u WHERE id IN (0, 2, 50)"))
                .isEqualTo(java.util.Collections.nCopies(3, List.of(new BigDecimal("20.00"))));
        assertThat(database.value("SELECT d + ? FROM u WHERE id = 1", value)).isEqualTo(new BigDecimal("40.00"));
        assertThat(database.value("SELECT COALESCE(?, d) FROM u WHERE id = 1", value))
                .isEqualTo(new BigDecimal("20.00"));
    }

    @Test
    void shouldRoundWhereTheStatementCastsIt() {
        BigDecimal value = new BigDecimal("19.995");

        assertThat(database.run("SELECT id FROM t WHERE price = CAST(? AS DECIMAL(10,2))", value))
                .isEqualTo(List.of(List.of(1L)));
        assertThat(database.run("SELECT id FROM t WHERE price >= CAST(? AS DECIMAL(12,3)) AND id < 9", value))
                .isEqualTo(List.of(List.of(1L), List.of(2L)));
    }

    @Test
    void shouldRefuseANumberThatNoneOfItsTypeStandsFor() {
        String sql = "SELECT id FROM t WHERE ? IN (d, e)";

        assertThat(database.run(sql, new BigDecimal("20.000"))).isEqualTo(List.of(List.of(1L)));
        assertThatThrownBy(() -> database.run(sql, new BigDecimal("19.995")))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_VALUE))
                .hasMessageContaining("parameter 1 of 1: 19.995 has more digits behind the point than a DECIMAL(10,2)");
    }

    @Test
    void shouldForgetANumberThatEqualsNothingWhenAnotherOneIsSet() {
        CompiledStatement statement = database.statement("SELECT id FROM t WHERE price = ?");

        statement.set(0, new BigDecimal("19.995")).query();
        assertThat(TestDatabase.rows(statement.rows())).isEmpty();
        statement.set(0, 20L).query();
        assertThat(TestDatabase.rows(statement.rows())).isEqualTo(List.of(List.of(1L)));
    }
}
