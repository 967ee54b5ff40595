package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.place.StatementScope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A statement gives the same over three partitions, planned with its scope and its split, as over one that has every
 * table whole and needs neither.
 */
final class DistributedEquivalenceTest {
    private static final Catalog WHOLE = CatalogScript.load(PlanFixture.DDL.replaceAll("PARTITION TABLE [^;]*;", ""));
    private static final Pattern BY_FIRST =
            Pattern.compile(" ORDER BY 1( DESC| NULLS LAST)?( LIMIT \\S+( OFFSET \\S+)?)?$");
    private static final int ROWS = 40;

    @Test
    void shouldGiveTheSameWhenRowsArePartitioned() {
        compare(1, 350);
        compare(2, 350);
    }

    @Test
    @Tag("long")
    void shouldGiveTheSameWhenRowsArePartitionedForManySeeds() {
        for (long seed = 100; seed < 140; seed++) {
            compare(seed, 2_000);
        }
    }

    private final Map<String, Integer> outcomes = new TreeMap<>();

    private void compare(long seed, int statements) {
        Random random = new Random(seed);
        RandomStatements generator = new RandomStatements(seed);
        outcomes.clear();
        try (PartitionedDatabase parts = new PartitionedDatabase(PlanFixture.CATALOG, 3);
                PartitionedDatabase whole = new PartitionedDatabase(WHOLE, 1)) {
            for (int i = 0; i < statements; i++) {
                String where = "seed " + seed + ", statement " + i + ": ";
                if (i % 100 == 0) {
                    fill(parts, whole, random, where);
                }
                String sql = generator.next();
                try {
                    outcomes.merge(compare(parts, whole, sql, random, where + sql), 1, Integer::sum);
                } catch (RuntimeException e) {
                    fail(where + sql, e);
                }
            }
        }

        int same = outcomes.getOrDefault("same", 0);
        assertThat(same).as("compared statements, outcomes were %s", outcomes).isGreaterThan(statements / 4);
    }

    private String compare(
            PartitionedDatabase parts, PartitionedDatabase whole, String sql, Random random, String where) {
        StatementPlan split;
        StatementPlan plain;
        try {
            split = parts.plan(sql);
            plain = whole.plan(sql);
        } catch (SqlPlanningException e) {
            return "refused";
        }
        List<Object> parameters = new ArrayList<>();
        for (SqlType type : split.parameters()) {
            parameters.add(value(type, random));
        }
        String what = where + " with " + parameters + "\n" + split.explanation() + "\nwhole:\n" + plain.explanation();
        if (split.writes() && !(split.orderDetermined() && plain.orderDetermined() && !isBoundApart(split))) {
            return "would leave different tables";
        }
        PartitionedDatabase.Outcome actual = parts.run(split, parameters);
        PartitionedDatabase.Outcome expected = whole.run(plain, parameters);
        if (actual.error() != null || expected.error() != null) {
            return failed(actual.error(), expected.error(), split, what);
        }
        if (!split.orderDetermined() || !plain.orderDetermined()) {
            return "depends on order";
        }
        same(expected.rows(), actual.rows(), what);
        if (BY_FIRST.matcher(sql).find() && !split.writes()) {
            sameOrder(expected.rows(), actual.rows(), what);
        }
        if (split.writes()) {
            for (String table : PlanFixture.CATALOG.tables().keySet()) {
                same(all(whole, table), all(parts, table), what + "\ntable " + table);
            }
        }
        return "same";
    }

    /** In which order terms and rows are looked at may decide which error is met first, in a query also whether one is. */
    private static String failed(ErrorCode actual, ErrorCode expected, StatementPlan plan, String what) {
        if (actual == ErrorCode.SCOPE_VIOLATION && isBoundApart(plan)) {
            return "bound to several buckets";
        } else if (actual != null && expected != null) {
            assertThat(isOfTheStatement(actual) && isOfTheStatement(expected))
                    .as("%s%n%s", what, actual)
                    .isTrue();
            return "both failed";
        }
        boolean dependsOnEvaluation = isOfTheStatement(actual == null ? expected : actual);
        assertThat(dependsOnEvaluation)
                .as("%s%n%s instead of %s", what, actual, expected)
                .isTrue();
        assertThat(plan.writes())
                .as("a write failed in one place only: %s", what)
                .isFalse();
        return "one failed";
    }

    private static boolean isBoundApart(StatementPlan plan) {
        return plan.scope() instanceof StatementScope.Key key && !key.others().isEmpty();
    }

    private static boolean isOfTheStatement(ErrorCode code) {
        return switch (code) {
            case NUMERIC_OVERFLOW, DIVISION_BY_ZERO, INVALID_VALUE, CARDINALITY, CONSTRAINT_VIOLATION, VALUE_TOO_LONG ->
                true;
            default -> false;
        };
    }

    private static void fill(PartitionedDatabase parts, PartitionedDatabase whole, Random random, String where) {
        for (String table : PlanFixture.CATALOG.tables().keySet()) {
            both(parts, whole, "DELETE FROM " + table, List.of(), where);
            int columns = PlanFixture.CATALOG.tables().get(table).columns().size();
            String marks = "?" + ", ?".repeat(columns - 1);
            for (int i = 0; i < ROWS; i++) {
                List<Object> row = new ArrayList<>();
                PlanFixture.CATALOG
                        .tables()
                        .get(table)
                        .columns()
                        .forEach(c -> row.add(c.nullable() ? value(c.type(), random) : notNull(c.type(), random)));
                both(parts, whole, "INSERT INTO " + table + " VALUES (" + marks + ")", row, where);
            }
        }
    }

    private static void both(
            PartitionedDatabase parts, PartitionedDatabase whole, String sql, List<Object> row, String where) {
        ErrorCode one = parts.run(parts.plan(sql), row).error();
        ErrorCode other = whole.run(whole.plan(sql), row).error();
        assertThat(one).as(where + sql + row).isEqualTo(other);
    }

    private static List<List<Object>> all(PartitionedDatabase database, String table) {
        StatementPlan plan = database.plan("SELECT * FROM " + table);
        // A replicated table is read in one partition only; the writing test checked that all have the same.
        return database.run(plan, List.of()).rows();
    }

    static Object value(SqlType type, Random random) {
        return random.nextInt(8) == 0 ? null : notNull(type, random);
    }

    static Object notNull(SqlType type, Random random) {
        return switch (type.kind()) {
            case BOOLEAN -> random.nextBoolean();
            case TINYINT, SMALLINT, INTEGER, BIGINT -> (long) random.nextInt(12) - 2;
            case DOUBLE -> (random.nextInt(40) - 10) / 4.0;
            case DECIMAL -> (long) random.nextInt(12) - 2;
            case VARCHAR -> List.of("", "a", "ab", "abc", "x", "ABX", "äb").get(random.nextInt(7));
            case VARBINARY -> "b" + random.nextInt(5);
            case TIMESTAMP, TIME -> random.nextInt(5) * 3_600_000_000L;
            case DATE -> (long) random.nextInt(5) * 20;
        };
    }

    private static void same(List<List<Object>> expected, List<List<Object>> actual, String what) {
        List<List<Object>> one = sorted(expected);
        List<List<Object>> other = sorted(actual);
        if (one.size() != other.size()) {
            fail("%s%n%s rows%n%s%ninstead of %s%n%s", what, other.size(), other, one.size(), one);
        }
        for (int i = 0; i < one.size(); i++) {
            for (int j = 0; j < one.get(i).size(); j++) {
                if (!close(one.get(i).get(j), other.get(i).get(j))) {
                    fail("%s%n%s%ninstead of%n%s", what, other, one);
                }
            }
        }
    }

    private static void sameOrder(List<List<Object>> expected, List<List<Object>> actual, String what) {
        for (int i = 0; i < expected.size(); i++) {
            if (!close(expected.get(i).getFirst(), actual.get(i).getFirst())) {
                fail("%s%nin the order%n%s%ninstead of%n%s", what, actual, expected);
            }
        }
    }

    private static boolean close(Object one, Object other) {
        if (one instanceof Double a && other instanceof Double b) {
            return a.equals(b) || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
        }
        return java.util.Objects.equals(one, other);
    }

    private static List<List<Object>> sorted(List<List<Object>> rows) {
        List<List<Object>> copy = new ArrayList<>(rows);
        copy.sort(Comparator.comparing(DistributedEquivalenceTest::text));
        return copy;
    }

    private static String text(List<Object> row) {
        StringBuilder text = new StringBuilder();
        for (Object value : row) {
            text.append(value instanceof Double d ? String.format(java.util.Locale.ROOT, "%.6e", d) : value)
                    .append('|');
        }
        return text.toString();
    }
}
