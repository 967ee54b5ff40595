package io.reprise.sql.plan;

import static io.reprise.sql.plan.PlanFixture.assertPlan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Join orders, outer joins, sub-queries, aggregates and set operations. */
final class JoinPlanTest {
    @Test
    void shouldStartWithTheTableThatIsBoundWhenJoining() {
        assertPlan("SELECT r.name, r2.big FROM r JOIN r2 ON r2.r_id = r.id WHERE r2.id = ?", """
                scope: ANY
                project R.NAME, R2.BIG
                  inner join
                    unique lookup R2 by R2_PK: ID = ?1
                    unique lookup R by R_PK: ID = R2.R_ID
                """);
        assertPlan("SELECT * FROM r, r2, heap WHERE r.id = heap.a AND r2.id = r.n", """
                scope: ANY
                project R.ID, R.NAME, R.AMOUNT, R.N, R2.ID as ID0, R2.R_ID, R2.BIG, R2.T, R2.BIN, HEAP.A, HEAP.B
                  inner join
                    inner join
                      scan HEAP
                      unique lookup R by R_PK: ID = HEAP.A
                    unique lookup R2 by R2_PK: ID = R.N
                """);
    }

    @Test
    void shouldMaterializeWhenInnerSideHasNoIndexButAFilter() {
        assertPlan("SELECT x.a FROM heap x JOIN heap y ON x.a = y.a AND y.b = 'q' AND x.b = 'z'", """
                scope: ANY
                project HEAP.A
                  inner join on HEAP.A = HEAP.A
                    scan HEAP where HEAP.B = 'z'
                    materialize
                      scan HEAP where HEAP.B = 'q'
                """);
    }

    @Test
    void shouldKeepRowsWithoutPartnerWhenJoinIsOuter() {
        assertPlan("SELECT r.id, r2.id FROM r LEFT JOIN r2 ON r2.r_id = r.id AND r2.big > 3 AND r.n = 1", """
                scope: ANY
                project R.ID, R2.ID as ID0
                  left join
                    scan R
                    lookup R2 by R2_R: R_ID = R.ID where (R2.BIG > 3) AND (R.N = 1)
                """);
        assertPlan("SELECT r.id, r2.id FROM r LEFT JOIN r2 ON r2.r_id = r.id WHERE r2.id IS NULL AND r.n = 1", """
                scope: ANY
                project R.ID, R2.ID as ID0
                  filter R2.ID IS NULL
                    left join
                      range R by R_N: N = 1
                      lookup R2 by R2_R: R_ID = R.ID
                """);
        assertPlan("SELECT r.id, r2.id FROM r2 RIGHT JOIN r ON r2.r_id = r.id", """
                scope: ANY
                project R.ID, R2.ID as ID0
                  left join
                    scan R
                    lookup R2 by R2_R: R_ID = R.ID
                """);
    }

    @Test
    void shouldJoinInnerWhenConditionRejectsRowsWithoutPartner() {
        assertPlan("SELECT r.id FROM r LEFT JOIN r2 ON r2.r_id = r.id WHERE r2.id = 7", """
                scope: ANY
                project R.ID
                  inner join
                    unique lookup R2 by R2_PK: ID = 7
                    unique lookup R by R_PK: ID = R2.R_ID
                """);
    }

    @Test
    void shouldReadThroughDerivedTablesWhenTheyOnlyChooseAndFilter() {
        assertPlan("WITH w AS (SELECT id AS i, n + 1 AS m FROM r WHERE n > 3) SELECT m FROM w WHERE i = ?", """
                scope: ANY
                project R.N + 1 as M
                  unique lookup R by R_PK: ID = ?1 where R.N > 3
                """);
        assertPlan(
                "SELECT r2.id, c FROM r2 JOIN (SELECT n, COUNT(*) AS c FROM r GROUP BY n) g ON g.n = r2.t WHERE r2.id = 1",
                """
                scope: ANY
                project R2.ID, C
                  inner join
                    unique lookup R2 by R2_PK: ID = 1
                    aggregate COUNT(*) by R.N
                      range R by R_N: N = CAST(R2.T AS INTEGER)
                """);
    }

    @Test
    void shouldSemiJoinWhenExistsOrInIsATerm() {
        assertPlan("SELECT id FROM r WHERE EXISTS (SELECT * FROM r2 WHERE r_id = r.id AND big > r.n)", """
                scope: ANY
                project R.ID
                  semi join
                    scan R
                    lookup R2 by R2_R: R_ID = R.ID where R2.BIG > CAST(R.N AS BIGINT)
                """);
        assertPlan("SELECT id FROM r WHERE id IN (SELECT r_id FROM r2 WHERE t = 1)", """
                scope: ANY
                project R.ID
                  semi join
                    scan R
                    project R2.R_ID
                      lookup R2 by R2_R: R_ID = R.ID where CAST(R2.T AS INTEGER) = 1
                """);
        assertPlan("SELECT id FROM r WHERE NOT EXISTS (SELECT * FROM heap)", """
                scope: ANY
                project R.ID
                  anti join
                    scan R
                    materialize
                      scan HEAP
                """);
    }

    @Test
    void shouldTakeUnknownForMatchWhenNotInComparesNulls() {
        assertPlan("SELECT id FROM r WHERE id NOT IN (SELECT r_id FROM r2)", """
                scope: ANY
                project R.ID
                  anti join on (R.ID = R_ID) IS NOT FALSE
                    scan R
                    materialize
                      project R2.R_ID
                        scan R2
                """);
        assertPlan("SELECT id FROM r WHERE id NOT IN (SELECT id FROM r2)", """
                scope: ANY
                project R.ID
                  anti join
                    scan R
                    project R2.ID
                      unique lookup R2 by R2_PK: ID = R.ID
                """);
    }

    @Test
    void shouldAddColumnWhenSubQueryIsAValue() {
        assertPlan("SELECT (SELECT MAX(big) FROM r2 WHERE r_id = r.id) FROM r WHERE id = 1", """
                scope: ANY
                project EXPR$0
                  left join
                    unique lookup R by R_PK: ID = 1
                    aggregate MAX(R2.BIG)
                      lookup R2 by R2_R: R_ID = R.ID
                """);
        assertPlan("SELECT id FROM r WHERE n = (SELECT a FROM heap)", """
                scope: ANY
                project R.ID
                  filter R.N = VALUE
                    left join
                      scan R
                      materialize
                        aggregate SINGLE(A)
                          project HEAP.A
                            scan HEAP
                """);
        assertPlan("SELECT EXISTS (SELECT * FROM heap), n IN (SELECT a FROM heap) FROM r", """
                scope: ANY
                project (VALUE > 0) IS TRUE as EXPR$0, CASE WHEN VALUE = 2 THEN true WHEN VALUE = 1 THEN NULL ELSE false END as EXPR$1
                  left join
                    left join
                      scan R
                      materialize
                        aggregate COUNT(*)
                          limit first 1
                            scan HEAP
                    aggregate MAX(RANK)
                      project CASE WHEN (R.N = A) IS TRUE THEN 2 WHEN (R.N = A) IS FALSE THEN 0 ELSE 1 END as RANK
                        materialize
                          project HEAP.A
                            scan HEAP
                """);
    }

    @Test
    void shouldComputeTheAverageOfDoublesFromSumAndCount() {
        assertPlan(
                "SELECT n, AVG(CAST(amount AS DOUBLE)), AVG(amount), COUNT(amount), COUNT(id) FROM r GROUP BY n HAVING COUNT(*) > 1",
                """
                scope: ANY
                filter EXPR$4 > 1
                  project N, SUM / CAST(COUNT AS DOUBLE) as EXPR$1, EXPR$2, EXPR$3, EXPR$4
                    aggregate SUM($f1), COUNT($f1), AVG(AMOUNT), COUNT(AMOUNT), COUNT(*) by N
                      project R.N, CAST(R.AMOUNT AS DOUBLE) as $f1, R.AMOUNT
                        scan R
                """);
    }

    /** Each level was planned twice, so that thirty took longer than anybody waits. */
    @Test
    void shouldPlanSubQueriesThatAreDeepWithinEachOther() {
        for (String sql : List.of(
                "SELECT n FROM r WHERE " + "n IN (SELECT n FROM r WHERE ".repeat(30) + "n = 1" + ")".repeat(30),
                "SELECT MIN(n) FROM " + "(SELECT MIN(n) AS n FROM ".repeat(30) + "r" + ") q".repeat(30),
                "SELECT n FROM r WHERE n = " + "(SELECT MAX(n) FROM r WHERE n = ".repeat(30) + "1" + ")".repeat(30))) {
            assertThat(assertTimeoutPreemptively(Duration.ofMinutes(5), () -> PlanFixture.plan(sql)))
                    .isNotNull();
        }
        assertThat(PlanFixture.plan(
                                "SELECT n FROM r WHERE id IN (SELECT r_id FROM r2 WHERE r_id IN (SELECT id FROM r))")
                        .explanation())
                .contains("lookup R2 by R2_R: R_ID = R.ID", "lookup R by R_PK: ID = ");
    }

    /** The same of what is joined with an aggregate that is itself over such a join. */
    @Test
    void shouldPlanJoinsThatAreDeepWithinEachOther() {
        String sql = "SELECT heap.a, COUNT(*) AS c FROM heap LEFT JOIN (".repeat(25)
                + "SELECT a, COUNT(*) AS c FROM heap GROUP BY a" + ") q ON q.a = heap.a GROUP BY heap.a".repeat(25);

        assertThat(assertTimeoutPreemptively(Duration.ofMinutes(5), () -> PlanFixture.plan(sql)))
                .isNotNull();
    }

    /** Of more than six aggregates within each other, the innermost was planned without an index. */
    @Test
    void shouldReadByIndexWhenMinOrMaxIsDeepWithinOthers() {
        String minima = "SELECT MIN(n) AS n FROM (".repeat(9) + "SELECT MIN(n) AS n FROM r" + ") q".repeat(9);
        String counts = "SELECT COUNT(*) AS n FROM (".repeat(9) + "SELECT MAX(n) AS n FROM r" + ") q".repeat(9);
        String queries =
                "SELECT n FROM r WHERE n = " + "(SELECT MAX(n) FROM r WHERE n <= ".repeat(9) + "7" + ")".repeat(9);

        assertThat(PlanFixture.plan(minima).explanation()).contains("range R by R_N: all where R.N IS NOT NULL");
        assertThat(PlanFixture.plan(counts).explanation()).contains("range R by R_N descending: all");
        assertThat(PlanFixture.plan(queries).explanation().split("range R by R_N descending: ", -1))
                .hasSize(10);
    }

    @Test
    void shouldGroupInOrderWhenOrderByFollowsAnIndex() {
        assertPlan("SELECT n, COUNT(*) FROM r GROUP BY n ORDER BY n DESC LIMIT 2", """
                scope: ANY
                limit first 2
                  aggregate COUNT(*) by R.N
                    range R by R_N descending: all
                """);
    }

    @Test
    void shouldRemoveDuplicatesWhenSetOperationIsDistinct() {
        assertPlan("SELECT id FROM r UNION SELECT r_id FROM r2 ORDER BY 1", """
                scope: ANY
                sort by ID
                  distinct by ID
                    union all
                      project R.ID
                        scan R
                      project R2.R_ID
                        scan R2
                """);
        assertPlan("SELECT id FROM r EXCEPT SELECT r_id FROM r2", """
                scope: ANY
                anti join on ID IS NOT DISTINCT FROM R_ID
                  distinct by ID
                    project R.ID
                      scan R
                  materialize
                    project R2.R_ID
                      scan R2
                """);
        assertPlan("SELECT id FROM r INTERSECT SELECT r_id FROM r2", """
                scope: ANY
                semi join on ID IS NOT DISTINCT FROM R_ID
                  distinct by ID
                    project R.ID
                      scan R
                  materialize
                    project R2.R_ID
                      scan R2
                """);
    }
}
