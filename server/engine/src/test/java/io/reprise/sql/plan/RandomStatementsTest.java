package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.reprise.sql.bind.SqlPlanningException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is asked, the answer is a plan that keeps its promises, or a refusal. */
final class RandomStatementsTest {
    @Test
    void shouldPlanOrRefuseWhenStatementsAreRandom() {
        run(20_261_121L, 600);
    }

    @Test
    @Tag("long")
    void shouldPlanOrRefuseWhenManyStatementsAreRandom() {
        for (long seed = 1; seed <= 20; seed++) {
            run(seed, 5_000);
        }
    }

    private static void run(long seed, int statements) {
        RandomStatements generator = new RandomStatements(seed);
        Map<String, Integer> refusals = new TreeMap<>();
        int planned = 0;
        for (int i = 0; i < statements; i++) {
            String sql = generator.next();
            try {
                PlanChecker.check(StatementPlanner.plan(PlanFixture.CATALOG, sql));
                planned++;
            } catch (SqlPlanningException e) {
                assertThat(e.line())
                        .as("line of the refusal of %s: %s", sql, e.getMessage())
                        .isPositive();
                assertThat(e.column()).as(sql).isPositive();
                refusals.merge(e.getMessage().replaceAll("\\d+", "#"), 1, Integer::sum);
            } catch (Throwable e) {
                fail("seed " + seed + ", statement " + i + ": " + sql, e);
            }
        }

        assertThat(planned).as("planned statements; refused were %s", refusals).isGreaterThan(statements / 3);
    }
}
