package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.sql.bind.SqlPlanningException;
import java.math.BigDecimal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parameters have the types of their neighbours; without one they are refused by their number. */
final class ParametersWithoutTypesTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, n INTEGER, d DECIMAL(8,2), x DOUBLE, s VARCHAR(20), b BOOLEAN);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (1, 10, 1.55, 2.0, 'abc', TRUE)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void assertValue(String value, String expression, Object... parameters) {
        assertThat(String.valueOf(database.value("SELECT " + expression + " FROM t", parameters)))
                .as(expression)
                .isEqualTo(value);
    }

    @Test
    void shouldTakeTheOthersTypeWhenOneOfSeveralIsChosen() {
        assertValue("10", "COALESCE(?, n)", (Object) null);
        assertValue("7", "COALESCE(?, n)", 7);
        assertValue("8", "COALESCE(?, n) + 1", 7);
        assertValue("7", "COALESCE(?, ?, n)", null, 7);
        assertValue("x", "IFNULL(?, 'x')", (Object) null);
        assertValue("1.50", "COALESCE(?, d)", new BigDecimal("1.50"));
        assertValue("null", "NULLIF(?, d)", new BigDecimal("1.55"));
        assertValue("1.56", "NULLIF(?, d)", new BigDecimal("1.56"));
        assertValue("true", "NULLIF(?, d) IS NULL", new BigDecimal("1.55"));
        assertValue("2.56", "NULLIF(?, d) + 1", new BigDecimal("1.56"));
        assertValue("12", "GREATEST(?, n)", 12);
        assertValue("5", "CASE WHEN ? THEN ? ELSE n END", true, 5);
        assertValue("2", "CASE WHEN NOT ? THEN 1 ELSE 2 END", true);
        assertValue("4", "COALESCE(?, 1) + COALESCE(?, 1) + COALESCE(?, 2)", 1, null, null);
        assertValue("true", "? IN (1, n)", 10);
        assertValue("true", "? IN (SELECT n FROM t)", 10);
        assertValue("true", "(n, s) IN ((?, ?), (?, ?))", 10, "x", 10, "abc");
        assertValue("true", "(n, s) IN ((?, ?), (?, ?), (1, 'x'))", 10, "x", 10, "abc");
    }

    private void assertRows(String rows, String sql, Object... parameters) {
        assertThat(database.run(sql, parameters).toString()).as(sql).isEqualTo(rows);
    }

    @Test
    void shouldTakeTheTypeOfTheOtherQueriesColumns() {
        assertRows("[[7], [10]]", "SELECT ? UNION SELECT n FROM t ORDER BY 1", 7);
        assertRows("[[7], [10]]", "SELECT n FROM t UNION ALL SELECT ? ORDER BY 1", 7);
        assertRows("[[10]]", "SELECT n FROM t EXCEPT SELECT ?", 7);
        assertRows("[[10]]", "SELECT ? FROM t INTERSECT SELECT n FROM t", 10);
        assertRows("[[1, x], [10, abc]]", "SELECT n AS a, s FROM t UNION SELECT ?, ? ORDER BY a", 1, "x");
        assertRows("[[3], [10]]", "WITH w AS (SELECT ? AS a UNION SELECT n FROM t) SELECT a FROM w ORDER BY 1", 3);
        assertRows("[[7, abc], [10, x]]", "SELECT ?, s FROM t UNION SELECT n, ? FROM t ORDER BY 1", 7, "x");
        assertRows("[[1], [2], [3]]", "SELECT ? UNION SELECT ? UNION SELECT 3 ORDER BY 1", 1, 2);
        assertRows("[[1], [2], [3]]", "(SELECT ? UNION SELECT ?) UNION SELECT 3 ORDER BY 1", 1, 2);
        assertRows("[[1.55], [2.50]]", "SELECT ? UNION SELECT d FROM t ORDER BY 1", new BigDecimal("2.5"));
        assertRows(
                "[[a much longer string than its column], [abc]]",
                "SELECT ? UNION SELECT s FROM t ORDER BY 1",
                "a much longer string than its column");
        assertRows("[[8], [11]]", "SELECT x + 1 FROM (SELECT ? AS x UNION SELECT n FROM t) y ORDER BY 1", 7);
        assertRows("[[10]]", "SELECT n FROM t WHERE n IN (SELECT ? UNION SELECT 5)", 10);
        assertRows("[[2]]", "INSERT INTO t (id, s) SELECT ?, ? UNION SELECT ?, s FROM t", 5, "five", 6);
    }

    @Test
    void shouldTakeTheTypeOfWhatTheSubQueryIsComparedWith() {
        assertRows("[[10]]", "SELECT n FROM t WHERE n IN (SELECT ?)", 10);
        assertRows("[]", "SELECT n FROM t WHERE n NOT IN (SELECT ? FROM t)", 10);
        assertRows("[[10]]", "SELECT n FROM t WHERE (n, s) IN (SELECT ?, ?)", 10, "abc");
        assertRows("[[10]]", "SELECT n FROM t WHERE n IN (SELECT ? UNION SELECT ?)", 10, 11);
        assertRows("[[10]]", "SELECT n FROM t WHERE n = ANY (SELECT ?) AND n > ALL (SELECT ?)", 10, 9);
        assertRows("[[10]]", "SELECT n FROM t WHERE n = (SELECT ?) AND (SELECT ? FROM t) = s", 10, "abc");
        assertRows("[[10]]", "SELECT n FROM t WHERE n + 1 = (SELECT ? AS x) AND s = (SELECT ? LIMIT 1)", 11, "abc");
        assertRows("[[10]]", "SELECT n FROM t WHERE d > (SELECT ?)", new BigDecimal("1.54"));
        assertRows("[[10]]", "SELECT n FROM t GROUP BY n HAVING COUNT(*) = (SELECT ?)", 1);
        assertRows("[[y, false]]", "SELECT CASE WHEN n = (SELECT ?) THEN 'y' END, s = (SELECT ?) FROM t", 10, "x");
        assertRows("[[1]]", "DELETE FROM t WHERE n = (SELECT ?)", 10);
    }

    @Test
    void shouldTakeTheTypeThatTheParameterWouldHaveWhereItsSubQueryStands() {
        assertValue("11", "n + (SELECT ?)", 1);
        assertValue("11", "(SELECT ?) + n", 1);
        assertValue("9", "n - (SELECT ? LIMIT 1)", 1);
        assertValue("21", "n + (SELECT ?) * n + (SELECT ? FROM t)", 1, 1);
        assertValue("3.05", "d + (SELECT ?)", new BigDecimal("1.5"));
        assertValue("abcd", "s || (SELECT ?)", "d");
        assertValue("dabc", "(SELECT ?) || s", "d");
        assertValue("D", "UPPER((SELECT ?))", "d");
        assertValue("7", "COALESCE((SELECT ?), n)", 7);
        assertValue("10", "COALESCE((SELECT ?), n)", (Object) null);
        assertValue("7", "CASE WHEN n = 1 THEN n ELSE (SELECT ?) END", 7);
        assertValue("7", "CASE WHEN n = 10 THEN (SELECT ?) ELSE n END", 7);
        assertValue("12", "GREATEST((SELECT ?), n)", 12);
        assertValue("8", "CAST((SELECT ?) AS INTEGER) + 1", 7);
    }

    @Test
    void shouldTakeTheColumnsTypeWhenASubQueryIsAssigned() {
        assertRows("[[1]]", "UPDATE t SET n = (SELECT ?), s = (SELECT ?) WHERE id = ?", 8, "x", 1);
        assertRows("[[8, x]]", "SELECT n, s FROM t");
        assertRows("[[1]]", "UPDATE t SET n = n + (SELECT ?)", 2);
        assertRows("[[1]]", "INSERT INTO t (id, n, s) VALUES (?, (SELECT ?), (SELECT ?))", 2, 5, "y");
        assertRows("[[1]]", "INSERT INTO t (id, n) SELECT 3, (SELECT ?)", 6);
        assertRows("[[10, x], [5, y], [6, null]]", "SELECT n, s FROM t ORDER BY id");
    }

    @Test
    void shouldTakeTheTypeOfTheOtherRowsColumns() {
        assertRows("[[1], [7]]", "VALUES (1), (?)", 7);
        assertRows("[[7], [1]]", "VALUES (?), (1)", 7);
        assertRows("[[1, x], [7, ab]]", "SELECT * FROM (VALUES (1, ?), (?, 'ab')) v(a, b) ORDER BY a", "x", 7);
        assertRows("[[7], [10]]", "VALUES (?) UNION SELECT n FROM t ORDER BY 1", 7);
        assertRows("[[10]]", "SELECT n FROM t WHERE n IN (VALUES (?), (3))", 10);
    }

    @Test
    void shouldTakeTheColumnsTypeWhenItIsUpdated() {
        database.run(
                "UPDATE t SET n = COALESCE(?, n), s = COALESCE(?, s), d = COALESCE(?, d) WHERE id = ?",
                null,
                "z",
                null,
                1);

        assertThat(database.run("SELECT n, s, d FROM t").toString()).isEqualTo("[[10, z, 1.55]]");
    }

    @Test
    void shouldTakeWhatTheFunctionNeeds() {
        assertValue("1.60", "ROUND(d, ?)", 1);
        assertValue("1.50", "TRUNCATE(d, ?)", 1);
        assertValue("bc", "SUBSTRING(s, ?)", 2);
        assertValue("a", "LEFT(s, ?)", 1);
        assertValue("Q", "UPPER(?)", "q");
        assertValue("3.0", "SQRT(?)", 9.0);
        assertValue("8.0", "POWER(x, ?)", 3.0);
        assertValue("2", "BITAND(n, ?)", 6);
        assertValue("1", "MOD(n, ?)", 3);
        assertValue("abcd", "s || ?", "d");
        assertValue("x", "TRIM(?)", " x ");
        assertValue("true", "? IS NULL", (Object) null);
    }

    @Test
    void shouldNameTheParameterWhenNothingTellsItsType() {
        assertRefused("SELECT n + 1, ? + ? FROM t", 0, 15);
        assertRefused("SELECT n + ?, COALESCE(?, ?) FROM t", 1, 24);
        assertRefused("SELECT NULLIF(?, ?) FROM t", 0, 15);
        assertRefused("SELECT ROUND(?, 1) FROM t", 0, 14);
        assertRefused("SELECT ABS(?) FROM t", 0, 12);
        assertRefused("SELECT -? FROM t", 0, 9);
        assertRefused("SELECT SUM(?) FROM t", 0, 12);
        assertRefused("SELECT n FROM t WHERE ? = ?", 0, 23);
        assertRefused("SELECT n FROM t WHERE ? BETWEEN ? AND ?", 0, 23);
        assertRefused("SELECT n FROM t WHERE n = 1 AND ? IN (?, ?)", 0, 33);
        assertRefused("SELECT ? || ? FROM t", 0, 8);
        assertRefused("SELECT ?", 0, 8);
        assertRefused("SELECT ? UNION SELECT ?", 0, 8);
        assertRefused("SELECT s, ? FROM t UNION SELECT ?, ? FROM t", 0, 11);
        assertRefused("SELECT n FROM t WHERE ? IN (SELECT ?)", 0, 23);
        assertRefused("SELECT n FROM t WHERE (SELECT ?) IS NULL", 0, 31);
        assertRefused("SELECT n FROM t WHERE n = (SELECT x FROM (SELECT ? AS x) y)", 0, 50);
        assertRefused("SELECT n FROM t UNION SELECT x FROM (SELECT ? AS x) y", 0, 45);
        assertRefused("VALUES (?)", 0, 9);
        assertRefused("VALUES (?, 1), (?, 2)", 0, 9);
        assertRefused("SELECT * FROM (VALUES (?)) v", 0, 24);
        assertRefused("SELECT n FROM t UNION SELECT ? + ? FROM t", 0, 30);
    }

    private void assertRefused(String sql, int index, int column) {
        SqlPlanningException refused = catchThrowableOfType(SqlPlanningException.class, () -> database.statement(sql));
        assertThat(refused).as(sql).isNotNull();
        assertThat(refused.getMessage())
                .as(sql)
                .isEqualTo("the type of parameter " + (index + 1)
                        + " does not follow from the context: write CAST(? AS type) at line 1, column " + column);
        database.statement(sql.replace("?", "CAST(? AS INTEGER)").replace("||", "+"));
    }
}
