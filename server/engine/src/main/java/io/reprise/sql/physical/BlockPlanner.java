package io.reprise.sql.physical;

import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.sql.physical.JoinBlock.Factor;
import io.reprise.sql.physical.JoinOrder.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;

/**
 * Builds the operators of a {@link JoinBlock} in the order that {@link JoinOrder} has chosen: the first factor's access,
 * then for each further factor a nested loop whose inner side looks up what fits the outer row.
 */
final class BlockPlanner {
    private final RelPlanner planner;
    private final Expressions expressions;
    private final Expressions.Environment environment;
    private final JoinOrder.Choice choice;
    private final int[] layout;
    private PlanNode node;

    BlockPlanner(RelPlanner planner, Expressions.Environment environment, JoinOrder.Choice choice, int baseColumns) {
        this.planner = planner;
        this.expressions = planner.expressions();
        this.environment = environment;
        this.choice = choice;
        this.layout = new int[baseColumns];
        Arrays.fill(layout, -1);
    }

    /** The operators. */
    PlanNode build() {
        for (Step step : choice.steps()) {
            if (node == null) {
                node = first(step);
            } else {
                node = join(step);
            }
            for (int i = 0; i < step.factor().width; i++) {
                layout[step.factor().start + i] = node.fields().size() - step.factor().width + i;
            }
            RexNode rest = conjunction(step.after());
            if (rest != null) {
                node = new PlanNode.Filter(node, rest);
            }
        }
        return node;
    }

    /** An expression over base columns as one over the fields of the built operators. */
    RexNode physical(RexNode expression) {
        return Expressions.remap(expression, column -> {
            if (layout[column] < 0) {
                throw new IllegalStateException("column " + column + " is not there yet: " + expression);
            }
            return expressions.field(node.fields(), layout[column]);
        });
    }

    private RexNode conjunction(List<RexNode> terms) {
        return expressions.conjunction(terms.stream().map(this::physical).toList());
    }

    private PlanNode first(Step step) {
        if (step.factor().given != null) {
            return filtered(step.factor().given, local(step, step.terms()));
        } else if (step.path() == null) {
            return planner.plan(step.factor().rel, RelPlanner.Wanted.NOTHING, local(step, step.terms()), environment)
                    .node();
        }
        return access(step.path(), step.descending(), expression -> expression);
    }

    private PlanNode filtered(PlanNode input, List<RexNode> terms) {
        RexNode condition = expressions.conjunction(terms);
        return condition == null ? input : new PlanNode.Filter(input, condition);
    }

    private static List<RexNode> local(Step step, List<RexNode> terms) {
        return terms.stream()
                .map(term -> JoinOrder.localForm(term, step.factor()))
                .toList();
    }

    private PlanNode join(Step step) {
        Factor factor = step.factor();
        Expressions.OuterRow outer = expressions.outerRow(node.fields());
        List<RexNode> own = new ArrayList<>();
        List<RexNode> joining = new ArrayList<>();
        for (RexNode term : step.terms()) {
            (factor.columns().contains(Expressions.inputs(term)) ? own : joining).add(term);
        }
        if (factor.given != null) {
            PlanNode given = filtered(factor.given, local(step, own));
            // The values of an IN list may be those of a row around the block: then it's another list each time.
            PlanNode inner = PlanShapes.isCorrelated(given) ? given : new PlanNode.Materialize(given);
            return loop(outer, inner, joining, factor);
        } else if (step.path() != null) {
            return joinTable(step, outer, own, joining);
        }
        return joinRelation(step, outer, own, joining);
    }

    /** Plans it with the joining terms within, where they may find an index; if they don't, its rows are set aside once. */
    private PlanNode joinRelation(Step step, Expressions.OuterRow outer, List<RexNode> own, List<RexNode> joining) {
        Factor factor = step.factor();
        Optional<PlanNode> lookedUp = Optional.empty();
        if (planner.mayPlanTwice()) {
            List<RexNode> pushed = new ArrayList<>(local(step, own));
            joining.forEach(term -> pushed.add(toOuter(JoinOrder.localForm(term, factor), factor.width, outer)));
            lookedUp = Optional.of(planner.planWithin(factor.rel, RelPlanner.Wanted.NOTHING, pushed, environment)
                    .node());
            if (PlanShapes.looksUpBy(lookedUp.get(), outer.correlation())) {
                return loop(outer, lookedUp.get(), List.of(), factor);
            }
        }
        PlanNode once = planner.planWithin(factor.rel, RelPlanner.Wanted.NOTHING, local(step, own), environment)
                .node();
        if (!PlanShapes.isCorrelated(once)) {
            return loop(outer, new PlanNode.Materialize(once), joining, factor);
        }
        return lookedUp.isPresent()
                ? loop(outer, lookedUp.get(), List.of(), factor)
                : loop(outer, once, joining, factor);
    }

    private PlanNode joinTable(Step step, Expressions.OuterRow outer, List<RexNode> own, List<RexNode> joining) {
        Factor factor = step.factor();
        AccessPath path = step.path();
        List<RexNode> ownLocal = local(step, own);
        boolean independent = ownLocal.stream().noneMatch(term -> Expressions.isCorrelated(term, null));
        if (path.index().isEmpty() && !own.isEmpty() && independent) {
            PlanNode scan = new PlanNode.Scan(
                    path.table(), Optional.ofNullable(expressions.conjunction(ownLocal)), fields(path.table()));
            return loop(outer, new PlanNode.Materialize(scan), joining, factor);
        }
        PlanNode inner = access(path, step.descending(), expression -> toOuter(expression, factor.width, outer));
        return loop(outer, inner, List.of(), factor);
    }

    /** In an expression in local form, replaces columns of other factors by fields of the outer row. */
    private RexNode toOuter(RexNode expression, int width, Expressions.OuterRow outer) {
        List<PlanField> fields = node.fields();
        return Expressions.rewrite(expression, ref -> {
            if (ref.getIndex() < width) {
                return ref;
            }
            int position = layout[ref.getIndex() - width];
            if (position < 0 || position >= fields.size()) {
                throw new IllegalStateException("an outer column is not there yet: " + expression);
            }
            return outer.fields().apply(position);
        });
    }

    private PlanNode loop(Expressions.OuterRow outer, PlanNode inner, List<RexNode> joining, Factor factor) {
        boolean left = factor.optional;
        List<PlanField> fields = new ArrayList<>(node.fields());
        int before = fields.size();
        for (PlanField field : inner.fields()) {
            fields.add(left ? new PlanField(field.name(), field.type(), true) : field);
        }
        List<RexNode> conditions = new ArrayList<>();
        for (RexNode term : joining) {
            conditions.add(Expressions.remap(term, column -> {
                boolean inside = column >= factor.start && column < factor.start + factor.width;
                return expressions.field(fields, inside ? before + column - factor.start : layout[column]);
            }));
        }
        return new PlanNode.NestedLoopJoin(
                node,
                inner,
                left ? PlanNode.JoinKind.LEFT : PlanNode.JoinKind.INNER,
                Optional.ofNullable(expressions.conjunction(conditions)),
                outer.correlation(),
                List.copyOf(fields));
    }

    private PlanNode access(
            AccessPath path, boolean descending, java.util.function.UnaryOperator<RexNode> outerFields) {
        List<PlanField> fields = fields(path.table());
        Optional<RexNode> filter = Optional.ofNullable(expressions.conjunction(
                path.residual().stream().map(outerFields).toList()));
        if (path.index().isEmpty()) {
            return new PlanNode.Scan(path.table(), filter, fields);
        }
        List<RexNode> keys = path.keys().stream().map(outerFields).toList();
        if (path.isLookup()) {
            return new PlanNode.IndexLookup(path.table(), path.index().get(), keys, filter, fields);
        }
        return new PlanNode.IndexRange(
                path.table(),
                path.index().get(),
                keys,
                path.lower().map(b -> new PlanNode.Bound(outerFields.apply(b.value()), b.inclusive())),
                path.upper().map(b -> new PlanNode.Bound(outerFields.apply(b.value()), b.inclusive())),
                descending,
                filter,
                fields);
    }

    static List<PlanField> fields(Table table) {
        List<PlanField> fields = new ArrayList<>();
        for (Column column : table.columns()) {
            fields.add(new PlanField(column.name(), column.type(), column.nullable()));
        }
        return List.copyOf(fields);
    }
}
