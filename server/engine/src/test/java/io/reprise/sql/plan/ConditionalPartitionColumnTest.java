package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.place.StatementScope;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partitioning column behind a condition is NULL in rows of all partitions: it doesn't say any more where a row is. */
final class ConditionalPartitionColumnTest {
    private final PartitionedDatabase database = new PartitionedDatabase(CatalogScript.load("""
            CREATE TABLE p (k INTEGER NOT NULL, v INTEGER NOT NULL, big BIGINT, PRIMARY KEY (k) USING ORDERED);
            PARTITION TABLE p ON COLUMN k;
            """), 3);

    @BeforeEach
    void fill() {
        for (long k = 0; k < 12; k++) {
            run("INSERT INTO p VALUES (?, ?, ?)", k, k < 10 ? 0L : 1L, k == 11 ? 1L << 40 : k);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<List<Object>> run(String sql, Object... parameters) {
        return database.run(database.plan(sql), List.of(parameters)).rows();
    }

    private void assertRows(String sql, Object... first) {
        List<List<Object>> expected = new ArrayList<>();
        for (Object value : first) {
            expected.add(
                    value instanceof List<?> row ? new ArrayList<>(row) : java.util.Collections.singletonList(value));
        }
        assertThat(run(sql))
                .as("%s%n%s", sql, database.plan(sql).explanation())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldGiveNullOnceWhenItIsOneOfSeveralPartitions() {
        String conditional = "CASE WHEN v > 0 THEN CAST(k AS BIGINT) END";

        assertRows("SELECT DISTINCT " + conditional + " FROM p", null, 10L, 11L);
        assertRows(
                "SELECT " + conditional + ", COUNT(*) FROM p GROUP BY " + conditional,
                row(null, 10L),
                row(10L, 1L),
                row(11L, 1L));
        assertRows("SELECT COUNT(DISTINCT " + conditional + ") FROM p", 2L);
        assertRows("SELECT " + conditional + " FROM p UNION SELECT " + conditional + " FROM p", null, 10L, 11L);
    }

    @Test
    void shouldStillGroupWithinPartitionsWhenTheColumnIsOnlyWidened() {
        assertThat(database.plan("SELECT CAST(k AS BIGINT), COUNT(*) FROM p GROUP BY CAST(k AS BIGINT)")
                        .merge()
                        .orElseThrow())
                .isInstanceOf(PlanNode.Gathered.class);
    }

    @Test
    void shouldStillFindThePartitionWhenAWiderNumberIsCompared() {
        StatementPlan plan = database.plan("SELECT v FROM p WHERE k = CAST(? AS BIGINT)");

        assertThat(plan.scope()).isInstanceOf(StatementScope.Key.class);
        assertThat(database.run(plan, List.of(10L)).rows()).isEqualTo(List.of(List.of(1L)));
        assertThat(database.run(plan, List.of(1L << 40)).rows()).isEmpty();
    }

    private static List<Object> row(Object... values) {
        return java.util.Arrays.asList(values);
    }
}
