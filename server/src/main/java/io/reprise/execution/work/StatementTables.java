package io.reprise.execution.work;

import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.plan.PlanNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which tables statements use; those have to be made again when one of their tables changes. */
public final class StatementTables {
    private StatementTables() {}

    /** Whether any of the statements uses any of the tables, given by id. */
    public static boolean anyOf(Set<Integer> tables, List<StatementFactory> statements) {
        if (tables.isEmpty()) {
            return false;
        }
        Set<Integer> used = new HashSet<>();
        for (StatementFactory statement : statements) {
            collect(statement.plan().fragment(), used);
            statement.plan().merge().ifPresent(merge -> collect(merge, used));
        }
        used.retainAll(tables);
        return !used.isEmpty();
    }

    private static void collect(PlanNode node, Set<Integer> used) {
        switch (node) {
            case PlanNode.Scan scan -> used.add(scan.table().id());
            case PlanNode.IndexLookup lookup -> used.add(lookup.table().id());
            case PlanNode.IndexRange range -> used.add(range.table().id());
            case PlanNode.Values values -> {}
            case PlanNode.Gathered gathered -> {}
            case PlanNode.Filter filter -> collect(filter.input(), used);
            case PlanNode.Owned owned -> collect(owned.input(), used);
            case PlanNode.Guard guard -> collect(guard.input(), used);
            case PlanNode.Project project -> collect(project.input(), used);
            case PlanNode.NestedLoopJoin join -> {
                collect(join.outer(), used);
                collect(join.inner(), used);
            }
            case PlanNode.Materialize materialize -> collect(materialize.input(), used);
            case PlanNode.Aggregate aggregate -> collect(aggregate.input(), used);
            case PlanNode.Sort sort -> collect(sort.input(), used);
            case PlanNode.Limit limit -> collect(limit.input(), used);
            case PlanNode.UnionAll union -> union.inputs().forEach(input -> collect(input, used));
            case PlanNode.Insert insert -> {
                used.add(insert.table().id());
                collect(insert.input(), used);
            }
            case PlanNode.Update update -> {
                used.add(update.table().id());
                collect(update.input(), used);
            }
            case PlanNode.Delete delete -> {
                used.add(delete.table().id());
                collect(delete.input(), used);
            }
            case PlanNode.Truncate truncate -> used.add(truncate.table().id());
        }
    }
}
