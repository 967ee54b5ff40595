package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.sql.place.BucketCrossings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads across buckets are named in plans and in EXPLAIN. */
final class BucketCrossingsTest {
    @Test
    void shouldNameAnIndexThatDoesNotBindThePartitioningColumn() {
        String byRange = "SELECT id FROM p WHERE n > 5";

        assertThat(crossings("SELECT id FROM p WHERE n = 5")).containsExactly("P by P_N");
        assertThat(crossings(byRange)).containsExactly("P by P_N");
        assertThat(explained(byRange)).contains("range P by P_N: N > 5, across buckets");
        assertThat(crossings("SELECT id FROM p WHERE k = ? AND v = ?")).containsExactly("P by P_V");
    }

    @Test
    void shouldNameAScanOfOneBucketsPartition() {
        String scan = "SELECT id FROM q WHERE k = ? AND s = 1";

        assertThat(crossings(scan)).containsExactly("Q");
        assertThat(explained(scan))
                .startsWith("scope: KEY")
                .contains("scan Q where")
                .contains(", across buckets");
        assertThat(explained("SELECT COUNT(*) FROM q")).startsWith("scope: ALL").doesNotContain("across buckets");
    }

    @Test
    void shouldNameNothingWhereTheBucketIsBoundOrTheTableIsReplicated() {
        for (String sql : List.of(
                "SELECT id FROM p WHERE k = ?",
                "SELECT name FROM q WHERE k = ? AND id = 3",
                "SELECT name FROM r WHERE n = 5",
                "SELECT p.id, q.name FROM p JOIN q ON q.k = p.k AND q.id = p.id WHERE p.k = ?")) {
            assertThat(crossings(sql)).as(sql).isEmpty();
            assertThat(explained(sql)).as(sql).doesNotContain("across buckets");
        }
    }

    private static String explained(String sql) {
        return PlanFixture.plan(sql).explanation();
    }

    private static List<String> crossings(String sql) {
        return BucketCrossings.of(PlanFixture.plan(sql).fragment()).stream()
                .map(crossing -> crossing.table().name()
                        + crossing.index().map(Index::name).map(" by "::concat).orElse(""))
                .toList();
    }
}
