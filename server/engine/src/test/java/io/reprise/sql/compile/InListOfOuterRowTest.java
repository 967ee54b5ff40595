package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.sql.plan.StatementPlanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An IN list of a sub-query whose values are of the row outside is another list for each of these. */
final class InListOfOuterRowTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE p (id BIGINT NOT NULL PRIMARY KEY, u INTEGER, v INTEGER);
            CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY, x INTEGER);
            CREATE INDEX a_x ON a (x);
            CREATE TABLE b (id BIGINT NOT NULL PRIMARY KEY, k INTEGER, x INTEGER);
            CREATE INDEX b_k ON b (k, x);
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO p VALUES (1, 10, 20), (2, 30, 30), (3, NULL, 40), (4, 50, NULL)");
        database.run("INSERT INTO a VALUES (1, 7), (2, 7), (3, 8), (4, 7)");
        database.run("INSERT INTO b VALUES (1, 10, 7), (2, 20, 7), (3, 30, 7), (4, 40, 8), (5, 60, 7)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SELECT p.id, (SELECT COUNT(*) FROM a JOIN b ON b.x = a.x WHERE b.k IN (p.u, p.v) AND a.id = p.id) FROM p ORDER BY 1 | [[1, 2], [2, 1], [3, 1], [4, 0]]
            SELECT p.id FROM p WHERE EXISTS (SELECT 1 FROM a JOIN b ON b.k IN (p.u, p.v) WHERE a.id = p.id AND b.x = a.x) ORDER BY 1 | [[1], [2], [3]]
            SELECT p.id FROM p WHERE NOT EXISTS (SELECT 1 FROM a JOIN b ON b.k IN (p.u, p.v) AND b.x = 7 WHERE a.id = p.id) ORDER BY 1 | [[3], [4]]
            SELECT p.id, (SELECT MAX(b.id) FROM a JOIN b ON b.k IN (p.u, p.v) WHERE a.id = p.id) FROM p ORDER BY 1 | [[1, 2], [2, 3], [3, 4], [4, null]]
            SELECT p.id FROM p WHERE 7 IN (SELECT b.x FROM a LEFT JOIN a y ON y.id = a.x JOIN b ON b.k IN (p.u, p.v) WHERE a.id = p.id) ORDER BY 1 | [[1], [2]]
            SELECT p.id, (SELECT SUM(b.id) FROM a JOIN b ON (b.k, b.x) IN ((p.u, 7), (p.v, a.x), (30, 7)) WHERE a.id = p.id) FROM p ORDER BY 1 | [[1, 6], [2, 3], [3, 7], [4, 3]]
            SELECT p.id, (SELECT SUM(b.id) FROM a JOIN b ON (b.k, b.x) IN ((p.u, 7), (p.v, 7), (30, 7)) WHERE a.id = p.id) FROM p ORDER BY 1 | [[1, 6], [2, 3], [3, 3], [4, 3]]
            """)
    void shouldFindWhatIsInTheListOfEachRow(String sql, String rows) {
        assertThat(database.run(sql).toString())
                .as(StatementPlanner.plan(database.catalog, sql).explanation())
                .isEqualTo(rows);
    }
}
