package io.reprise.execution.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.Buckets;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bucket that is known of a statement before it runs is the one that the compiled statement finds. */
final class BucketsOfStatementsTest {
    private static final long SEED = Long.getLong("reprise.seed", 1);
    private static final int VALUES = 50;
    private static final List<String> INTEGERS = List.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT");

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(64L << 20));
    private final Random random = new Random(SEED);

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TINYINT",
                "SMALLINT",
                "INTEGER",
                "BIGINT",
                "DECIMAL(9,2)",
                "TIMESTAMP",
                "DATE",
                "BOOLEAN",
                "VARCHAR(20)",
                "VARBINARY(40)"
            })
    void shouldBeTheOneThatTheStatementFinds(String type) {
        Catalog catalog = CatalogScript.load(
                "CREATE TABLE t (k " + type + " NOT NULL PRIMARY KEY, v INTEGER); PARTITION TABLE t ON COLUMN k;");
        store.begin(1L << 20);
        catalog.tables().values().forEach(store::createTable);

        assertSame(catalog, "SELECT v FROM t WHERE k = ?", type);
        assertSame(catalog, "UPDATE t SET v = 1 WHERE k = ?", type);
        assertSame(catalog, "INSERT INTO t (k) VALUES (?)", type);
        if (INTEGERS.contains(type)) {
            INTEGERS.forEach(
                    other -> assertSame(catalog, "DELETE FROM t WHERE k = CAST(? AS " + other + ")", "TINYINT"));
            for (int i = 0; i < VALUES; i++) {
                assertSame(catalog, "SELECT v FROM t WHERE k = " + value(type), type);
            }
        }
    }

    private void assertSame(Catalog catalog, String sql, String type) {
        StatementPlan plan = StatementPlanner.plan(catalog, sql);
        assertThat(StatementRouting.of(plan.traits())).as(sql).isEqualTo(StatementRouting.ONE_BUCKET);
        CompiledStatement statement = StatementFactory.compile(plan).create(store);
        int parameters = plan.parameters().size();
        for (int i = 0; i < VALUES * parameters + 1 - parameters; i++) {
            List<Object> values = new ArrayList<>();
            for (int parameter = 0; parameter < parameters; parameter++) {
                Object value = value(type);
                values.add(value);
                set(statement, parameter, value);
            }

            assertThat(StatementRouting.bucket(Buckets.DEFAULT, plan.traits(), Arguments.of(values.toArray())))
                    .as("seed %d: %s with %s", SEED, sql, values)
                    .isEqualTo(statement.bucket());
        }
    }

    private Object value(String type) {
        return switch (type) {
            case "TINYINT" -> (long) (byte) random.nextInt();
            case "SMALLINT" -> (long) (short) random.nextInt();
            case "INTEGER", "DATE" -> (long) random.nextInt();
            case "BIGINT", "TIMESTAMP" -> random.nextLong() >> random.nextInt(Long.SIZE);
            case "DECIMAL(9,2)" -> BigDecimal.valueOf(random.nextInt(-999_999_999, 1_000_000_000), 2);
            case "BOOLEAN" -> random.nextBoolean();
            case "VARCHAR(20)" ->
                random.ints(random.nextInt(21), 'a', 0x800)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            default -> {
                byte[] bytes = new byte[random.nextInt(41)];
                random.nextBytes(bytes);
                yield bytes;
            }
        };
    }

    private static void set(CompiledStatement statement, int parameter, Object value) {
        switch (value) {
            case Long number -> statement.set(parameter, number);
            case Boolean flag -> statement.set(parameter, flag);
            case BigDecimal number -> statement.set(parameter, number);
            case byte[] bytes -> statement.set(parameter, bytes);
            default -> statement.set(parameter, (String) value);
        }
    }
}
