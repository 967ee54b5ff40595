package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.CompiledStatement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.CodeAttribute;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {" WHERE id = 1", "", " WHERE id = 1 RETURNING id", " WHERE id IN (SELECT 1)"})
    void shouldUpdateAThousandColumnsOfEachKind(String rest) {
        try (TestDatabase database = new TestDatabase("CREATE TABLE wide (id BIGINT NOT NULL PRIMARY KEY, "
                + list(
                        1000,
                        i -> "c" + i + (i % 10 == 0 ? " VARCHAR(100)" : i % 2 == 0 ? " BIGINT NOT NULL" : " BIGINT"))
                + "); CREATE INDEX byOne ON wide (c1);")) {
            database.run("INSERT INTO wide VALUES (1, " + list(1000, i -> i % 10 == 0 ? "'s" + i + "'" : "" + i) + ")");

            database.run("UPDATE wide SET "
                    + list(
                            1000,
                            i -> "c" + i + " = "
                                    + (i % 10 == 0
                                            ? "c" + (i + 10) % 1000 + " || '!'"
                                            : i % 7 == 0 && i % 2 == 1 ? "NULL" : "c" + i + " * 2 + c1"))
                    + rest);

            List<Object> row = database.run("SELECT * FROM wide WHERE c1 = 3").getFirst();
            for (int i = 0; i < 1000; i++) {
                Object expected = i % 10 == 0
                        ? "s" + (i + 10) % 1000 + "!"
                        : i % 7 == 0 && i % 2 == 1 ? null : (Object) (2L * i + 1);
                assertThat(row.get(i + 1)).as("column %d", i).isEqualTo(expected);
            }
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
    void shouldComputeManyLongExpressions() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, v INTEGER)")) {
            database.run("INSERT INTO n VALUES (1, 3), (2, NULL)");
            String sum = IntStream.range(0, 100).mapToObj(i -> "v * " + i).collect(Collectors.joining(" + "));
            String sums = IntStream.range(0, 20).mapToObj(i -> sum).collect(Collectors.joining(", "));

            List<List<Object>> rows = database.run("SELECT " + sums + " FROM n ORDER BY id");

            assertThat(rows.get(0)).hasSize(20).containsOnly(3 * 4950L);
            assertThat(rows.get(1)).hasSize(20).containsOnlyNulls();
            assertThat(longestMethod(database, "SELECT " + sums + " FROM n")).isLessThan(8000);
        }
    }

    private static int longestMethod(TestDatabase database, String sql) {
        return ClassFile.of().parse(database.planned(sql, StatementFactory::classFile)).methods().stream()
                .flatMap(method -> method.findAttribute(Attributes.code()).stream())
                .mapToInt(CodeAttribute::codeLength)
                .max()
                .orElseThrow();
    }

    @Test
    void shouldJoinTablesOfAThousandColumns() {
        String columns = list(1000, i -> "c" + i + (i % 10 == 0 ? " VARCHAR(10)" : " INTEGER"));
        try (TestDatabase database = new TestDatabase("CREATE TABLE v (id INTEGER NOT NULL PRIMARY KEY, " + columns
                + "); CREATE TABLE w (id INTEGER NOT NULL PRIMARY KEY, " + columns + ")")) {
            for (int id = 0; id < 4; id++) {
                int base = id * 1000;
                String values =
                        list(1000, i -> i % 7 == 0 ? "NULL" : i % 10 == 0 ? "'s" + (base + i) + "'" : "" + (base + i));
                database.run("INSERT INTO v VALUES (" + id + ", " + values + ")");
                if (id > 0) {
                    database.run("INSERT INTO w VALUES (" + id + ", " + values + ")");
                }
            }
            List<String> joins = List.of(
                    "SELECT * FROM v LEFT JOIN w ON v.id = w.id ORDER BY v.c1",
                    "SELECT * FROM v LEFT JOIN w ON v.c1 = w.c1 AND v.c2 < 10000 ORDER BY v.id");

            for (String sql : joins) {
                List<List<Object>> rows = database.run(sql);

                assertThat(rows).hasSize(4);
                for (int id = 0; id < 4; id++) {
                    assertWideJoin(rows.get(id), id);
                }
                assertThat(longestMethod(database, sql)).as(sql).isLessThan(8000);
            }
        }
    }

    private static void assertWideJoin(List<Object> row, int id) {
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < 1000; i++) {
                long number = id * 1000L + i;
                Object expected = i % 7 == 0 || side == 1 && id == 0 ? null : i % 10 == 0 ? "s" + number : number;
                assertThat(row.get(side * 1001 + 1 + i))
                        .as("side %d, column %d of row %d", side, i, id)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldDecideLongConditions() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, a INTEGER,"
                + " b INTEGER); CREATE TABLE m (id INTEGER NOT NULL PRIMARY KEY, c INTEGER)")) {
            database.run("INSERT INTO n VALUES (1, 5, 6), (2, 999, 1000), (3, 5, 7), (4, NULL, 6), (5, 5, NULL)");
            database.run("INSERT INTO m VALUES (1, 1), (2, 2)");
            String any = IntStream.range(0, 1000)
                    .mapToObj(i -> "a = " + i + " AND b = " + (i + 1))
                    .collect(Collectors.joining(" OR "));
            String all = IntStream.range(0, 1000)
                    .mapToObj(i -> "(a <> " + i + " OR b <> " + (i + 1) + ")")
                    .collect(Collectors.joining(" AND "));

            for (String outer : List.of("n", "n JOIN m ON m.c = 1", "(SELECT id, a + 0 AS a, b FROM n) AS n")) {
                assertThat(ids(database, outer, any)).isEqualTo("[[1], [2]]");
                assertThat(ids(database, outer, "NOT (" + any + ")")).isEqualTo("[[3]]");
                assertThat(ids(database, outer, all)).isEqualTo("[[3]]");
                assertThat(ids(database, outer, "NOT (" + all + ")")).isEqualTo("[[1], [2]]");
            }
            assertThat(longestMethod(database, "SELECT id FROM n WHERE " + any)).isLessThan(8000);
        }
    }

    private static String ids(TestDatabase database, String from, String condition) {
        return database.run("SELECT n.id FROM " + from + " WHERE " + condition + " ORDER BY n.id")
                .toString();
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
            String cases = IntStream.range(0, 3000)
                    .mapToObj(i -> "WHEN " + i + " THEN n * " + i)
                    .collect(Collectors.joining(" "));

            assertThatThrownBy(() -> database.run("SELECT CASE n " + cases + " END FROM t"))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                    .hasMessageStartingWith(
                            "the statement is too large to be compiled: put the values of its lists and CASEs"
                                    + " into a table and use that, or split it: SELECT CASE n WHEN 0 THEN n * 0")
                    .hasMessageEndingWith("...")
                    .message()
                    .hasSizeLessThan(300);
        }
    }

    private static String list(int size, IntFunction<String> item) {
        return IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(", "));
    }

    @Test
    void shouldSearchLongListsOfLiterals() {
        try (TestDatabase database = new TestDatabase(
                "CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, v BIGINT, s VARCHAR(20), d DECIMAL(10, 2))")) {
            database.run(
                    "INSERT INTO n VALUES (1, 4, 'text 4', 4.00), (2, 10000, 'text 10000', 0.5), (3, NULL, NULL, NULL)");
            List<String> in = List.of(
                    "v IN (" + list(10_000, Integer::toString) + ")",
                    "s IN (" + list(10_000, i -> "'text " + i + "'") + ")",
                    "d IN (" + list(10_000, i -> i + ".00") + ")");

            for (String condition : in) {
                String shown = condition.substring(0, 30);
                assertThat(database.run("SELECT id FROM n WHERE " + condition).toString())
                        .as(shown)
                        .isEqualTo("[[1]]");
                assertThat(database.run("SELECT id FROM n WHERE NOT (" + condition + ")")
                                .toString())
                        .as(shown)
                        .isEqualTo("[[2]]");
                assertThat(database.run("SELECT " + condition + " FROM n ORDER BY id")
                                .toString())
                        .as(shown)
                        .isEqualTo("[[true], [false], [null]]");
                String not = condition.replaceFirst(" IN ", " NOT IN ");
                assertThat(database.run("SELECT id FROM n WHERE " + not).toString())
                        .as(not.substring(0, 30))
                        .isEqualTo("[[2]]");
            }
            assertThat(database.run("SELECT id FROM n WHERE v IN (NULL, " + list(10_000, Integer::toString) + ")")
                            .toString())
                    .isEqualTo("[[1]]");
            assertThat(database.run("SELECT id FROM n WHERE v NOT IN (NULL, " + list(10_000, Integer::toString) + ")"))
                    .isEmpty();
        }
    }

    @Test
    void shouldSearchLongListsOfParameters() {
        try (TestDatabase database =
                new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, v BIGINT, s VARCHAR(20))")) {
            database.run("INSERT INTO n VALUES (1, 4, 'text 4'), (2, 10000, 'text 10000'), (3, NULL, NULL)");
            Object[] numbers = IntStream.range(0, 10_000).boxed().toArray();
            Object[] strings =
                    IntStream.range(0, 10_000).mapToObj(i -> "text " + i).toArray();
            String marks = list(10_000, i -> "?");

            for (int run = 0; run < 2; run++) {
                assertThat(database.run("SELECT id FROM n WHERE v IN (" + marks + ")", numbers)
                                .toString())
                        .isEqualTo("[[1]]");
                assertThat(database.run("SELECT id FROM n WHERE s IN (" + marks + ")", strings)
                                .toString())
                        .isEqualTo("[[1]]");
                assertThat(database.run("SELECT id FROM n WHERE v NOT IN (" + marks + ")", numbers)
                                .toString())
                        .isEqualTo("[[2]]");
                database.begin();
            }
            numbers[4] = null;
            assertThat(database.run("SELECT v IN (" + marks + ") FROM n ORDER BY id", numbers)
                            .toString())
                    .isEqualTo("[[null], [null], [null]]");
            numbers[4] = 10_000;
            assertThat(database.run("SELECT v IN (" + marks + ") FROM n ORDER BY id", numbers)
                            .toString())
                    .isEqualTo("[[false], [true], [null]]");
            CompiledStatement unset = database.statement("SELECT id FROM n WHERE id IN (" + marks + ")");
            unset.set(0, 1);
            assertThatThrownBy(unset::query)
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageStartingWith("parameter 2 of 10000 is not set in this transaction");
            assertThatThrownBy(() -> unset.set(10_000, 1)).isInstanceOf(ProcedureException.class);
        }
    }

    @Test
    void shouldInsertManyRowsByOneStatement() {
        try (TestDatabase database = new TestDatabase("CREATE TABLE n (id INTEGER NOT NULL PRIMARY KEY, v BIGINT,"
                + " s VARCHAR(20), d DECIMAL(10, 2), f DOUBLE, b BOOLEAN)")) {
            database.run("INSERT INTO n VALUES "
                    + list(
                            10_000,
                            i -> "(" + i + ", -" + i + ", 'text " + i + "', " + i + ".5, " + i + ", "
                                    + (i % 3 == 0 ? "NULL" : "TRUE") + ")"));
            database.run("INSERT INTO n VALUES "
                    + list(100, i -> "(" + (20_000 + i) + ", ABS(-" + i + "), 's', 1, 1, TRUE)"));

            assertThat(database.run("SELECT COUNT(*), SUM(v), SUM(d), SUM(f), COUNT(b) FROM n WHERE id < 10000")
                            .toString())
                    .isEqualTo("[[10000, -49995000, 50000000.00, 4.9995E7, 6666]]");
            assertThat(database.run("SELECT v, s, d, f, b FROM n WHERE id = 9999")
                            .toString())
                    .isEqualTo("[[-9999, text 9999, 9999.50, 9999.0, null]]");
            assertThat(database.run("SELECT COUNT(*), SUM(v) FROM n WHERE id >= 10000")
                            .toString())
                    .isEqualTo("[[100, 4950]]");

            Object[] values = new Object[30_000];
            for (int i = 0; i < 10_000; i++) {
                values[3 * i] = 30_000 + i;
                values[3 * i + 1] = i % 2 == 0 ? null : i;
                values[3 * i + 2] = "p" + i;
            }
            database.run("INSERT INTO n (id, v, s) VALUES " + list(10_000, i -> "(?, ?, ?)"), values);
            assertThat(database.run("SELECT COUNT(*), COUNT(v), MAX(s) FROM n WHERE id >= 30000")
                            .toString())
                    .isEqualTo("[[10000, 5000, p9999]]");
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
