package io.reprise.sql.physical;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexNode;

/** Questions about the shape of a plan. */
public final class PlanShapes {
    private static final double ROWS_UNKNOWN = 100;

    private PlanShapes() {}

    /** The operators that an operator reads from. */
    public static List<PlanNode> inputs(PlanNode node) {
        return switch (node) {
            case PlanNode.Scan leaf -> List.of();
            case PlanNode.IndexLookup leaf -> List.of();
            case PlanNode.IndexRange leaf -> List.of();
            case PlanNode.Values leaf -> List.of();
            case PlanNode.Series leaf -> List.of();
            case PlanNode.Elements leaf -> List.of();
            case PlanNode.Gathered leaf -> List.of();
            case PlanNode.WorkTable leaf -> List.of();
            case PlanNode.Recursion recursion -> List.of(recursion.first(), recursion.step());
            case PlanNode.Truncate leaf -> List.of();
            case PlanNode.Filter filter -> List.of(filter.input());
            case PlanNode.Owned owned -> List.of(owned.input());
            case PlanNode.Guard guard -> List.of(guard.input());
            case PlanNode.Project project -> List.of(project.input());
            case PlanNode.NestedLoopJoin join -> List.of(join.outer(), join.inner());
            case PlanNode.Materialize materialize -> List.of(materialize.input());
            case PlanNode.Aggregate aggregate -> List.of(aggregate.input());
            case PlanNode.Window window -> List.of(window.input());
            case PlanNode.Sort sort -> List.of(sort.input());
            case PlanNode.Limit limit -> List.of(limit.input());
            case PlanNode.UnionAll union -> union.inputs();
            case PlanNode.Insert insert -> List.of(insert.input());
            case PlanNode.Update update -> List.of(update.input());
            case PlanNode.Delete delete -> List.of(delete.input());
        };
    }

    /** An operator with other inputs that give the same fields. */
    public static PlanNode withInputs(PlanNode node, List<PlanNode> inputs) {
        PlanNode input = inputs.getFirst();
        return switch (node) {
            case PlanNode.Filter filter -> new PlanNode.Filter(input, filter.condition());
            case PlanNode.Owned owned -> new PlanNode.Owned(input, owned.field(), owned.table());
            case PlanNode.Guard guard -> new PlanNode.Guard(input, guard.condition());
            case PlanNode.Project project -> new PlanNode.Project(input, project.expressions(), project.fields());
            case PlanNode.NestedLoopJoin join ->
                new PlanNode.NestedLoopJoin(
                        input,
                        inputs.get(1),
                        join.kind(),
                        join.condition(),
                        join.correlation(),
                        join.fields(),
                        join.everyRow());
            case PlanNode.Materialize materialize -> new PlanNode.Materialize(input);
            case PlanNode.Recursion recursion ->
                new PlanNode.Recursion(
                        recursion.number(), input, inputs.get(1), recursion.distinct(), recursion.fields());
            case PlanNode.Aggregate aggregate ->
                new PlanNode.Aggregate(input, aggregate.groupBy(), aggregate.calls(), aggregate.fields());
            case PlanNode.Window window ->
                new PlanNode.Window(input, window.partitionBy(), window.orderBy(), window.calls(), window.fields());
            case PlanNode.Sort sort -> new PlanNode.Sort(input, sort.keys(), sort.offset(), sort.fetch());
            case PlanNode.Limit limit -> new PlanNode.Limit(input, limit.offset(), limit.fetch());
            case PlanNode.UnionAll union -> new PlanNode.UnionAll(inputs, union.fields());
            case PlanNode.Insert insert ->
                new PlanNode.Insert(
                        insert.table(),
                        input,
                        insert.onConflict(),
                        insert.named(),
                        insert.update(),
                        insert.checks(),
                        insert.onlyOwned(),
                        insert.returning(),
                        insert.fields());
            case PlanNode.Update update ->
                new PlanNode.Update(
                        update.table(),
                        input,
                        update.columns(),
                        update.expressions(),
                        update.checks(),
                        update.returning(),
                        update.fields());
            case PlanNode.Delete delete ->
                new PlanNode.Delete(delete.table(), input, delete.returning(), delete.fields());
            default -> throw new IllegalStateException("not an operator with inputs: " + node);
        };
    }

    /** The expressions of an operator itself. */
    static List<RexNode> expressions(PlanNode node) {
        List<RexNode> all = new ArrayList<>();
        switch (node) {
            case PlanNode.Scan scan -> scan.filter().ifPresent(all::add);
            case PlanNode.IndexLookup lookup -> {
                all.addAll(lookup.keys());
                lookup.filter().ifPresent(all::add);
            }
            case PlanNode.IndexRange range -> {
                all.addAll(keys(range));
                range.filter().ifPresent(all::add);
            }
            case PlanNode.Values values -> values.rows().forEach(all::addAll);
            case PlanNode.Series series -> {
                all.add(series.start());
                all.add(series.stop());
                all.add(series.step());
            }
            case PlanNode.Elements elements -> all.add(elements.array());
            case PlanNode.Filter filter -> all.add(filter.condition());
            case PlanNode.Guard guard -> all.add(guard.condition());
            case PlanNode.Project project -> all.addAll(project.expressions());
            case PlanNode.NestedLoopJoin join -> join.condition().ifPresent(all::add);
            case PlanNode.Sort sort -> {
                sort.offset().ifPresent(all::add);
                sort.fetch().ifPresent(all::add);
            }
            case PlanNode.Limit limit -> {
                limit.offset().ifPresent(all::add);
                limit.fetch().ifPresent(all::add);
            }
            case PlanNode.Insert insert -> {
                all.addAll(insert.update().values());
                insert.update().condition().ifPresent(all::add);
                insert.checks().forEach(check -> all.add(check.condition()));
                all.addAll(insert.returning());
            }
            case PlanNode.Update update -> {
                all.addAll(update.expressions());
                update.checks().forEach(check -> all.add(check.condition()));
                all.addAll(update.returning());
            }
            case PlanNode.Gathered other -> {}
            case PlanNode.WorkTable other -> {}
            case PlanNode.Recursion other -> {}
            case PlanNode.Owned other -> {}
            case PlanNode.Materialize other -> {}
            case PlanNode.Aggregate other -> {}
            case PlanNode.Window other -> {}
            case PlanNode.UnionAll other -> {}
            case PlanNode.Write write -> {
                write.checks().forEach(check -> all.add(check.condition()));
                all.addAll(write.returning());
            }
        }
        return all;
    }

    /** The values that a range starts from and ends at. */
    static List<RexNode> keys(PlanNode.IndexRange range) {
        List<RexNode> keys = new ArrayList<>(range.equal());
        range.lower().ifPresent(bound -> keys.add(bound.value()));
        range.upper().ifPresent(bound -> keys.add(bound.value()));
        return keys;
    }

    /** Visits all operators, inputs after the operator itself. */
    public static void visit(PlanNode node, Consumer<PlanNode> visitor) {
        visitor.accept(node);
        inputs(node).forEach(input -> visit(input, visitor));
    }

    /** Whether an index is entered with a value of the named outer row. */
    static boolean looksUpBy(PlanNode node, String correlation) {
        List<RexNode> keys = switch (node) {
            case PlanNode.IndexLookup lookup -> lookup.keys();
            case PlanNode.IndexRange range -> keys(range);
            default -> List.of();
        };
        return keys.stream().anyMatch(key -> Expressions.isCorrelated(key, correlation))
                || inputs(node).stream().anyMatch(input -> looksUpBy(input, correlation));
    }

    /** Whether a plan depends on rows outside of it: on an outer row, or on the rows that a recursion around it has found last. */
    public static boolean isCorrelated(PlanNode node) {
        List<String> inside = new ArrayList<>();
        List<Integer> recursions = new ArrayList<>();
        visit(node, n -> {
            if (n instanceof PlanNode.NestedLoopJoin join) {
                inside.add(join.correlation());
            } else if (n instanceof PlanNode.Recursion recursion) {
                recursions.add(recursion.number());
            }
        });
        boolean[] found = new boolean[1];
        visit(node, n -> {
            found[0] |= n instanceof PlanNode.WorkTable table && !recursions.contains(table.number());
            expressions(n).forEach(e -> found[0] |= Expressions.refersBeyond(e, inside));
        });
        return found[0];
    }

    /** Whether a plan gives at most one row, whatever the data. */
    public static boolean atMostOneRow(PlanNode node) {
        return switch (node) {
            case PlanNode.IndexLookup lookup -> lookup.index().unique();
            case PlanNode.Values values -> values.rows().size() <= 1;
            case PlanNode.Aggregate aggregate -> aggregate.groupBy().isEmpty();
            case PlanNode.Filter filter -> atMostOneRow(filter.input());
            case PlanNode.Owned owned -> atMostOneRow(owned.input());
            case PlanNode.Guard guard -> atMostOneRow(guard.input());
            case PlanNode.Project project -> atMostOneRow(project.input());
            case PlanNode.Materialize materialize -> atMostOneRow(materialize.input());
            case PlanNode.Window window -> atMostOneRow(window.input());
            case PlanNode.Sort sort -> isOne(sort.fetch()) || atMostOneRow(sort.input());
            case PlanNode.Limit limit -> isOne(limit.fetch()) || atMostOneRow(limit.input());
            case PlanNode.NestedLoopJoin join ->
                switch (join.kind()) {
                    case INNER, LEFT -> atMostOneRow(join.outer()) && atMostOneRow(join.inner());
                    case SEMI, ANTI -> atMostOneRow(join.outer());
                };
            default -> false;
        };
    }

    private static boolean isOne(java.util.Optional<RexNode> fetch) {
        return fetch.isPresent()
                && fetch.get() instanceof org.apache.calcite.rex.RexLiteral literal
                && !literal.isNull()
                && literal.getValueAs(java.math.BigDecimal.class).compareTo(java.math.BigDecimal.ONE) <= 0;
    }

    /** A rough number of the rows that a plan gives. */
    static double rows(PlanNode node) {
        return switch (node) {
            case PlanNode.Values values -> values.rows().size();
            case PlanNode.Aggregate aggregate -> aggregate.groupBy().isEmpty() ? 1 : rows(aggregate.input());
            case PlanNode.Project project -> rows(project.input());
            case PlanNode.Window window -> rows(window.input());
            case PlanNode.Filter filter -> rows(filter.input());
            case PlanNode.Guard guard -> rows(guard.input());
            default -> ROWS_UNKNOWN;
        };
    }
}
