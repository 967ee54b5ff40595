package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.plan.StatementPlanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SelectWithoutFromTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, n INTEGER);
            CREATE TABLE p (id BIGINT NOT NULL PRIMARY KEY, n INTEGER);
            PARTITION TABLE p ON COLUMN id;
            """);

    @AfterEach
    void close() {
        database.close();
    }

    private void assertRows(String rows, String sql, Object... parameters) {
        assertThat(database.run(sql, parameters).toString()).as(sql).isEqualTo(rows);
    }

    @Test
    void shouldFilterAndGroupWhenThereIsNoFrom() {
        assertRows("[]", "SELECT 1 WHERE FALSE");
        assertRows("[[1, x]]", "SELECT DISTINCT 1, 'x' WHERE 7 = ? LIMIT 1", 7);
        assertRows("[[0]]", "SELECT COUNT(*) WHERE FALSE");
        assertRows("[]", "SELECT 1 HAVING COUNT(*) > 1");
        assertRows("[[2]]", "SELECT 2 GROUP BY ()");
        assertRows("[[true]]", "SELECT 1 IS DISTINCT FROM 2 WHERE TRUE");
        assertRows("[[2], [3]]", "SELECT 1 WHERE FALSE UNION ALL SELECT 2 UNION ALL SELECT 3 WHERE TRUE ORDER BY 1");
    }

    @Test
    void shouldSeeTheRowsAroundWhenItIsASubQuery() {
        database.run("INSERT INTO t VALUES (1, 5)");

        assertRows("[[1, 5]]", "SELECT id, (SELECT n WHERE n > 1) FROM t WHERE EXISTS (SELECT 1 WHERE t.id = 1)");
        assertRows("[[2020]]", "SELECT (SELECT EXTRACT(YEAR FROM DATE '2020-01-01') WHERE t.id = 1) FROM t");
        assertRows("[]", "SELECT id FROM t WHERE id IN (SELECT 1 WHERE FALSE)");
    }

    @Test
    void shouldInsertOnlyWhatIsNotThere() {
        String insert = "INSERT INTO p SELECT CAST(? AS BIGINT), 2 WHERE NOT EXISTS (SELECT 1 FROM p WHERE id = ?)";

        assertRows("[[1]]", insert, 1, 1);
        assertRows("[[0]]", insert, 1, 1);
        assertThat(StatementPlanner.plan(database.catalog, insert).scope()).isInstanceOf(StatementScope.Key.class);
    }

    @Test
    void shouldNameThePlaceWhenItIsRefused() {
        assertRefused("SELECT 1,\n\t2 WHERE x = 1", 2, 10, "Column 'X' not found");
        assertRefused("SELECT * WHERE TRUE", 1, 1, "SELECT * needs a FROM");
        assertRefused("SELECT 1 ORDER BY 1 WHERE TRUE", 1, 21, "unexpected \"WHERE\"");
        assertRefused("SELECT \"FROM\" WHERE TRUE", 1, 8, "Column 'FROM' not found");
    }

    private void assertRefused(String sql, int line, int column, String message) {
        assertThatThrownBy(() -> StatementPlanner.plan(database.catalog, sql))
                .isInstanceOfSatisfying(SqlPlanningException.class, e -> {
                    assertThat(e.line()).as(sql).isEqualTo(line);
                    assertThat(e.column()).as(sql).isEqualTo(column);
                })
                .hasMessageContaining(message);
    }
}
