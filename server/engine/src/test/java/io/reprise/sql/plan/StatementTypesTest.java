package io.reprise.sql.plan;

import static io.reprise.sql.plan.PlanFixture.plan;
import static io.reprise.sql.plan.PlanFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.physical.PlanField;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Types of parameters and results, literals, casts and defaults. */
final class StatementTypesTest {
    private static final String ANY_TEXT = "VARCHAR(1048575)";

    private static String parameters(String sql) {
        return plan(sql).parameters().stream().map(Object::toString).collect(Collectors.joining(" "));
    }

    private static String output(String sql) {
        return plan(sql).output().stream()
                .map(f -> f.type() + (f.nullable() ? "?" : ""))
                .collect(Collectors.joining(" "));
    }

    private static String row(String sql) {
        return plan(sql).explanation().lines().toList().getLast().strip();
    }

    @Test
    void shouldGiveParametersTheTypeOfTheirNeighbours() {
        assertThat(parameters("SELECT * FROM p WHERE k = ? AND d < ? AND v = ? AND ts >= ? AND x = ? AND flag = ?"))
                .isEqualTo("BIGINT DECIMAL(12,2) " + ANY_TEXT + " TIMESTAMP DOUBLE BOOLEAN");
        assertThat(parameters("SELECT * FROM r WHERE n IN (?, ?) AND name LIKE ? LIMIT ? OFFSET ?"))
                .isEqualTo("INTEGER INTEGER " + ANY_TEXT + " BIGINT BIGINT");
        assertThat(parameters("UPDATE p SET n = n + ?, v = ? WHERE k = ? AND id BETWEEN ? AND ?"))
                .isEqualTo("INTEGER " + ANY_TEXT + " BIGINT INTEGER INTEGER");
        assertThat(parameters("INSERT INTO r2 (bin, id, t) VALUES (?, ?, ?)"))
                .isEqualTo("VARBINARY(1048575) INTEGER TINYINT");
        assertThat(parameters("SELECT COALESCE(?, name), COALESCE(n, ?), CASE ? WHEN 1 THEN 2 ELSE ? END FROM r"))
                .isEqualTo(ANY_TEXT + " INTEGER INTEGER INTEGER");
        assertThat(parameters("SELECT CAST(? AS DECIMAL(5,1)), ? IS NULL")).isEqualTo("DECIMAL(5,1) " + ANY_TEXT);
    }

    @Test
    void shouldRefuseParametersWhoseTypeDoesNotFollow() {
        assertThat(refusal("SELECT ?"))
                .isEqualTo("the type of parameter 1 does not follow from the context: write CAST(? AS type) at line 1,"
                        + " column 8");
    }

    @Test
    void shouldTypeAggregatesAsDocumented() {
        assertThat(output("SELECT SUM(t), SUM(big), SUM(id), AVG(id), COUNT(*), MIN(t) FROM r2"))
                .isEqualTo("BIGINT? BIGINT? BIGINT? BIGINT? BIGINT TINYINT?");
        assertThat(output("SELECT SUM(amount), AVG(amount), MAX(amount) FROM r"))
                .isEqualTo("DECIMAL(38,2)? DECIMAL(18,6)? DECIMAL(12,2)?");
        assertThat(output("SELECT SUM(x), AVG(x) FROM p WHERE k = 1")).isEqualTo("DOUBLE? DOUBLE?");
    }

    @Test
    void shouldTypeDecimalArithmeticWithin18Digits() {
        assertThat(output("SELECT d + 1, d * d, d / 3, d % 7, d * id, -d FROM p WHERE k = 1"))
                .isEqualTo("DECIMAL(13,2)? DECIMAL(18,4)? DECIMAL(18,8)? DECIMAL(12,2)? DECIMAL(18,2)? DECIMAL(12,2)?");
        assertThat(output("SELECT e * e, e / e FROM s WHERE k = 1")).isEqualTo("DECIMAL(18,6)? DECIMAL(18,8)?");
        assertThat(output("SELECT n / 2, n + id, x * n FROM p WHERE k = 1")).isEqualTo("INTEGER? INTEGER? DOUBLE?");
    }

    @Test
    void shouldTreatTextLiteralsAsVarchar() {
        assertThat(output("SELECT 'abc', CASE WHEN n > 1 THEN 'a' ELSE 'bcd' END, name || 'x' FROM r"))
                .isEqualTo("VARCHAR(3) VARCHAR(3) VARCHAR(21)?");
        assertThat(row("SELECT 'äöü€', ''")).isEqualTo("values ('äöü€', '')");
        assertThat(
                        output(
                                "SELECT 1.50, 1e3, 5000000000, TRUE, DATE '2020-02-03', TIMESTAMP '2020-02-03 04:05:06.123456'"))
                .isEqualTo("DECIMAL(3,2) DOUBLE BIGINT BOOLEAN DATE TIMESTAMP");
    }

    @Test
    void shouldFoldConstantsWhenNothingCanFail() {
        assertThat(row("SELECT -1, 1 + 2 * 3, CAST(5 AS BIGINT), -(-(2.50))")).isEqualTo("values (-1, 7, 5, 2.50)");
        assertThat(row("SELECT 1 / 0, 2147483647 + 1, CAST(300 AS TINYINT)"))
                .isEqualTo("values (1 / 0, 2147483647 + 1, CAST(300 AS TINYINT))");
    }

    @Test
    void shouldNotCutTextWhenItIsAssigned() {
        assertThat(row("INSERT INTO q (k, id, name, made) VALUES (1, 2, 'longer than ten', NULL)"))
                .isEqualTo("values (1, 2, 7, 'longer than ten', NULL)");
        assertThat(row("INSERT INTO q (k, id, name, made) VALUES (1, 2, CAST('longer than ten' AS VARCHAR(10)), NULL)"))
                .isEqualTo("values (1, 2, 7, CAST('longer than ten' AS VARCHAR(10)), NULL)");
        assertThat(plan("UPDATE q SET name = 'longer than ten' WHERE k = 1 AND id = 2")
                        .explanation())
                .contains("update Q set NAME = 'longer than ten'\n");
        assertThat(plan("INSERT INTO q (k, id, name) SELECT id, id, name FROM r")
                        .explanation())
                .contains("project CAST(R.ID AS BIGINT) as K, R.ID, 7 as S, R.NAME, CURRENT_TIMESTAMP() as MADE");
    }

    @Test
    void shouldFillInDefaultsWhenColumnsAreLeftOut() {
        assertThat(row("INSERT INTO q (k, id) VALUES (?, ?)"))
                .isEqualTo("values (?1, ?2, 7, 'none', CURRENT_TIMESTAMP())");
        assertThat(row("INSERT INTO q VALUES (?, ?, DEFAULT, DEFAULT, NULL)"))
                .isEqualTo("values (?1, ?2, 7, 'none', NULL)");
        assertThat(refusal("INSERT INTO q (id) VALUES (1)"))
                .isEqualTo("Column 'K' has no default value and does not allow NULLs at line 1, column 13");
    }

    @Test
    void shouldCastWhenNumbersAreAssigned() {
        assertThat(row("INSERT INTO r (id, amount, n) VALUES (?, 3, 7.6)"))
                .isEqualTo("values (?1, NULL, 3.00, CAST(7.6 AS INTEGER))");
    }

    @Test
    void shouldNameColumnsAsWritten() {
        assertThat(plan("SELECT id AS \"Id\", n, n + 1 AS m FROM r").output())
                .extracting(PlanField::name)
                .containsExactly("Id", "N", "M");
        assertThat(plan("DELETE FROM r").output()).extracting(PlanField::name).containsExactly("MODIFIED_ROWS");
    }

    @Test
    void shouldAcceptEveryFunctionOnTheList() {
        assertThat(output("SELECT TRIM(name), LTRIM(name), RTRIM(name), POSITION('a' IN name), REPLACE(name, 'a', 'b'),"
                        + " LEFT(name, 2), RIGHT(name, 2), REPEAT(name, 2), CHAR_LENGTH(name), LENGTH(name),"
                        + " OCTET_LENGTH(name), UPPER(name), LOWER(name), SUBSTRING(name FROM 2 FOR 3),"
                        + " SUBSTR(name, 2), CONCAT(name, 'b', 'c') FROM r"))
                .doesNotContain("DOUBLE");
        assertThat(output("SELECT ABS(n), MOD(n, 2), ROUND(amount, 1), FLOOR(amount), CEIL(amount), SIGN(n),"
                        + " GREATEST(n, 1), LEAST(n, 1), BITAND(n, 1), BITOR(n, 1), BITXOR(n, 1) FROM r"))
                .isEqualTo("INTEGER? INTEGER? DECIMAL(13,2)? DECIMAL(12,0)? DECIMAL(12,0)? INTEGER? INTEGER? INTEGER?"
                        + " INTEGER? INTEGER? INTEGER?");
        assertThat(output("SELECT SQRT(x), POWER(x, 2), EXP(x), LN(x), LOG10(x) FROM p WHERE k = 1"))
                .isEqualTo("DOUBLE? DOUBLE? DOUBLE? DOUBLE? DOUBLE?");
        assertThat(output("SELECT EXTRACT(YEAR FROM ts), EXTRACT(EPOCH FROM ts), FLOOR(ts TO HOUR), CEIL(dt TO MONTH),"
                        + " ts + INTERVAL '1' DAY, dt - INTERVAL '2' MONTH, TIMESTAMPADD(SECOND, n, ts), NOW, NOW(),"
                        + " CURRENT_TIMESTAMP, CURRENT_DATE, YEAR(ts) FROM p WHERE k = 1"))
                .isEqualTo("BIGINT? BIGINT? TIMESTAMP? DATE? TIMESTAMP? DATE? TIMESTAMP? TIMESTAMP TIMESTAMP TIMESTAMP"
                        + " DATE BIGINT?");
    }
}
