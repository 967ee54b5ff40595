package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Statements that are wide, large or endless. */
final class LimitsOfStatementsTest {
    private static final int COLUMNS = 150;

    private static String columns(String format, String separator) {
        return IntStream.range(0, COLUMNS)
                .mapToObj(i -> String.format(format, i))
                .collect(Collectors.joining(separator));
    }

    @Test
    void shouldHandleRowsAndParametersBeyond64() {
        try (TestDatabase database = new TestDatabase(
                "CREATE TABLE wide (id BIGINT NOT NULL PRIMARY KEY, " + columns("c%d INTEGER", ", ") + ")")) {
            CompiledStatement insert = database.statement("INSERT INTO wide VALUES (?, " + columns("?", ", ") + ")");
            for (int row = 0; row < 3; row++) {
                insert.set(0, row);
                for (int i = 0; i < COLUMNS; i++) {
                    if ((i + row) % 3 == 0) {
                        insert.setNull(i + 1);
                    } else {
                        insert.set(i + 1, i * 10 + row);
                    }
                }
                assertThat(insert.update()).isEqualTo(1);
            }

            for (String sql : List.of(
                    "SELECT * FROM wide ORDER BY id",
                    "SELECT * FROM wide GROUP BY id, " + columns("c%d", ", ") + " ORDER BY id",
                    "SELECT DISTINCT * FROM wide ORDER BY c149 NULLS FIRST, id")) {
                assertWide(database.run(sql), sql);
            }
            assertThat(database.run("UPDATE wide SET " + columns("c%1$d = c%1$d + 1000", ", "))
                            .toString())
                    .isEqualTo("[[3]]");
            assertThat(database.value("SELECT c149 FROM wide WHERE id = 0")).isEqualTo(2490L);
            assertThat(database.value("SELECT c147 FROM wide WHERE id = 0")).isNull();
        }
    }

    private static void assertWide(List<List<Object>> rows, String sql) {
        assertThat(rows).as(sql).hasSize(3);
        for (List<Object> row : rows) {
            long id = (long) row.getFirst();
            for (int i = 0; i < COLUMNS; i++) {
                Long expected = (i + id) % 3 == 0 ? null : i * 10 + id;
                assertThat(row.get(i + 1))
                        .as("%s, column %d of row %d", sql, i, id)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldEndLoopsWhenTheTimeIsOver() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY)")) {
            for (int i = 0; i < 50; i++) {
                database.run("INSERT INTO n VALUES (?)", i);
            }
            CompiledStatement endless =
                    database.statement("SELECT COUNT(*) FROM n AS a, n AS b, n AS c, n AS d, n AS e, n AS f");
            LoopGuard.mark(Thread.currentThread(), () -> true);
            try {
                assertThatThrownBy(endless::query)
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.TIME_LIMIT));
            } finally {
                LoopGuard.clear(Thread.currentThread());
            }
        }
    }

    @Test
    void shouldRefuseAStatementThatIsTooLarge() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, v INTEGER)")) {
            String sum = IntStream.range(0, 100).mapToObj(i -> "v * " + i).collect(Collectors.joining(" + "));
            String sums = IntStream.range(0, 20).mapToObj(i -> sum).collect(Collectors.joining(", "));

            assertThatThrownBy(() -> database.run("SELECT " + sums + " FROM n"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
        }
    }

    @Test
    void shouldGroupAndSortManyRows() {
        try (TestDatabase database =
                new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, s VARCHAR(20))")) {
            for (int i = 0; i < 20_000; i++) {
                database.run("INSERT INTO n VALUES (?, ?)", i, "s" + i % 7001);
            }

            assertThat(database.value("SELECT COUNT(*) FROM (SELECT s, COUNT(*) FROM n GROUP BY s) AS q"))
                    .isEqualTo(7001L);
            assertThat(database.value("SELECT COUNT(DISTINCT s) FROM n")).isEqualTo(7001L);
            assertThat(database.run("SELECT s, id FROM n ORDER BY s DESC, id LIMIT 2")
                            .toString())
                    .isEqualTo("[[s999, 999], [s999, 8000]]");
            assertThat(database.run("SELECT id FROM n ORDER BY id DESC LIMIT 1 OFFSET 19998")
                            .toString())
                    .isEqualTo("[[1]]");
            assertThat(database.run("SELECT id FROM n ORDER BY id DESC").size()).isEqualTo(20_000);
            assertThat(database.run("SELECT id FROM n WHERE id < 3 ORDER BY id DESC")
                            .toString())
                    .isEqualTo("[[2], [1], [0]]");
        }
    }

    @Test
    void shouldSayWhatToDoWithoutRepeatingItAllWhenAStatementIsTooLarge() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE t (n INTEGER)")) {
            String list = IntStream.range(0, 10_000).mapToObj(Integer::toString).collect(Collectors.joining(","));

            assertThatThrownBy(() -> database.run("SELECT n FROM t WHERE n IN (" + list + ")"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                    .hasMessageStartingWith(
                            "the statement is too large to be compiled: put the values of its lists and CASEs"
                                    + " into a table and use that, or split it: SELECT n FROM t WHERE n IN (0,1,2,")
                    .hasMessageEndingWith("...")
                    .message()
                    .hasSizeLessThan(300);
        }
    }

    @Test
    void shouldRefuseALiteralThatIsLongerThanAnyString() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE t (id INTEGER, s VARCHAR(10))")) {
            String tooLong = "a".repeat((1 << 20) + 3);

            for (String sql : List.of(
                    "INSERT INTO t VALUES (1, '" + tooLong + "')",
                    "SELECT CHAR_LENGTH('" + tooLong + "')",
                    "SELECT id FROM t WHERE s = '" + tooLong + "'",
                    "SELECT OCTET_LENGTH(x'" + "ab".repeat(1 << 20) + "')")) {
                assertThatThrownBy(() -> database.run(sql))
                        .isInstanceOfSatisfying(
                                ProcedureException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_TOO_LONG));
            }
            assertThat(database.value("SELECT CHAR_LENGTH('" + "a".repeat((1 << 20) - 1) + "')"))
                    .isEqualTo((1L << 20) - 1);
        }
    }

    @Test
    void shouldPlanLongBinaryLiteralsInLinearTime() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE t (id INTEGER, b VARBINARY(1048575))")) {
            int length = (1 << 20) - 1;

            assertTimeout(Duration.ofSeconds(30), () -> {
                assertThat(database.value("SELECT OCTET_LENGTH(x'" + "ab".repeat(length) + "')"))
                        .isEqualTo((long) length);
                database.run("INSERT INTO t VALUES (1, x'" + "00".repeat(length - 1) + "0F')");
            });
            assertThat(database.value("SELECT b = x'" + "00".repeat(length - 1) + "0f' FROM t"))
                    .isEqualTo(true);
            assertThatThrownBy(() -> database.run("SELECT x'" + "0g".repeat(1000) + "'"))
                    .isInstanceOf(ProcedureException.class);
        }
    }
}
