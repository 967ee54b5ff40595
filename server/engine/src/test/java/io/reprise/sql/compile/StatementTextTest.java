package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Texts of statements may be long, and names anything. */
final class StatementTextTest {
    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200000), b VARBINARY(100000));
            CREATE TABLE "a ""quoted"" name" (id BIGINT NOT NULL PRIMARY KEY, "x""y" INTEGER);
            CREATE TABLE größe$1 (id BIGINT NOT NULL PRIMARY KEY);
            """);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void shouldTakeLongStrings() {
        for (int length : new int[] {1_000, 10_000, 60_000, 100_000, 199_998}) {
            String text = "ab".repeat(length / 2 - 1) + "''";

            database.run("UPSERT INTO t (id, s) VALUES (1, '" + text + "')");
            assertThat(database.value("SELECT s FROM t WHERE s = '" + text + "'"))
                    .isEqualTo(text.replace("''", "'"));
        }
        database.run("UPSERT INTO t (id, s) VALUES (2, '" + "''".repeat(50_000) + "')");
        assertThat(database.value("SELECT CHAR_LENGTH(s) FROM t WHERE id = 2")).isEqualTo(50_000L);
        database.run("UPSERT INTO t (id, b) VALUES (3, x'" + "00ff".repeat(50_000) + "')");
        assertThat(database.value("SELECT OCTET_LENGTH(b) FROM t WHERE id = 3")).isEqualTo(100_000L);
        database.run("UPSERT INTO t (id, s) VALUES (4, '" + "\uD83D\uDE00".repeat(40_000) + "')");
        assertThat(database.value("SELECT CHAR_LENGTH(s) FROM t WHERE id = 4")).isEqualTo(40_000L);
    }

    @Test
    void shouldPassOverLongComments() {
        for (String skipped : List.of(
                "\n".repeat(20_000),
                "-- one line\n".repeat(20_000),
                "/* a comment */ ".repeat(20_000),
                "/*" + " text *\n".repeat(20_000) + "*/")) {
            assertThat(database.run(skipped + "SELECT 1").toString()).isEqualTo("[[1]]");
            assertThat(database.run("SELECT " + skipped + "1" + skipped).toString())
                    .isEqualTo("[[1]]");
            assertThat(database.run(skipped + "EXPLAIN" + skipped + " SELECT 1"))
                    .isNotEmpty();
            database.run(skipped + "TRUNCATE" + skipped + " TABLE " + skipped + "t" + skipped);
        }
    }

    @Test
    void shouldTruncateTablesOfAnyName() {
        for (String table : List.of("\"a \"\"quoted\"\" name\"", "größe$1", "\"GRÖSSE$1\"", "T")) {
            database.run("INSERT INTO " + table + " (id) VALUES (1)");
            assertThat(database.run("TRUNCATE TABLE " + table).toString()).isEqualTo("[[1]]");
            database.run("TRUNCATE\nTABLE /* all of it */" + table + " -- and no more");
            assertThat(database.value("SELECT COUNT(*) FROM " + table)).isEqualTo(0L);
        }
        database.run("INSERT INTO \"a \"\"quoted\"\" name\" VALUES (1, 2)");
        assertThat(database.value("SELECT \"x\"\"y\" FROM \"a \"\"quoted\"\" name\""))
                .isEqualTo(2L);
    }
}
