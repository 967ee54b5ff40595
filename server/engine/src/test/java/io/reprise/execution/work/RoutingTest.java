package io.reprise.execution.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A call runs where the row is that its argument means, for each type that a routing parameter can have. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoutingTest {
    private static final List<String> INTEGERS = List.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");
    private static final List<String> COLUMNS = Stream.concat(
                    INTEGERS.stream(),
                    Stream.of("DECIMAL(9,2)", "TIMESTAMP", "DATE", "BOOLEAN", "VARCHAR(20)", "VARBINARY(40)"))
            .toList();

    /** A table for each type of column. */
    private final Catalog catalog = CatalogScript.load(IntStream.range(0, COLUMNS.size())
            .mapToObj(i -> "CREATE TABLE t" + i + " (k " + COLUMNS.get(i) + " NOT NULL PRIMARY KEY); PARTITION TABLE t"
                    + i + " ON COLUMN k;")
            .collect(Collectors.joining("\n")));

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(64L << 20));
    private final Map<String, CompiledStatement> statements = new HashMap<>();
    private long transaction = 1L << 20;

    /**
     * An argument, and the column value that a procedure makes of it.
     *
     * @param expression the column's value, of the statement's only parameter
     * @param set the parameter's value
     */
    record Passed(String column, Object argument, String expression, Object set) {}

    RoutingTest() {
        store.begin(transaction);
        catalog.tables().values().forEach(store::createTable);
    }

    @AfterAll
    void close() {
        store.close();
    }

    static Stream<Passed> passed() {
        return Stream.of(integers(), decimals(), othersByNumber(), strings()).flatMap(each -> each);
    }

    private static Stream<Passed> integers() {
        return INTEGERS.stream()
                .flatMap(type -> Stream.of(
                        plain(type, (byte) -7),
                        plain(type, (short) 100),
                        plain(type, 5),
                        plain(type, 0L),
                        new Passed(type, true, "CASE WHEN CAST(? AS BOOLEAN) THEN 1 ELSE 0 END", true),
                        plain(type, new BigDecimal("5")),
                        plain(type, new BigDecimal("5.00")),
                        plain(type, new BigDecimal("-0")),
                        plain(type, new BigDecimal("-1E+2")),
                        rounded(type, "2.4999"),
                        rounded(type, "2.5"),
                        rounded(type, "-2.4999"),
                        rounded(type, "-2.5"),
                        rounded(type, "0.00001")));
    }

    private static Stream<Passed> decimals() {
        String type = "DECIMAL(9,2)";
        return Stream.of(
                plain(type, (byte) -7),
                plain(type, 1_000_000),
                plain(type, 3L),
                plain(type, new BigDecimal("3")),
                plain(type, new BigDecimal("3.10")),
                plain(type, new BigDecimal("3.115")),
                plain(type, new BigDecimal("-3.115")),
                plain(type, new BigDecimal("1E+6")));
    }

    private static Stream<Passed> othersByNumber() {
        return Stream.of(
                plain("BIGINT", Long.MAX_VALUE),
                plain("BIGINT", new BigDecimal(Long.MIN_VALUE)),
                plain("BIGINT", new BigDecimal(Long.MAX_VALUE)),
                plain("TIMESTAMP", 1_700_000_000_123_456L),
                new Passed("TIMESTAMP", new BigDecimal("1700000000123456"), "?", 1_700_000_000_123_456L),
                plain("DATE", 20_000),
                new Passed("DATE", new BigDecimal("20000.0"), "?", 20_000L),
                plain("BOOLEAN", true),
                plain("BOOLEAN", false),
                new Passed("BOOLEAN", BigDecimal.ONE, "?", 1L),
                new Passed("BOOLEAN", 1L, "?", 1L));
    }

    private static Stream<Passed> strings() {
        String text = "d\u00e9j\u00e0 \ud83d\ude00";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                plain("VARCHAR(20)", text),
                plain("VARCHAR(20)", ""),
                plain("VARCHAR(20)", Text.of(text)),
                new Passed("VARCHAR(20)", bytes, "?", Text.of(text)),
                plain("VARBINARY(40)", bytes),
                plain("VARBINARY(40)", Text.of(text)),
                new Passed("VARBINARY(40)", text, "?", bytes));
    }

    private static Passed plain(String column, Object value) {
        return new Passed(column, value, "?", value);
    }

    private static Passed rounded(String column, String value) {
        BigDecimal decimal = new BigDecimal(value);
        return new Passed(column, decimal, "CAST(CAST(? AS DECIMAL(12,5)) AS " + column + ")", decimal);
    }

    @ParameterizedTest
    @MethodSource("passed")
    void shouldRunWhereTheRowIs(Passed passed) {
        Arguments arguments = Arguments.of(passed.argument());

        int bucket = bucketOfRow(passed.column(), passed.expression(), passed.set());

        assertThat(Routing.bucket(Buckets.DEFAULT, arguments, 0, typeOf(passed.column())))
                .isEqualTo(bucket);
        assertRouted(passed.column(), arguments, bucket);
    }

    static Stream<Passed> arrays() {
        return Stream.concat(
                INTEGERS.stream()
                        .flatMap(type -> Stream.of(
                                plain(type, new int[] {1, -2, 3, 44}), plain(type, new long[] {44, 3, 2, 1}))),
                Stream.of(
                        plain("DECIMAL(9,2)", new int[] {1, -2, 3, 44}),
                        plain("DECIMAL(9,2)", new long[] {1, -2, 3, 44}),
                        plain("TIMESTAMP", new long[] {1_000_000, 1}),
                        plain("VARCHAR(20)", new String[] {"a", "b", "", "\u00e9"})));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void shouldRunWhereAllRowsOfAnArrayAre(Passed passed) {
        int[] buckets = new int[Array.getLength(passed.argument())];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = bucketOfRow(passed.column(), "?", Array.get(passed.argument(), i));
        }

        assertRouted(passed.column(), Arguments.of(passed.argument()), buckets);
    }

    @ParameterizedTest
    @CsvSource({"BIGINT, 9223372036854775808", "INTEGER, -1E+19", "TIMESTAMP, 1E+2000000000", "'DECIMAL(9,2)', 1E+7"})
    void shouldNameTheColumnsTypeForANumberThatItHasNoRoomFor(String type, String value) {
        assertThatThrownBy(() -> Routing.bucket(Buckets.DEFAULT, Arguments.of(new BigDecimal(value)), 0, typeOf(type)))
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW))
                .hasMessageEndingWith(" is out of range for " + type);
    }

    @ParameterizedTest
    @MethodSource("passed")
    void shouldConfineToTheBucketOfTheOnlyParameter(Passed passed) {
        Routing routing = new Routing(List.of(new Routing.Parameter(0, typeOf(passed.column()))));
        BucketMap map = BucketMap.dealt(3);
        Execution execution = new Execution(Arguments.of(passed.argument()));

        routing.route(execution, map, true);

        int bucket = bucketOfRow(passed.column(), passed.expression(), passed.set());
        assertThat(execution.bucket()).isEqualTo(bucket);
        assertThat(execution.buckets()).isNull();
        assertThat(execution.participantCount()).isEqualTo(1);
        assertThat(execution.participant(0)).isEqualTo(map.partition(bucket));
        assertThat(execution.home()).isEqualTo(map.partition(bucket));
    }

    private void assertRouted(String column, Arguments arguments, int... buckets) {
        Routing routing = new Routing(List.of(new Routing.Parameter(0, typeOf(column))));
        for (int partitions = 1; partitions <= 3; partitions++) {
            BucketMap map = BucketMap.dealt(partitions);
            Execution execution = new Execution(arguments);
            routing.route(execution, map, false);
            int[] expected =
                    IntStream.of(buckets).map(map::partition).distinct().toArray();
            assertThat(execution.participantCount()).isEqualTo(expected.length);
            for (int partition : expected) {
                assertThat(execution.positionOf(partition)).isNotNegative();
            }
            assertThat(execution.home()).isEqualTo(expected[0]);
        }
    }

    private int bucketOfRow(String column, String expression, Object set) {
        store.commit();
        transaction += 1L << 12;
        store.begin(transaction);
        CompiledStatement statement = statements.computeIfAbsent(
                "INSERT INTO t" + COLUMNS.indexOf(column) + " VALUES (" + expression + ")",
                sql -> StatementFactory.compile(StatementPlanner.plan(catalog, sql))
                        .create(store));
        switch (set) {
            case Boolean b -> statement.set(0, b.booleanValue());
            case Number n when !(n instanceof BigDecimal) -> statement.set(0, n.longValue());
            default -> ParameterBuffer.setObject(statement, 0, set);
        }
        return statement.bucket();
    }

    private SqlType typeOf(String column) {
        return catalog.table("T" + COLUMNS.indexOf(column))
                .orElseThrow()
                .columns()
                .getFirst()
                .type();
    }
}
