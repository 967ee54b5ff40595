package io.reprise.sql.plan;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.SupportedFunctions;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import io.reprise.sql.place.StatementScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Checks that a plan keeps the promises of {@link PlanNode} to the compiler: every reference leads to a field that is there
 * and has its type, correlations are in scope, operators are supported, keys fit their columns.
 */
final class PlanChecker {
    private final StatementPlan plan;
    private final Map<String, List<PlanField>> outerRows = new HashMap<>();

    /** The fields of the recursions around, by their numbers. */
    private final Map<Integer, List<PlanField>> working = new HashMap<>();

    private boolean inMerge;

    private PlanChecker(StatementPlan plan) {
        this.plan = plan;
    }

    static void check(StatementPlan plan) {
        PlanChecker checker = new PlanChecker(plan);
        checker.node(plan.fragment());
        checker.inMerge = true;
        plan.merge().ifPresent(checker::node);
        checker.scope();
        PlanNode top = plan.merge().orElse(plan.fragment());
        checker.require(plan.output().size() == top.fields().size(), "output has other columns than the plan");
        for (int i = 0; i < plan.output().size(); i++) {
            checker.require(
                    plan.output().get(i).type().equals(top.fields().get(i).type()), "output column " + i);
        }
        checker.require(
                plan.merge().isPresent() == plan.scope() instanceof StatementScope.All, "only All has a merge plan");
    }

    private void scope() {
        if (plan.scope() instanceof StatementScope.Key key) {
            List<RexNode> values = new ArrayList<>(key.others());
            values.add(key.value());
            values.forEach(value -> expression(value, List.of()));
        }
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what + " in the plan of " + plan.sql() + "\n" + plan.explanation());
        }
    }

    private void node(PlanNode node) {
        switch (node) {
            case PlanNode.Scan scan -> {
                table(scan.table(), scan.fields());
                scan.filter().ifPresent(filter -> condition(filter, scan.fields()));
            }
            case PlanNode.IndexLookup lookup -> {
                table(lookup.table(), lookup.fields());
                require(lookup.keys().size() == lookup.index().columns().size(), "keys of a lookup");
                keys(lookup.table(), lookup.index(), lookup.keys(), 0);
                lookup.filter().ifPresent(filter -> condition(filter, lookup.fields()));
            }
            case PlanNode.IndexRange range -> range(range);
            case PlanNode.Values values -> {
                for (List<RexNode> row : values.rows()) {
                    require(row.size() == values.fields().size(), "width of a row of values");
                    row.forEach(e -> expression(e, List.of()));
                }
            }
            case PlanNode.Series series -> {
                require(series.fields().size() == 1, "width of a series");
                for (RexNode end : List.of(series.start(), series.stop(), series.step())) {
                    expression(end, List.of());
                }
            }
            case PlanNode.Elements elements -> {
                require(elements.fields().size() == 2, "width of elements");
                expression(elements.array(), List.of());
            }
            case PlanNode.Recursion recursion -> {
                node(recursion.first());
                sameTypes(recursion.first().fields(), recursion.fields(), "first part of a recursion");
                require(
                        working.put(recursion.number(), recursion.fields()) == null,
                        "a recursion in one of its number");
                node(recursion.step());
                working.remove(recursion.number());
                sameTypes(recursion.step().fields(), recursion.fields(), "step of a recursion");
            }
            case PlanNode.WorkTable table -> {
                require(working.containsKey(table.number()), "rows of a recursion outside of its step");
                sameTypes(table.fields(), working.get(table.number()), "rows of a recursion");
            }
            case PlanNode.Gathered gathered -> {
                require(inMerge, "gathered rows outside of a merge plan");
                sameTypes(gathered.fields(), plan.fragment().fields(), "gathered rows");
            }
            case PlanNode.Filter filter -> {
                node(filter.input());
                condition(filter.condition(), filter.fields());
            }
            case PlanNode.Owned owned -> {
                node(owned.input());
                require(owned.field() < owned.fields().size(), "the owning value");
            }
            case PlanNode.Guard guard -> {
                node(guard.input());
                condition(guard.condition(), List.of());
            }
            case PlanNode.Project project -> {
                node(project.input());
                require(project.expressions().size() == project.fields().size(), "width of a projection");
                for (int i = 0; i < project.fields().size(); i++) {
                    RexNode expression = project.expressions().get(i);
                    expression(expression, project.input().fields());
                    fits(expression.getType(), project.fields().get(i), "column " + i);
                }
            }
            case PlanNode.NestedLoopJoin join -> join(join);
            case PlanNode.Materialize materialize -> {
                Map<String, List<PlanField>> outside = new HashMap<>(outerRows);
                outerRows.clear();
                Map<Integer, List<PlanField>> around = new HashMap<>(working);
                working.clear();
                node(materialize.input());
                outerRows.putAll(outside);
                working.putAll(around);
            }
            case PlanNode.Aggregate aggregate -> aggregate(aggregate);
            case PlanNode.Window window -> window(window);
            case PlanNode.Sort sort -> {
                node(sort.input());
                require(!sort.keys().isEmpty(), "a sort without keys");
                sort.keys().forEach(key -> require(key.field() < sort.fields().size(), "a sort key"));
                counts(sort.offset(), sort.fetch());
            }
            case PlanNode.Limit limit -> {
                node(limit.input());
                require(limit.offset().isPresent() || limit.fetch().isPresent(), "a limit without limit");
                counts(limit.offset(), limit.fetch());
            }
            case PlanNode.UnionAll union ->
                union.inputs().forEach(input -> {
                    node(input);
                    sameTypes(input.fields(), union.fields(), "input of a union");
                });
            case PlanNode.Insert insert -> {
                node(insert.input());
                int columns = insert.table().columns().size();
                require(insert.input().fields().size() == columns, "columns of an insert");
                for (int i = 0; i < columns; i++) {
                    require(
                            insert.input().fields().get(i).type().kind()
                                    == insert.table().columns().get(i).type().kind(),
                            "kind of column " + i);
                }
            }
            case PlanNode.Update update -> {
                node(update.input());
                target(update.table(), update.input());
                for (int i = 0; i < update.columns().size(); i++) {
                    expression(update.expressions().get(i), update.input().fields());
                }
            }
            case PlanNode.Delete delete -> {
                node(delete.input());
                target(delete.table(), delete.input());
            }
            case PlanNode.Truncate truncate -> {}
        }
    }

    private void range(PlanNode.IndexRange range) {
        table(range.table(), range.fields());
        require(range.index().kind() == Index.Kind.ORDERED, "a range of a hash index");
        require(range.equal().size() < range.index().columns().size(), "a range without a column to range over");
        keys(range.table(), range.index(), range.equal(), 0);
        range.lower()
                .ifPresent(bound -> keys(
                        range.table(),
                        range.index(),
                        List.of(bound.value()),
                        range.equal().size()));
        range.upper()
                .ifPresent(bound -> keys(
                        range.table(),
                        range.index(),
                        List.of(bound.value()),
                        range.equal().size()));
        range.filter().ifPresent(filter -> condition(filter, range.fields()));
    }

    private void join(PlanNode.NestedLoopJoin join) {
        node(join.outer());
        require(outerRows.put(join.correlation(), join.outer().fields()) == null, "a correlation's name used twice");
        node(join.inner());
        outerRows.remove(join.correlation());
        List<PlanField> both = new ArrayList<>(join.outer().fields());
        both.addAll(join.inner().fields());
        join.condition().ifPresent(condition -> condition(condition, both));
        boolean narrow = join.kind() == PlanNode.JoinKind.SEMI || join.kind() == PlanNode.JoinKind.ANTI;
        sameTypes(join.fields(), narrow ? join.outer().fields() : both, "fields of a join");
    }

    private void aggregate(PlanNode.Aggregate aggregate) {
        node(aggregate.input());
        int groups = aggregate.groupBy().size();
        require(aggregate.fields().size() == groups + aggregate.calls().size(), "width of an aggregate");
        for (int i = 0; i < groups; i++) {
            PlanField field = aggregate.input().fields().get(aggregate.groupBy().get(i));
            require(field.type().equals(aggregate.fields().get(i).type()), "type of group field " + i);
        }
        for (PlanNode.AggregateCall call : aggregate.calls()) {
            call.argument()
                    .ifPresent(a -> require(a < aggregate.input().fields().size(), "an aggregate's argument"));
            call.filter()
                    .ifPresent(f -> require(
                            aggregate.input().fields().get(f).type().kind() == SqlType.Kind.BOOLEAN,
                            "an aggregate's filter"));
        }
    }

    private void window(PlanNode.Window window) {
        node(window.input());
        int width = window.input().fields().size();
        require(window.fields().size() == width + window.calls().size(), "width of a window");
        sameTypes(window.fields().subList(0, width), window.input().fields(), "fields of a window");
        List<Integer> used = new ArrayList<>(window.partitionBy());
        window.orderBy().forEach(key -> used.add(key.field()));
        for (PlanNode.WindowCall call : window.calls()) {
            used.addAll(call.arguments());
            call.frame().lower().offset().ifPresent(used::add);
            call.frame().upper().offset().ifPresent(used::add);
        }
        used.forEach(field -> require(field < width, "a field of a window"));
    }

    private void table(Table table, List<PlanField> fields) {
        require(!inMerge || table.replicated(), "a merge plan reads a partitioned table");
        require(table.columns().size() == fields.size(), "width of " + table.name());
    }

    private void keys(Table table, Index index, List<RexNode> keys, int first) {
        for (int i = 0; i < keys.size(); i++) {
            RexNode key = keys.get(i);
            expression(key, List.of());
            SqlType column = table.columns().get(index.columns().get(first + i)).type();
            boolean nullLiteral = key instanceof RexLiteral literal && literal.isNull();
            require(
                    nullLiteral
                            || RepriseTypeFactory.toSqlType(key.getType(), "key")
                                            .kind()
                                    == column.kind(),
                    "key " + key + " for a column of type " + column);
            require(
                    column.kind() != SqlType.Kind.DECIMAL || key.getType().getScale() == column.scale(),
                    "scale of key " + key + " for a column of type " + column);
        }
    }

    private void counts(Optional<RexNode> offset, Optional<RexNode> fetch) {
        offset.ifPresent(e -> expression(e, List.of()));
        fetch.ifPresent(e -> expression(e, List.of()));
    }

    private void target(Table table, PlanNode input) {
        PlanNode[] first = new PlanNode[1];
        PlanShapes.visit(input, node -> {
            boolean leaf = node instanceof PlanNode.Scan
                    || node instanceof PlanNode.IndexLookup
                    || node instanceof PlanNode.IndexRange;
            if (leaf && first[0] == null) {
                first[0] = node;
            }
        });
        Table read = switch (first[0]) {
            case PlanNode.Scan scan -> scan.table();
            case PlanNode.IndexLookup lookup -> lookup.table();
            case PlanNode.IndexRange range -> range.table();
            case null, default -> null;
        };
        require(read == table, "the leftmost leaf is not the target");
    }

    private void sameTypes(List<PlanField> one, List<PlanField> other, String what) {
        require(one.size() == other.size(), "number of " + what);
        for (int i = 0; i < one.size(); i++) {
            require(
                    one.get(i).type().equals(other.get(i).type()),
                    "type of column " + i + " of " + what + ": " + one.get(i) + " and " + other.get(i));
        }
    }

    private void fits(RelDataType type, PlanField field, String what) {
        SqlType expression = RepriseTypeFactory.toSqlType(type, what);
        require(
                expression.kind() == field.type().kind() || isNull(type),
                what + " is " + expression + ", not " + field);
        require(
                expression.kind() != SqlType.Kind.DECIMAL
                        || expression.scale() == field.type().scale(),
                what + " is " + expression + ", not " + field);
        require(field.nullable() || !type.isNullable(), what + " may be NULL, unlike " + field);
    }

    private static boolean isNull(RelDataType type) {
        return type.getSqlTypeName() == org.apache.calcite.sql.type.SqlTypeName.NULL;
    }

    private void condition(RexNode condition, List<PlanField> fields) {
        require(condition.getType().getSqlTypeName() == org.apache.calcite.sql.type.SqlTypeName.BOOLEAN, "a condition");
        expression(condition, fields);
    }

    private void expression(RexNode expression, List<PlanField> fields) {
        switch (expression) {
            case RexInputRef ref -> {
                require(ref.getIndex() < fields.size(), "reference " + ref);
                reference(ref.getType(), fields.get(ref.getIndex()), ref);
            }
            case RexLiteral literal -> {}
            case RexDynamicParam parameter -> {
                require(parameter.getIndex() < plan.parameters().size(), "parameter " + parameter);
                require(
                        RepriseTypeFactory.toSqlType(parameter.getType(), "a parameter")
                                .equals(plan.parameters().get(parameter.getIndex())),
                        "type of parameter " + parameter);
                require(parameter.getType().isNullable(), "a parameter can be NULL: " + parameter);
            }
            case RexFieldAccess access -> {
                RexCorrelVariable variable = (RexCorrelVariable) access.getReferenceExpr();
                List<PlanField> outer = outerRows.get(variable.getName());
                require(outer != null, "correlation " + variable + " is not in scope");
                require(access.getField().getIndex() < outer.size(), "reference " + access);
                reference(access.getType(), outer.get(access.getField().getIndex()), access);
            }
            case RexCall call -> {
                require(
                        SupportedFunctions.OPERATORS.contains(call.getOperator().getName()),
                        "operator " + call.getOperator().getName());
                call.getOperands().forEach(operand -> expression(operand, fields));
            }
            default -> require(false, "expression " + expression.getClass() + " " + expression);
        }
    }

    private void reference(RelDataType type, PlanField field, RexNode reference) {
        SqlType own = RepriseTypeFactory.toSqlType(type, "a reference");
        require(own.equals(field.type()), "type of " + reference + ": " + own + " for " + field);
        require(type.isNullable() || !field.nullable(), "nullability of " + reference + " for " + field);
    }
}
