package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.SupportedFunctions;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A statement that writes fails of a row whatever the order in which rows are stored, be it behind one that decides. Shown for each
 * operator and aggregate that can fail; a new one has to be put here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FailingOperatorsTest {
    private static final String TABLES = """
            CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY, v INTEGER);
            CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, i INTEGER, l BIGINT, d DECIMAL(18,2), x DOUBLE, s VARCHAR(40), e VARCHAR(4),
              dt DATE, ts TIMESTAMP, later TIMESTAMP, b BOOLEAN);
            CREATE TABLE p (uid INTEGER NOT NULL, n INTEGER NOT NULL, v BIGINT, x DOUBLE, PRIMARY KEY (uid, n) USING ORDERED);
            """;

    private static final String GOOD =
            "1, 1, 1, 1.00, 1e0, 'ok%', '!', DATE '2024-01-01', TIMESTAMP '2024-01-01 00:00:00',"
                    + " TIMESTAMP '2024-01-02 00:00:00', TRUE";

    private static final List<String> COLUMNS = List.of("id", "i", "l", "d", "x", "s", "e", "dt", "ts", "later", "b");

    private static final String GREATEST = "9223372036854775807";
    private static final String FAR = "CAST('+999999-01-01' AS DATE)";

    /** Of these nothing that a row holds makes a failure. */
    private static final Set<String> NEVER_FAIL = Set.of(
            "ARRAY_ITEM",
            "CARDINALITY",
            "ARRAY_REMOVE",
            "ARRAY_POSITION",
            "@>",
            "&&",
            "= ANY",
            "= ALL",
            "<> ANY",
            "<> ALL",
            "< ANY",
            "< ALL",
            "<= ANY",
            "<= ALL",
            "> ANY",
            "> ALL",
            ">= ANY",
            ">= ALL",
            "AND",
            "OR",
            "NOT",
            "IS NULL",
            "IS NOT NULL",
            "IS TRUE",
            "IS NOT TRUE",
            "IS FALSE",
            "IS NOT FALSE",
            "IS UNKNOWN",
            "IS NOT UNKNOWN",
            "CHAR_LENGTH",
            "CHARACTER_LENGTH",
            "OCTET_LENGTH",
            "UPPER",
            "LOWER",
            "INITCAP",
            "REVERSE",
            "POSITION",
            "REPLACE",
            "LEFT",
            "RIGHT",
            "ASCII",
            "TRUNCATE",
            "TRANSLATE",
            "MD5",
            "TO_HEX",
            "CBRT",
            "SIGN",
            "BITAND",
            "BITOR",
            "BITXOR",
            "BITNOT",
            "PI",
            "SIN",
            "COS",
            "TAN",
            "ATAN",
            "ATAN2",
            "RADIANS",
            "EXTRACT",
            "CURRENT_TIMESTAMP",
            "CURRENT_DATE");

    /** Only in what partitions tell each other, or never a failure. */
    private static final Set<AggregateCall.Function> AGGREGATES_ELSEWHERE = Set.of(
            AggregateCall.Function.COUNT,
            AggregateCall.Function.MIN,
            AggregateCall.Function.MAX,
            AggregateCall.Function.SUM0,
            AggregateCall.Function.SUM_LOW,
            AggregateCall.Function.SUM_HIGH);

    /**
     * A condition that is true of the good row.
     *
     * @param name of the operator or aggregate
     * @param column its value in the other row makes the operator fail, if it differs
     */
    record Failing(String name, String condition, String column, String value) {}

    private final TestDatabase goodFirst = database();
    private final TestDatabase badFirst = database();

    @AfterAll
    void close() {
        goodFirst.close();
        badFirst.close();
    }

    private static List<Failing> operators() {
        return List.of(
                new Failing("+", "l + 1 = 2", "l", GREATEST),
                new Failing("-", "l - 2 = -1", "l", "-" + GREATEST),
                new Failing("*", "l * 2 = 2", "l", GREATEST),
                new Failing("/", "2 / l = 2", "l", "0"),
                new Failing("%", "2 % l = 0", "l", "0"),
                new Failing("MOD", "MOD(2, l) = 0", "l", "0"),
                new Failing("=", "dt = ts", "dt", FAR),
                new Failing("<>", "dt <> later", "dt", FAR),
                new Failing("<", "dt < later", "dt", FAR),
                new Failing("<=", "dt <= later", "dt", FAR),
                new Failing(">", "later > dt", "dt", FAR),
                new Failing(">=", "later >= dt", "dt", FAR),
                new Failing("IS DISTINCT FROM", "dt IS DISTINCT FROM later", "dt", FAR),
                new Failing("IS NOT DISTINCT FROM", "dt IS NOT DISTINCT FROM ts", "dt", FAR),
                new Failing("JSON_VALUE_OF", "s -> 'a' IS NULL", "s", "'{a}'"),
                new Failing("JSON_TEXT_OF", "s ->> 'a' IS NULL", "s", "'{a}'"),
                new Failing("REGEXP_LIKE", "'ok' !~ e", "e", "'('"),
                new Failing("CASE", "CASE WHEN b THEN l ELSE d END = 1", "l", GREATEST),
                new Failing("CASE", "COALESCE(l, d) = 1", "l", GREATEST),
                new Failing("CAST", "CAST(l AS INTEGER) = 1", "l", GREATEST),
                new Failing("LIKE", "'okay' LIKE s ESCAPE '!'", "s", "'bad!'"),
                new Failing("LIKE", "'ok%' LIKE 'ok!%' ESCAPE e", "e", "'!!'"),
                new Failing("LIKE", "'okay' LIKE 'ok%' ESCAPE e", "e", "''"),
                new Failing("||", "(s || REPEAT('x', i)) = 'ok%x'", "i", "2000000"),
                new Failing("TRIM", "TRIM(BOTH e FROM s) = 'ok%'", "e", "'ab'"),
                new Failing("SUBSTRING", "SUBSTRING(s FROM 1 FOR i) = 'o'", "i", "-1"),
                new Failing("REPEAT", "REPEAT(s, i) = 'ok%'", "i", "2000000"),
                new Failing("LPAD", "LPAD(s, i) = 'o'", "i", "2000000"),
                new Failing("RPAD", "RPAD(s, i) = 'o'", "i", "2000000"),
                new Failing("OVERLAY", "OVERLAY(s PLACING 'x' FROM i) = 'xk%'", "i", "-1"),
                new Failing("SPLIT_PART", "SPLIT_PART(s, '%', i) = 'ok'", "i", "0"),
                new Failing("REGEXP_COUNT", "REGEXP_COUNT('ok', e) = 0", "e", "'('"),
                new Failing("REGEXP_REPLACE", "REGEXP_REPLACE('ok', e, 'x') = 'ok'", "e", "'('"),
                new Failing("TO_CHAR", "TO_CHAR(dt, 'YYYY') = '2024'", "dt", FAR),
                new Failing("TO_DATE", "TO_DATE(CAST(i AS VARCHAR), 'MM') IS NOT NULL", "i", "13"),
                new Failing("READ_TIMESTAMP", "TO_TIMESTAMP(CAST(i AS VARCHAR), 'MM') IS NOT NULL", "i", "13"),
                new Failing("ARRAY_OF", "CARDINALITY(ARRAY[REPEAT('x', i)]) = 1", "i", "2000000"),
                new Failing("ARRAY_TEXT", "CAST(ARRAY[REPEAT('x', i)] AS VARCHAR(9)) = '{x}'", "i", "2000000"),
                new Failing("ARRAY_APPEND", "CARDINALITY(ARRAY_APPEND(ARRAY[s], REPEAT('x', i))) = 2", "i", "2000000"),
                new Failing(
                        "ARRAY_PREPEND", "CARDINALITY(ARRAY_PREPEND(REPEAT('x', i), ARRAY[s])) = 2", "i", "2000000"),
                new Failing("ARRAY_TO_STRING", "ARRAY_TO_STRING(ARRAY[REPEAT('x', i)], ',') = 'x'", "i", "2000000"),
                new Failing("STRING_TO_ARRAY", "CARDINALITY(STRING_TO_ARRAY(REPEAT('x', i), ',')) = 1", "i", "2000000"),
                new Failing("TO_NUMBER", "TO_NUMBER(REPLACE(s, 'ok%', '1'), '9') = 1", "s", "'x'"),
                new Failing("GCD", "GCD(l, 0) = 1", "l", "-" + GREATEST + " - 1"),
                new Failing("LCM", "LCM(l, 2) = 2", "l", GREATEST),
                new Failing("CHR", "CHR(i) <> 'x'", "i", "-1"),
                new Failing("ABS", "ABS(l) = 1", "l", "-" + GREATEST + " - 1"),
                new Failing("ROUND", "ROUND(l, -1) = 0", "l", GREATEST),
                new Failing("FLOOR", "FLOOR(dt TO YEAR) = ts", "dt", FAR),
                new Failing("CEIL", "CEIL(dt TO YEAR) = ts", "dt", FAR),
                new Failing("SQRT", "SQRT(x) = 1e0", "x", "-1e0"),
                new Failing("POWER", "POWER(x, -1e0) = 1e0", "x", "0e0"),
                new Failing("EXP", "EXP(x) > 0e0", "x", "1000e0"),
                new Failing("LN", "LN(x) = 0e0", "x", "0e0"),
                new Failing("LOG10", "LOG10(x) = 0e0", "x", "0e0"),
                new Failing("GREATEST", "GREATEST(l, d) = 1", "l", GREATEST),
                new Failing("LEAST", "LEAST(l, d) = 1", "l", "-" + GREATEST),
                new Failing("BIT_SHIFT_LEFT", "BIT_SHIFT_LEFT(l, i) = 2", "i", "-1"),
                new Failing("BIT_SHIFT_RIGHT", "BIT_SHIFT_RIGHT(l, i) = 0", "i", "-1"),
                new Failing("COT", "COT(x) > 0e0", "x", "0e0"),
                new Failing("ASIN", "ASIN(x) > 0e0", "x", "2e0"),
                new Failing("ACOS", "ACOS(x) >= 0e0", "x", "2e0"),
                new Failing("DEGREES", "DEGREES(x) > 0e0", "x", "1e308"),
                new Failing("TIMESTAMPDIFF", "DATEDIFF(DAY, ts, dt) = 0", "dt", FAR),
                new Failing("ADD_MICROSECONDS", "DATEADD(MICROSECOND, l, ts) > ts", "l", GREATEST));
    }

    private static List<Failing> aggregates() {
        return List.of(
                new Failing("SINGLE", "(SELECT p.v FROM p WHERE p.uid = t.id) = 5", "i", "1"),
                new Failing("SUM", "(SELECT SUM(p.v) FROM p WHERE p.uid = t.id) = 5", "i", "1"),
                new Failing("AVG", "(SELECT AVG(p.x) FROM p WHERE p.uid = t.id ) = 5e0", "i", "1"),
                new Failing("VAR_POP", "(SELECT VAR_POP(p.x) FROM p WHERE p.uid = t.id) = 0e0", "i", "1"),
                new Failing("VAR_SAMP", "(SELECT VAR_SAMP(p.x) FROM p WHERE p.uid = t.id) IS NULL", "i", "1"),
                new Failing("STDDEV_POP", "(SELECT STDDEV_POP(p.x) FROM p WHERE p.uid = t.id) = 0e0", "i", "1"),
                new Failing("STDDEV_SAMP", "(SELECT STDDEV_SAMP(p.x) FROM p WHERE p.uid = t.id) IS NULL", "i", "1"),
                new Failing(
                        "STRING_AGG",
                        "CHAR_LENGTH((SELECT STRING_AGG(REPEAT('x', 600000), '') FROM p WHERE p.uid = t.id)) = 600000",
                        "i",
                        "1"));
    }

    private static Stream<Failing> failing() {
        return Stream.concat(operators().stream(), aggregates().stream());
    }

    @Test
    void shouldKnowOfEachOperatorAndAggregateWhetherItFails() {
        Set<String> operators = new TreeSet<>(NEVER_FAIL);
        operators().forEach(failing -> operators.add(failing.name()));
        Set<String> aggregates =
                AGGREGATES_ELSEWHERE.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
        aggregates().forEach(failing -> aggregates.add(failing.name()));

        assertThat(operators).isEqualTo(new TreeSet<>(SupportedFunctions.OPERATORS));
        assertThat(aggregates)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(AggregateCall.Function.values())
                        .map(Enum::name)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("failing")
    void shouldFailWhereverTheRowIsStored(Failing failing) {
        for (String update : List.of(
                "UPDATE a SET v = v + 1 WHERE EXISTS (SELECT 1 FROM t WHERE t.id > a.id AND " + failing.condition()
                        + ")",
                "UPDATE a SET v = CASE WHEN 1 IN (SELECT CASE WHEN " + failing.condition()
                        + " THEN 1 END FROM t) THEN 2 ELSE 8 END")) {
            String first = outcome(badFirst, List.of(bad(failing), GOOD), update);
            String last = outcome(goodFirst, List.of(GOOD, bad(failing)), update);

            assertThat(first).as(update).isEqualTo(last).startsWith("failed: ");
            assertThat(outcome(goodFirst, List.of(GOOD), update)).as(update).startsWith("[[1]]");
        }
    }

    @Test
    void shouldSayInWhichExpressionAPatternIsWrong() {
        goodFirst.run("DELETE FROM t");
        goodFirst.run("INSERT INTO t VALUES (" + GOOD.replace("ok%", "bad!") + ")");

        assertThatThrownBy(() -> goodFirst.run("SELECT id FROM t WHERE 'okay' LIKE s ESCAPE e"))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("in 'okay' LIKE T.S ESCAPE T.E");
    }

    private static TestDatabase database() {
        TestDatabase database = new TestDatabase(TABLES);
        database.run("INSERT INTO a VALUES (0, 1)");
        database.run("INSERT INTO p VALUES (1, 1, 5, 5e0), (2, 1, 5, 1e308), (2, 2, " + GREATEST + ", 1e308)");
        return database;
    }

    /** The other row. */
    private static String bad(Failing failing) {
        List<String> values = new ArrayList<>(List.of(GOOD.split(", ")));
        values.set(0, "2");
        values.set(COLUMNS.indexOf(failing.column()), failing.value());
        return String.join(", ", values);
    }

    /** A statement's result, and the hash of its writes, with rows stored in this order. */
    private static String outcome(TestDatabase database, List<String> rows, String update) {
        database.begin();
        database.run("TRUNCATE TABLE t");
        rows.forEach(row -> database.run("INSERT INTO t VALUES (" + row + ")"));
        database.begin();
        String outcome;
        try {
            outcome = database.run(update).toString();
        } catch (ProcedureException e) {
            outcome = "failed: " + e.code() + " " + e.getMessage();
        }
        long hash = database.store.writeHash();
        database.undo();
        return outcome + " " + hash;
    }
}
