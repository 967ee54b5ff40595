package io.reprise.sql.place;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import io.reprise.sql.physical.RowOrder;
import io.reprise.sql.physical.RowSequence;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses what would give other results in a replica or a replay, which hold the same rows in another order, where these
 * results may be written: a replay has to write the same again. Queries that only answer a caller may do as they like.
 */
public final class WriteDeterminism {
    private WriteDeterminism() {}

    /** Checks a statement that writes, or that a procedure runs that writes. */
    public static void check(PlanNode plan, RowOrder order, StatementScope scope) {
        String because = ScopeAnalyzer.written(plan).isPresent()
                ? "what this statement writes"
                : "what this query finds, and so what its procedure writes,";
        Optional<PlanNode> limit = order.undetermined(plan);
        if (limit.isPresent()) {
            throw new SqlPlanningException(
                    "LIMIT",
                    because + " would depend on the order in which rows happen to be stored: LIMIT or OFFSET chooses"
                            + " among them by no total order; " + identification(limit.get()));
        }
        checkSums(plan, because, scope instanceof StatementScope.All);
        if (plan instanceof PlanNode.Insert insert && insert.upsert()) {
            checkUpsert(insert);
        }
    }

    /** A sum of doubles is rounded with each addition, so that it depends on which one comes first. */
    private static void checkSums(PlanNode plan, String because, boolean gathered) {
        PlanShapes.visit(plan, node -> {
            if (node instanceof PlanNode.Aggregate aggregate
                    && aggregate.calls().stream().anyMatch(call -> isSumOfDoubles(call, aggregate.input()))
                    && (gathered || !RowSequence.comesInSequence(aggregate.input()))) {
                throw new SqlPlanningException(
                        "SUM",
                        because
                                + " would depend on the order in which rows happen to be stored: SUM, AVG or STDDEV of DOUBLE is"
                                + " rounded with each row; sum up exact numbers, such as SUM(CAST(x AS DECIMAL(18,4)))");
            }
        });
    }

    private static boolean isSumOfDoubles(PlanNode.AggregateCall call, PlanNode input) {
        return switch (call.function()) {
            case SUM, SUM0 ->
                input.fields().get(call.argument().orElseThrow()).type().kind() == SqlType.Kind.DOUBLE;
            default -> call.function().isVariance();
        };
    }

    /** Of several rows with one key the last is what remains. */
    private static void checkUpsert(PlanNode.Insert insert) {
        Table table = insert.table();
        Set<Integer> key = new HashSet<>(table.primaryKey().orElseThrow().columns());
        if (!RowSequence.comesInSequence(insert.input()) && !RowOrder.identifies(insert.input(), key)) {
            throw new SqlPlanningException(
                    table.name(),
                    "what this statement writes would depend on the order in which rows happen to be stored: if several"
                            + " rows have the same primary key "
                            + columns(table, table.primaryKey().get())
                            + ", the last one remains; use GROUP BY for one row per key, or a total ORDER BY");
        }
    }

    /** The columns to add to ORDER BY. */
    private static String identification(PlanNode limit) {
        Set<String> missing = new LinkedHashSet<>();
        Set<String> keyless = new LinkedHashSet<>();
        boolean[] grouped = new boolean[1];
        collect(PlanShapes.inputs(limit).getFirst(), missing, keyless, grouped);
        if (grouped[0]) {
            return "add what is selected by GROUP BY or DISTINCT to ORDER BY";
        } else if (!keyless.isEmpty()) {
            return "table " + String.join(", ", keyless) + " has no unique key to order by: give it one";
        }
        return "add " + String.join(", ", missing) + " to ORDER BY";
    }

    private static void collect(PlanNode node, Set<String> missing, Set<String> keyless, boolean[] grouped) {
        switch (node) {
            case PlanNode.Scan scan -> addKey(scan.table(), missing, keyless);
            case PlanNode.IndexLookup lookup -> addKey(lookup.table(), missing, keyless);
            case PlanNode.IndexRange range -> addKey(range.table(), missing, keyless);
            case PlanNode.Aggregate aggregate -> grouped[0] = true;
            case PlanNode.Series series -> {}
            case PlanNode.Elements elements -> {}
            case PlanNode.UnionAll union -> grouped[0] = true;
            case PlanNode.Recursion recursion -> grouped[0] = true;
            case PlanNode.NestedLoopJoin join
            when join.kind() == PlanNode.JoinKind.SEMI || join.kind() == PlanNode.JoinKind.ANTI ->
                collect(join.outer(), missing, keyless, grouped);
            default -> PlanShapes.inputs(node).forEach(input -> collect(input, missing, keyless, grouped));
        }
    }

    private static void addKey(Table table, Set<String> missing, Set<String> keyless) {
        for (Index index : table.indexes()) {
            boolean identifies = index.unique()
                    && index.columns().stream()
                            .noneMatch(c -> table.columns().get(c).nullable());
            if (identifies) {
                missing.add(columns(table, index));
                return;
            }
        }
        keyless.add(table.name());
    }

    private static String columns(Table table, Index index) {
        List<String> names = index.columns().stream()
                .map(c -> table.name() + "." + table.columns().get(c).name())
                .toList();
        return String.join(", ", names);
    }
}
