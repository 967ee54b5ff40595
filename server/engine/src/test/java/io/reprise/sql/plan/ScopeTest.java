package io.reprise.sql.plan;

import static io.reprise.sql.plan.PlanFixture.assertPlan;
import static io.reprise.sql.plan.PlanFixture.plan;
import static io.reprise.sql.plan.PlanFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.place.StatementScope;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The placement of statements, their split for all partitions, and statements that cannot run beside their data. */
final class ScopeTest {
    private static String scope(String sql) {
        String explanation = plan(sql).explanation();
        return explanation.substring("scope: ".length(), explanation.indexOf('\n'));
    }

    @Test
    void shouldBeKeyWhenPartitioningColumnIsBound() {
        assertThat(scope("SELECT * FROM p WHERE k = ?")).isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT * FROM p WHERE n = ? AND k = 5")).isEqualTo("KEY(partition value = 5)");
        assertThat(scope("UPDATE p SET n = ? WHERE k = ? + 1 AND id = 3")).isEqualTo("KEY(partition value = ?2 + 1)");
        assertThat(scope("DELETE FROM s WHERE k = ?")).isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT * FROM p JOIN r ON r.id = p.n WHERE k = ?")).isEqualTo("KEY(partition value = ?1)");
    }

    @Test
    void shouldBeKeyWhenEqualityLeadsFromTableToTable() {
        assertThat(scope("SELECT * FROM p JOIN q ON p.k = q.k WHERE q.k = ?")).isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT * FROM p, q, s WHERE p.k = q.k AND s.k = q.k AND s.k = ?"))
                .isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT * FROM p LEFT JOIN q ON p.k = q.k WHERE p.k = ?"))
                .isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT * FROM p WHERE k = ? AND EXISTS (SELECT * FROM q WHERE q.k = p.k)"))
                .isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("SELECT (SELECT MAX(id) FROM q WHERE q.k = p.k) FROM p WHERE k = 3"))
                .isEqualTo("KEY(partition value = 3)");
        assertThat(scope("SELECT * FROM (SELECT k, COUNT(*) FROM p GROUP BY k) g WHERE k = ?"))
                .isEqualTo("KEY(partition value = ?1)");
    }

    @Test
    void shouldIntersectWhatIsInOnePartition() {
        assertThat(scope("SELECT k FROM p INTERSECT SELECT k FROM q")).isEqualTo("ALL");
        assertThat(scope("SELECT k, id FROM p EXCEPT SELECT k, c FROM s")).isEqualTo("ALL");
        assertThat(refusal("SELECT n FROM p INTERSECT SELECT id FROM q")).contains("group by the partitioning column");
    }

    @Test
    void shouldNotTakeTheKeyOfTheInnerSideWhenJoinIsOuter() {
        assertThat(scope("SELECT * FROM p LEFT JOIN q ON p.k = q.k AND q.k = 5"))
                .isEqualTo("ALL");
        assertThat(scope("SELECT * FROM p LEFT JOIN q ON p.k = q.k AND p.k = 5"))
                .isEqualTo("ALL");
        assertThat(scope("SELECT * FROM p WHERE NOT EXISTS (SELECT * FROM q WHERE q.k = p.k AND q.k = 5)"))
                .isEqualTo("ALL");
        assertThat(scope("SELECT (SELECT MAX(id) FROM q WHERE q.k = p.k AND q.k = 5) FROM p"))
                .isEqualTo("ALL");
    }

    @Test
    void shouldNotTakeTheKeyFromOutsideWhenRowsAreLimitedFirst() {
        assertThat(scope("SELECT * FROM (SELECT * FROM p WHERE k = ? ORDER BY id LIMIT 3) x JOIN q ON q.k = x.k"))
                .isEqualTo("KEY(partition value = ?1)");
        assertThat(refusal("SELECT * FROM (SELECT * FROM p ORDER BY id LIMIT 3) x JOIN q ON q.id = x.id WHERE x.k = 1"))
                .contains("LIMIT or OFFSET over rows of the partitioned table P");
        assertThat(plan("SELECT * FROM (SELECT * FROM p ORDER BY id LIMIT 3) x JOIN r ON r.id = x.id WHERE k = 1")
                        .explanation())
                .startsWith("scope: ALL")
                .containsSubsequence("first 3", "over their results", "K = 1", "R_PK");
    }

    @Test
    void shouldCheckTheOtherValuesWhenTablesAreBoundToSeveral() {
        assertThat(scope("SELECT * FROM p JOIN q ON p.id = q.id WHERE p.k = ? AND q.k = ?"))
                .isEqualTo("KEY(partition value = ?1, same bucket: ?2)");
        StatementScope.Key key =
                (StatementScope.Key) plan("SELECT * FROM s JOIN q ON s.c = q.id WHERE s.k = ? AND q.k = ?")
                        .scope();
        assertThat(key.type().toString()).isEqualTo("BIGINT");
        assertThat(key.others()).hasSize(1);
    }

    @Test
    void shouldNotCarryTheBucketOverWhenTypesHashDifferently() {
        assertThat(refusal("SELECT * FROM p JOIN s ON p.k = s.e")).contains("are not joined on their partitioning");
        assertThat(scope("SELECT * FROM p JOIN s ON p.k = s.k")).isEqualTo("ALL");
    }

    @Test
    void shouldBeAnyWhenOnlyReplicatedTablesAreRead() {
        assertThat(scope("SELECT * FROM r JOIN r2 ON r.id = r2.id")).isEqualTo("ANY");
        assertThat(scope("SELECT 1 + ?")).isEqualTo("ANY");
        assertThat(scope("EXPLAIN PLAN FOR SELECT * FROM p")).isEqualTo("ALL");
        assertThat(plan("EXPLAIN SELECT * FROM p").scope()).isInstanceOf(StatementScope.Any.class);
    }

    @Test
    void shouldBeEverywhereWhenReplicatedTableIsWritten() {
        assertThat(scope("INSERT INTO r (id) VALUES (?)")).isEqualTo("EVERYWHERE");
        assertThat(scope("DELETE FROM r WHERE id IN (SELECT r_id FROM r2)")).isEqualTo("EVERYWHERE");
        assertThat(scope("TRUNCATE TABLE r")).isEqualTo("EVERYWHERE");
        assertThat(refusal("INSERT INTO r (id) SELECT id FROM p"))
                .isEqualTo("the replicated table R is written alike in all partitions, so the statement can read"
                        + " replicated tables only: P is partitioned at line 1, column 35");
    }

    @Test
    void shouldBeKeyWhenAllInsertedRowsShareTheValue() {
        assertThat(scope("INSERT INTO p (k, id) VALUES (?, 1)")).isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("INSERT INTO p (id, k) VALUES (1, 7), (2, 7)")).isEqualTo("KEY(partition value = 7)");
        assertThat(scope("UPSERT INTO q (id, k) VALUES (?, ?)")).isEqualTo("KEY(partition value = ?2)");
        assertThat(scope("INSERT INTO p (k, id) SELECT k, id FROM q WHERE k = ?"))
                .isEqualTo("KEY(partition value = ?1)");
        assertThat(scope("INSERT INTO p (k, id) SELECT ?, id FROM r")).isEqualTo("KEY(partition value = ?1)");
    }

    @Test
    void shouldInsertOwnRowsOnlyWhenValuesDiffer() {
        assertPlan("INSERT INTO s VALUES (1, 2, NULL), (?, 4, 5)", """
                scope: ALL
                in each partition:
                  insert into S (rows of own buckets only)
                    values: 2 rows
                over their results:
                  aggregate SUM0(MODIFIED_ROWS)
                    gathered rows
                """);
        assertPlan("INSERT INTO s (k, c) SELECT t, id FROM r2", """
                scope: ALL
                in each partition:
                  insert into S (rows of own buckets only)
                    sort by C
                      project CAST(R2.T AS SMALLINT) as K, R2.ID as C, NULL as E
                        scan R2
                over their results:
                  aggregate SUM0(MODIFIED_ROWS)
                    gathered rows
                """);
    }

    @Test
    void shouldInsertWhereRowsAreReadWhenBucketStaysTheSame() {
        assertPlan("INSERT INTO p (k, id) SELECT k, s FROM q", """
                scope: ALL
                in each partition:
                  insert into P
                    sort by K, ID
                      project Q.K, CAST(Q.S AS INTEGER) as ID, NULL as V, NULL as N, NULL as D, NULL as X, NULL as TS, NULL as DT, NULL as FLAG
                        scan Q
                over their results:
                  aggregate SUM0(MODIFIED_ROWS)
                    gathered rows
                """);
        assertThat(refusal("INSERT INTO p (k, id) SELECT id, id FROM q"))
                .isEqualTo(
                        "rows inserted into P would belong to other partitions than those they are selected from: the"
                                + " value for K has to be the partitioning column of the table that is read at line 1, column 13");
    }

    @Test
    void shouldAggregateInBothPlacesWhenAllPartitionsRun() {
        assertPlan(
                "SELECT v, COUNT(*), SUM(n), MIN(d), AVG(x) FROM p GROUP BY v HAVING COUNT(*) > 1 ORDER BY v LIMIT 2",
                """
                scope: ALL
                in each partition:
                  aggregate COUNT(*), SUM_LOW(P.N), MIN(P.D), SUM(P.X), COUNT(P.X), SUM_HIGH(P.N) by P.V
                    scan P
                over their results:
                  sort by V first 2
                    filter EXPR$1 > 1
                      project V, EXPR$1, EXPR$2, EXPR$3, SUM / CAST(COUNT AS DOUBLE) as EXPR$4
                        aggregate SUM0(COUNT(*)), SUM(SUM(P.N), SUM_HIGH), MIN(MIN(P.D)), SUM(SUM(P.X)), SUM0(COUNT(P.X)) by V
                          gathered rows
                """);
        assertPlan("SELECT COUNT(DISTINCT v), MAX(id) FROM p", """
                scope: ALL
                in each partition:
                  distinct by ID, V
                    project P.ID, P.V
                      scan P
                over their results:
                  aggregate COUNT(DISTINCT V), MAX(ID)
                    gathered rows
                """);
        assertPlan("SELECT COUNT(DISTINCT v), SUM(id) FROM p", """
                scope: ALL
                in each partition:
                  project P.ID, P.V
                    scan P
                over their results:
                  aggregate COUNT(DISTINCT V), SUM(ID)
                    gathered rows
                """);
    }

    @Test
    void shouldAggregateWhereTheDataIsWhenGroupsDoNotSpanPartitions() {
        assertPlan("SELECT k, COUNT(DISTINCT v) FROM p GROUP BY k", """
                scope: ALL
                in each partition:
                  aggregate COUNT(DISTINCT P.V) by P.K
                    scan P
                over their results:
                  gathered rows
                """);
    }

    @Test
    void shouldSortAndLimitInBothPlacesWhenAllPartitionsRun() {
        assertPlan("SELECT v FROM p ORDER BY v LIMIT 5 OFFSET ?", """
                scope: ALL
                in each partition:
                  sort by V first ?1 + 5
                    project P.V
                      scan P
                over their results:
                  sort by V first 5 after ?1
                    gathered rows
                """);
        assertPlan("SELECT k, id FROM p ORDER BY k, id LIMIT 5", """
                scope: ALL
                in each partition:
                  limit first 5
                    project P.K, P.ID
                      range P by P_PK: all
                over their results:
                  sort by K, ID first 5
                    gathered rows
                """);
        assertPlan("SELECT MAX(n) FROM p", """
                scope: ALL
                in each partition:
                  limit first 1
                    range P by P_N descending: all
                over their results:
                  aggregate MAX(N)
                    sort by N desc first 1
                      gathered rows
                """);
    }

    @Test
    void shouldJoinWhereTheDataIsWhenPartitioningColumnsAreEqual() {
        assertPlan("SELECT p.id FROM p JOIN q ON q.k = p.k AND q.id = p.id WHERE p.n > 1", """
                scope: ALL
                in each partition:
                  project P.ID
                    inner join
                      range P by P_N: N > 1, across buckets
                      unique lookup Q by Q_PK: K = P.K, ID = P.ID
                over their results:
                  gathered rows
                """);
        assertThat(scope("SELECT k, (SELECT COUNT(*) FROM q WHERE q.k = p.k) FROM p"))
                .isEqualTo("ALL");
        assertThat(scope("SELECT r.id FROM r JOIN p ON p.n = r.id")).isEqualTo("ALL");
        assertThat(scope("UPDATE p SET n = (SELECT COUNT(*) FROM q WHERE q.k = p.k)"))
                .isEqualTo("ALL");
    }

    @Test
    void shouldRefuseWhenRowsToBeMatchedLieInOtherPartitions() {
        assertThat(refusal("SELECT * FROM p JOIN q ON p.id = q.id"))
                .isEqualTo("the partitioned tables P and Q are not joined on their partitioning columns P.K and Q.K, so"
                        + " that their rows lie in different partitions; join on the partitioning columns, bind them to"
                        + " one value, or replicate one of the tables at line 1, column 22");
        assertThat(refusal("SELECT * FROM r LEFT JOIN p ON p.n = r.id"))
                .isEqualTo(
                        "rows of a replicated table cannot be matched with those of the partitioned table P by a LEFT"
                                + " JOIN or a scalar sub-query across partitions: bind P.K to a value, or replicate the table at line 1, column 27");
        assertThat(refusal("SELECT * FROM r WHERE id NOT IN (SELECT n FROM p)")).contains("by NOT EXISTS or NOT IN");
        assertThat(refusal("SELECT * FROM r WHERE id IN (SELECT n FROM p)")).contains("by EXISTS or IN");
        assertThat(refusal("SELECT * FROM r WHERE id NOT IN (SELECT id FROM p WHERE p.k = 1 OR p.k = r.n)"))
                .contains("by NOT EXISTS or NOT IN");
        assertThat(refusal("SELECT * FROM p WHERE n > (SELECT AVG(n) FROM p)"))
                .isEqualTo("a sub-query aggregates or removes duplicates from rows of the partitioned table P in all"
                        + " partitions: group by the partitioning column, or bind it to a value at line 1, column 15");
        assertThat(refusal("SELECT id FROM p WHERE n IN (SELECT id FROM r UNION ALL SELECT id FROM q)"))
                .contains("would repeat the replicated ones");
    }

    @Test
    void shouldDivideReplicatedRowsWhenPartitionedOnesAreFoundByTheirValues() {
        assertPlan("SELECT r.id, p.n FROM r LEFT JOIN p ON p.k = r.id AND p.id = 1 ORDER BY r.id", """
                scope: ALL
                in each partition:
                  project R.ID, P.N
                    left join
                      own rows only, by the bucket of R.ID
                        range R by R_PK: all
                      unique lookup P by P_PK: K = CAST(R.ID AS BIGINT), ID = 1
                over their results:
                  sort by ID
                    gathered rows
                """);
        for (String sql : List.of(
                "SELECT id FROM r WHERE id IN (SELECT k FROM p)",
                "SELECT id FROM r WHERE id NOT IN (SELECT k FROM p)",
                "SELECT id FROM r WHERE EXISTS (SELECT * FROM p WHERE p.k = r.n AND p.n > r.id)",
                "SELECT id FROM r WHERE NOT EXISTS (SELECT * FROM p JOIN q ON p.k = q.k WHERE q.k = r.n)",
                "SELECT id, (SELECT COUNT(*) FROM p WHERE p.k = r.id) FROM r",
                "SELECT r.id FROM r LEFT JOIN p ON p.k = r.id LEFT JOIN q ON q.k = r.id",
                "SELECT COUNT(p.k) FROM r JOIN r2 ON r.id = r2.r_id LEFT JOIN p ON p.k = r2.big",
                "INSERT INTO q (k, id) SELECT r.id, 1 FROM r WHERE NOT EXISTS (SELECT * FROM q WHERE q.k = r.id)")) {
            assertThat(plan(sql).explanation()).startsWith("scope: ALL").contains("own rows only, by the bucket of");
        }
    }

    @Test
    void shouldLookUpSeveralPartitionedTablesForOneRowWhenJoinsAreOuter() {
        assertThat(scope("SELECT p.id FROM p LEFT JOIN q ON q.k = p.k LEFT JOIN s ON s.k = p.k WHERE NOT EXISTS"
                        + " (SELECT * FROM q WHERE q.k = p.k AND q.id > p.id)"))
                .isEqualTo("ALL");
    }

    @Test
    void shouldGatherOnePartAndRunTheRestWhereItMeets() {
        assertThat(plan("SELECT id FROM r UNION ALL SELECT id FROM p").explanation())
                .isEqualTo("""
                        scope: ALL
                        in each partition:
                          project P.ID
                            scan P
                        over their results:
                          union all
                            gathered rows
                            project R.ID
                              scan R
                        """);
        assertThat(plan("SELECT * FROM r WHERE n > (SELECT AVG(n) FROM p)").explanation())
                .contains("over their results:\n  ")
                .containsSubsequence("aggregate", "scan P", "over their results", "scan R", "gathered rows");
        assertThat(plan("SELECT id, (SELECT MAX(k) FROM q) FROM r WHERE EXISTS (SELECT * FROM r2) ORDER BY id LIMIT 3")
                        .merge())
                .isPresent();
    }

    @Test
    void shouldSayWhetherTheOrderOfStorageMatters() {
        assertThat(plan("SELECT * FROM r ORDER BY id LIMIT 5").orderDetermined())
                .isTrue();
        assertThat(plan("SELECT * FROM r ORDER BY n LIMIT 5").orderDetermined()).isFalse();
        assertThat(plan("SELECT * FROM r LIMIT 5").orderDetermined()).isFalse();
        assertThat(plan("SELECT * FROM p WHERE k = ? ORDER BY id LIMIT 5").orderDetermined())
                .isTrue();
        assertThat(plan("SELECT n FROM r GROUP BY n ORDER BY n LIMIT 5").orderDetermined())
                .isTrue();
        assertThat(plan("SELECT MAX(n) FROM r").orderDetermined()).isTrue();
        assertThat(plan("SELECT id FROM r WHERE n = (SELECT b.n FROM r b WHERE b.n > 1 LIMIT 1)")
                        .orderDetermined())
                .isFalse();
        assertThat(plan("SELECT EXISTS (SELECT * FROM heap)").orderDetermined()).isTrue();
    }
}
