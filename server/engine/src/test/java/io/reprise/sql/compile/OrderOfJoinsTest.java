package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.plan.StatementPlanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index of one table gives the order of a join only as far as that table's rows tell those of the join apart. */
final class OrderOfJoinsTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE a (id BIGINT NOT NULL, n INTEGER, PRIMARY KEY (id) USING ORDERED);
            CREATE TABLE b (aid BIGINT NOT NULL, x INTEGER, cid BIGINT);
            CREATE INDEX b_aid ON b (aid) USING HASH;
            CREATE TABLE c (id BIGINT NOT NULL PRIMARY KEY, z INTEGER);
            CREATE TABLE o (cid BIGINT NOT NULL, due INTEGER NOT NULL, paid INTEGER);
            CREATE INDEX o_due ON o (cid, due);
            CREATE INDEX o_paid ON o (cid, paid);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO a VALUES (1, 1), (2, 2), (3, 3)");
        database.run("INSERT INTO b VALUES (1, 5, 1), (1, 3, 2), (2, 9, 1), (2, 1, 2), (1, 4, 1)");
        database.run("INSERT INTO c VALUES (1, 20), (2, 10), (3, 30)");
        database.run("INSERT INTO o VALUES (1, 10, 7), (1, 20, NULL), (1, 30, 5), (2, 40, NULL)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void assertRows(String rows, String sql) {
        assertThat(database.run(sql).toString())
                .as("%s%n%s", sql, explanation(sql))
                .isEqualTo(rows);
    }

    private String explanation(String sql) {
        return StatementPlanner.plan(database.catalog, sql).explanation();
    }

    @Test
    void shouldSortByColumnsOfRowsThatShareTheKeyOfTheIndex() {
        assertRows("[[1, 3], [1, 4]]", "SELECT a.id, b.x FROM a JOIN b ON b.aid = a.id ORDER BY a.id, b.x LIMIT 2");
        assertRows(
                "[[1, 3], [1, 4], [1, 5], [2, 1], [2, 9]]",
                "SELECT a.id, b.x FROM a JOIN b ON b.aid = a.id WHERE a.id > 0 ORDER BY a.id, b.x");
        assertRows(
                "[[3, null], [2, 9], [2, 1], [1, 5], [1, 4], [1, 3]]",
                "SELECT a.id, b.x FROM a LEFT JOIN b ON b.aid = a.id ORDER BY a.id DESC, b.x DESC LIMIT 9");
        assertRows(
                "[[1, 1, 1], [1, 1, 3], [1, 1, 4]]",
                "SELECT a.id, a.n, b.x FROM a, b WHERE a.id > 0 ORDER BY a.id, a.n, b.x LIMIT 3");
        assertRows(
                "[[1, 10], [1, 20], [1, 20], [2, 10], [2, 20]]",
                "SELECT a.id, c.z FROM a JOIN b ON b.aid = a.id JOIN c ON c.id = b.cid WHERE a.id > 0 ORDER BY a.id, c.z LIMIT 9");
    }

    @Test
    void shouldNotSortWhatOneRowOfTheIndexDetermines() {
        String own = "SELECT b.x FROM a JOIN b ON b.aid = a.id WHERE a.id > 0 ORDER BY a.id, a.n DESC LIMIT 2";
        String lookedUp = "SELECT a.id, c.z FROM a JOIN c ON c.id = a.n WHERE a.id > 1 ORDER BY a.id, c.z DESC LIMIT 2";

        assertThat(explanation(own)).doesNotContain("sort");
        assertThat(explanation(lookedUp)).doesNotContain("sort");
        assertRows("[[2, 10], [3, 30]]", lookedUp);
    }

    @Test
    void shouldReadTheIndexOfALaterTableDownwards() {
        for (String join : new String[] {"JOIN", "LEFT JOIN"}) {
            String from = " FROM c " + join + " o ON o.cid = c.id WHERE c.id = ";

            assertThat(explanation("SELECT o.due" + from + "1 ORDER BY o.due DESC"))
                    .contains("descending")
                    .doesNotContain("sort");
            assertRows("[[30], [20], [10]]", "SELECT o.due" + from + "1 ORDER BY o.due DESC");
            assertRows("[[10], [20], [30]]", "SELECT o.due" + from + "1 ORDER BY o.due");
            assertRows("[[30]]", "SELECT o.due" + from + "1 ORDER BY o.due DESC LIMIT 1");
            assertRows("[[7], [5], [null]]", "SELECT o.paid" + from + "1 ORDER BY o.paid DESC");
            assertRows("[[null], [5], [7]]", "SELECT o.paid" + from + "1 ORDER BY o.paid");
        }
        assertRows("[[null]]", "SELECT o.due FROM c LEFT JOIN o ON o.cid = c.id WHERE c.id = 3 ORDER BY o.due DESC");
    }

    @Test
    void shouldFindTheGreatestOfALaterTable() {
        for (String join : new String[] {"JOIN", "LEFT JOIN"}) {
            String from = " FROM c " + join + " o ON o.cid = c.id WHERE c.id = ";

            assertThat(explanation("SELECT MAX(o.due)" + from + "1")).contains("descending", "limit first 1");
            assertRows("[[30]]", "SELECT MAX(o.due)" + from + "1");
            assertRows("[[10]]", "SELECT MIN(o.due)" + from + "1");
            assertRows("[[7]]", "SELECT MAX(o.paid)" + from + "1");
            assertRows("[[5]]", "SELECT MIN(o.paid)" + from + "1");
            assertRows("[[null]]", "SELECT MAX(o.paid)" + from + "2");
            assertRows("[[null]]", "SELECT MAX(o.due)" + from + "3");
        }
    }
}
