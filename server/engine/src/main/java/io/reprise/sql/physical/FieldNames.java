package io.reprise.sql.physical;

import io.reprise.catalog.Table;
import java.util.OptionalInt;
import org.apache.calcite.rex.RexNode;

/** The names that errors give to the fields of an operator's rows: much as in the statement. */
public final class FieldNames {
    private FieldNames() {}

    /** The name of a field: a column with its table, the expression that it is, or whatever the plan calls it. */
    public static String of(PlanNode node, int field) {
        return switch (node) {
            case PlanNode.Scan scan -> column(scan.table(), field);
            case PlanNode.IndexLookup lookup -> column(lookup.table(), field);
            case PlanNode.IndexRange range -> column(range.table(), field);
            case PlanNode.Filter filter -> of(filter.input(), field);
            case PlanNode.Owned owned -> of(owned.input(), field);
            case PlanNode.Guard guard -> of(guard.input(), field);
            case PlanNode.Sort sort -> of(sort.input(), field);
            case PlanNode.Limit limit -> of(limit.input(), field);
            case PlanNode.Materialize materialize -> of(materialize.input(), field);
            case PlanNode.UnionAll union -> of(union.inputs().getFirst(), field);
            case PlanNode.Project project -> expression(project.expressions().get(field), project.input());
            case PlanNode.NestedLoopJoin join -> {
                int outer = join.outer().fields().size();
                yield field < outer ? of(join.outer(), field) : of(join.inner(), field - outer);
            }
            case PlanNode.Window window -> {
                int width = window.input().fields().size();
                yield field < width
                        ? of(window.input(), field)
                        : window.calls().get(field - width).function().name();
            }
            case PlanNode.Aggregate aggregate -> {
                int groups = aggregate.groupBy().size();
                yield field < groups
                        ? of(aggregate.input(), aggregate.groupBy().get(field))
                        : aggregate(aggregate, field - groups);
            }
            default -> node.fields().get(field).name();
        };
    }

    /** The name of one of an operator's aggregates. */
    public static String aggregate(PlanNode.Aggregate aggregate, int call) {
        PlanNode.AggregateCall computed = aggregate.calls().get(call);
        OptionalInt argument = computed.argument();
        if (aggregate.input() instanceof PlanNode.Gathered parts && argument.isPresent() && !computed.distinct()) {
            return of(parts, argument.getAsInt());
        }
        String name = switch (computed.function()) {
            case SUM0, SUM_LOW, SUM_HIGH -> "SUM";
            default -> computed.function().name();
        };
        return name + "(" + (computed.distinct() ? "DISTINCT " : "")
                + (argument.isPresent() ? of(aggregate.input(), argument.getAsInt()) : "*") + ")";
    }

    private static String expression(RexNode expression, PlanNode input) {
        return ExpressionPrinter.print(
                expression, field -> of(input, field), (correlation, field) -> "a column of the outer query");
    }

    private static String column(Table table, int column) {
        return table.name() + "." + table.columns().get(column).name();
    }
}
