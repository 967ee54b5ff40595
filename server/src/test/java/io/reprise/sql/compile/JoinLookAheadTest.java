package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Joins of a range with a hash index announce the inner side's keys in stretches that begin anew with each leaf. */
class JoinLookAheadTest {
    /** Several leaves, and a last stretch that is not full. */
    private static final int LINES = 777;

    private static final int PARTS = 50;

    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE line (id INTEGER NOT NULL, part INTEGER, PRIMARY KEY (id) USING ORDERED);
            CREATE TABLE part (id INTEGER NOT NULL, price BIGINT NOT NULL, PRIMARY KEY (id) USING HASH);
            """);

    @BeforeEach
    void fill() {
        for (int i = 0; i < LINES; i++) {
            database.run("INSERT INTO line VALUES (?, ?)", i, part(i));
        }
        for (int i = 0; i < PARTS; i += 2) {
            database.run("INSERT INTO part VALUES (?, ?)", i, price(i));
        }
        database.begin();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Every seventh line has no part; parts with odd numbers don't exist. */
    private static Integer part(int line) {
        return line % 7 == 0 ? null : line * 31 % PARTS;
    }

    private static long price(int part) {
        return 1_000L + part;
    }

    private static List<List<Object>> expected(int from, int to, boolean outer) {
        List<List<Object>> rows = new ArrayList<>();
        for (int line = from; line < to; line++) {
            Integer part = part(line);
            boolean found = part != null && part % 2 == 0;
            if (found || outer) {
                List<Object> row = new ArrayList<>();
                row.add((long) line);
                row.add(found ? (Object) price(part) : null);
                rows.add(row);
            }
        }
        return rows;
    }

    @Test
    void shouldFindAllMatchesWhateverTheLengthOfTheRange() {
        String sql = "SELECT line.id, price FROM line, part WHERE line.id >= ? AND line.id < ? AND part.id = line.part";
        assertThat(database.statement(sql).factory().plan().explanation())
                .contains("range LINE")
                .contains("unique lookup PART");

        for (int from = 0; from < LINES; from += 97) {
            for (int to = from; to <= LINES; to += 41) {
                assertThat(database.run(sql, from, to)).isEqualTo(expected(from, to, false));
            }
        }
    }

    @Test
    void shouldFindAllMatchesBackwards() {
        String sql = "SELECT line.id, price FROM line, part WHERE line.id >= ? AND line.id < ? AND part.id = line.part"
                + " ORDER BY line.id DESC";

        assertThat(database.run(sql, 3, LINES))
                .isEqualTo(expected(3, LINES, false).reversed());
    }

    @Test
    void shouldFindTheFirstMatches() {
        String sql = "SELECT line.id, price FROM line, part WHERE line.id >= ? AND part.id = line.part"
                + " ORDER BY line.id LIMIT 3";

        assertThat(database.run(sql, 5)).isEqualTo(expected(5, LINES, false).subList(0, 3));
    }

    @Test
    void shouldKeepRowsWithoutMatchOfALeftJoin() {
        String sql = "SELECT line.id, price FROM line LEFT JOIN part ON part.id = line.part"
                + " WHERE line.id >= ? AND line.id < ?";

        assertThat(database.run(sql, 10, LINES)).isEqualTo(expected(10, LINES, true));
    }
}
