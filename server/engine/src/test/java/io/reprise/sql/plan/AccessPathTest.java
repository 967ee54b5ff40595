package io.reprise.sql.plan;

import static io.reprise.sql.plan.PlanFixture.assertPlan;

import org.junit.jupiter.api.Test;

/** The access chosen for a table, and the conditions left to a filter. */
final class AccessPathTest {
    @Test
    void shouldLookUpUniqueIndexWhenAllItsColumnsAreGiven() {
        assertPlan("SELECT name FROM r WHERE id = ? AND n > 3", """
                scope: ANY
                project R.NAME
                  unique lookup R by R_PK: ID = ?1 where R.N > 3
                """);
        assertPlan("SELECT s FROM q WHERE 7 = id AND k = ?", """
                scope: KEY(partition value = ?1)
                project Q.S
                  unique lookup Q by Q_PK: K = ?1, ID = 7
                """);
    }

    @Test
    void shouldLookUpHashIndexWhenItIsNotUnique() {
        assertPlan("SELECT * FROM r2 WHERE r_id = ?", """
                scope: ANY
                lookup R2 by R2_R: R_ID = ?1
                """);
    }

    @Test
    void shouldScanWhenHashIndexIsGivenInPart() {
        assertPlan("SELECT id FROM q WHERE k = ?", """
                scope: KEY(partition value = ?1)
                project Q.ID
                  scan Q where Q.K = ?1, across buckets; Q_PK is a hash index, which finds whole keys only
                """);
    }

    @Test
    void shouldRangeOverLongestPrefixWhenNextColumnIsBounded() {
        assertPlan("SELECT * FROM s WHERE k = ? AND c > ? AND c <= 9 AND e = 1", """
                scope: KEY(partition value = ?1)
                range S by S_PK: K = ?1, C > ?2, C <= 9 where S.E = 1.0000
                """);
        assertPlan("SELECT * FROM r WHERE n BETWEEN 1 AND 5", """
                scope: ANY
                range R by R_N: N >= 1, N <= 5
                """);
    }

    @Test
    void shouldKeepUpperBoundAsFilterWhenNullsWouldBeginTheRange() {
        assertPlan("SELECT * FROM r WHERE n < 5", """
                scope: ANY
                range R by R_N: N < 5 where R.N < 5
                """);
        assertPlan("SELECT * FROM r WHERE id < 5", """
                scope: ANY
                range R by R_PK: ID < 5
                """);
    }

    @Test
    void shouldReadInOrderWhenIndexHasTheOrderWanted() {
        assertPlan("SELECT * FROM p WHERE k = ? ORDER BY id DESC LIMIT 1", """
                scope: KEY(partition value = ?1)
                limit first 1
                  range P by P_PK descending: K = ?1
                """);
        assertPlan("SELECT name FROM r ORDER BY name, id LIMIT 3", """
                scope: ANY
                project NAME
                  sort by NAME, ID first 3
                    project R.NAME, R.ID
                      scan R
                """);
        assertPlan("SELECT id FROM r WHERE n = 4 ORDER BY n, amount LIMIT ? OFFSET 2", """
                scope: ANY
                project ID
                  limit first ?1 after 2
                    project R.ID, R.N, R.AMOUNT
                      range R by R_N: N = 4
                """);
    }

    @Test
    void shouldSortWhenDirectionsDifferOrNullsComeElsewhere() {
        assertPlan("SELECT n, amount FROM r ORDER BY n, amount DESC LIMIT 1", """
                scope: ANY
                sort by N, AMOUNT desc first 1
                  project R.N, R.AMOUNT
                    scan R
                """);
        assertPlan("SELECT n FROM r ORDER BY n NULLS LAST LIMIT 1", """
                scope: ANY
                sort by N nulls last first 1
                  project R.N
                    scan R
                """);
        assertPlan("SELECT id FROM r ORDER BY id NULLS LAST LIMIT 1", """
                scope: ANY
                limit first 1
                  project R.ID
                    range R by R_PK: all
                """);
    }

    @Test
    void shouldLookUpEachValueWhenColumnIsInList() {
        assertPlan("SELECT name FROM r WHERE id IN (1, ?, 3)", """
                scope: ANY
                project R.NAME
                  inner join
                    distinct by VALUE
                      values: 3 rows
                    unique lookup R by R_PK: ID = VALUE
                """);
        assertPlan("DELETE FROM p WHERE k = 1 AND id IN (?, ?)", """
                scope: KEY(partition value = 1)
                delete from P
                  inner join
                    distinct by VALUE
                      values: 2 rows
                    unique lookup P by P_PK: K = 1, ID = VALUE
                """);
        assertPlan("SELECT name FROM r WHERE amount IN (1, 2)", """
                scope: ANY
                project R.NAME
                  scan R where (R.AMOUNT = 1.00) OR (R.AMOUNT = 2.00)
                """);
    }

    @Test
    void shouldRangeOverPrefixWhenLikeBeginsWithPlainCharacters() {
        assertPlan("SELECT id FROM r WHERE name LIKE 'ab%'", """
                scope: ANY
                project R.ID
                  range R by R_NAME: NAME >= 'ab', NAME < 'ac' where R.NAME LIKE 'ab%'
                """);
        assertPlan("SELECT id FROM r WHERE name LIKE '%b'", """
                scope: ANY
                project R.ID
                  scan R where R.NAME LIKE '%b'
                """);
        assertPlan("SELECT id FROM r WHERE name LIKE 'a!_%' ESCAPE '!'", """
                scope: ANY
                project R.ID
                  scan R where R.NAME LIKE 'a!_%' ESCAPE '!'
                """);
    }

    @Test
    void shouldReadOneRowWhenMinOrMaxFollowsAnIndex() {
        assertPlan("SELECT MAX(id) FROM p WHERE k = ?", """
                scope: KEY(partition value = ?1)
                aggregate MAX(P.ID)
                  limit first 1
                    range P by P_PK descending: K = ?1
                """);
        assertPlan("SELECT MIN(n) FROM r", """
                scope: ANY
                aggregate MIN(R.N)
                  limit first 1
                    range R by R_N: all where R.N IS NOT NULL
                """);
    }

    @Test
    void shouldNotUseIndexWhenTheValueDoesNotFitTheColumn() {
        assertPlan("SELECT id FROM r WHERE n = 3000000000", """
                scope: ANY
                project R.ID
                  scan R where CAST(R.N AS BIGINT) = 3000000000
                """);
        assertPlan("SELECT id FROM r WHERE id = 2.5", """
                scope: ANY
                project R.ID
                  scan R where CAST(R.ID AS DECIMAL(11,1)) = 2.5
                """);
        assertPlan("SELECT id FROM r WHERE id = 2.0", """
                scope: ANY
                project R.ID
                  unique lookup R by R_PK: ID = 2
                """);
    }

    @Test
    void shouldGuardLookupWhenOuterIntegerIsWider() {
        assertPlan("SELECT r.id FROM r2 JOIN r ON r.id = r2.big", """
                scope: ANY
                project R.ID
                  inner join
                    scan R2
                    unique lookup R by R_PK: ID = CASE WHEN (R2.BIG >= -2147483648) AND (R2.BIG <= 2147483647) THEN CAST(R2.BIG AS INTEGER) ELSE NULL END
                """);
    }

    @Test
    void shouldUseIndexWhenBooleanColumnStandsAlone() {
        assertPlan("SELECT id FROM p WHERE k = 1 AND flag AND NOT flag", """
                scope: KEY(partition value = 1)
                project P.ID
                  range P by P_PK: K = 1 where P.FLAG AND NOT P.FLAG
                """);
    }
}
