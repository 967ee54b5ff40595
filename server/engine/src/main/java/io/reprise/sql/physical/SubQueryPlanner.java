package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.LogicalPlanner;
import io.reprise.sql.bind.SqlPlanningException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Plans sub-queries as the inner sides of nested loops.
 *
 * <p>As a term of a condition, EXISTS and IN become a semi join, their negations an anti join; NOT IN keeps a row
 * only if no comparison is true <em>or unknown</em>. Anywhere else a sub-query becomes a column: the single value;
 * for EXISTS whether a first row was found; for IN and its like the greatest of 2 (a comparison was true), 1
 * (unknown) and 0 (false), from which the three-valued result follows. In a branch of CASE, or behind another operand
 * of AND or OR, it runs only for rows whose values lead there.
 */
final class SubQueryPlanner {
    private final RelPlanner planner;
    private final Expressions expressions;

    SubQueryPlanner(RelPlanner planner) {
        this.planner = planner;
        this.expressions = planner.expressions();
    }

    /** Operators with columns for sub-queries added at the end, and the expression that refers to them instead. */
    record Replaced(PlanNode node, RexNode expression) {}

    /** Keeps the rows for which a term with sub-queries is true; {@code row} are the fields that the term refers to. */
    PlanNode filter(PlanNode node, RexNode term, List<RexNode> row, Expressions.Environment environment) {
        boolean negated = term.getKind() == SqlKind.NOT;
        RexNode inner = negated ? ((RexCall) term).getOperands().get(0) : term;
        if (inner instanceof RexSubQuery subQuery
                && subQuery.getOperands().stream().noneMatch(Expressions::hasSubQuery)) {
            if (subQuery.getKind() == SqlKind.EXISTS) {
                Outer outer = outer(node, subQuery, row, environment);
                PlanNode found = planner.plan(LogicalPlanner.tidied(subQuery.rel), outer.environment());
                return join(node, once(found), negated ? PlanNode.JoinKind.ANTI : PlanNode.JoinKind.SEMI, outer, null);
            } else if (subQuery.getKind() == SqlKind.IN || subQuery.getKind() == SqlKind.SOME) {
                return quantified(node, subQuery, negated, row, environment);
            }
        }
        Replaced replaced = replace(node, term, row, environment);
        return new PlanNode.Filter(replaced.node(), replaced.expression());
    }

    private PlanNode quantified(
            PlanNode node,
            RexSubQuery subQuery,
            boolean negated,
            List<RexNode> row,
            Expressions.Environment environment) {
        Outer outer = outer(node, subQuery, row, environment);
        RexBuilder rex = expressions.rexBuilder();
        PlanNode.JoinKind kind = negated ? PlanNode.JoinKind.ANTI : PlanNode.JoinKind.SEMI;
        List<RexNode> operands = operands(subQuery, row, environment);
        RexNode correlated =
                comparison(subQuery, operands.stream().map(outer::inside).toList(), 0, null);
        boolean unknownMatters = negated && correlated.getType().isNullable();
        if (!unknownMatters && planner.mayPlanTwice()) {
            PlanNode lookedUp = planner.planWithin(
                            LogicalPlanner.tidied(subQuery.rel),
                            RelPlanner.Wanted.NOTHING,
                            expressions.conjuncts(correlated),
                            outer.environment())
                    .node();
            if (PlanShapes.looksUpBy(lookedUp, outer.name())) {
                return join(node, lookedUp, kind, outer, null);
            }
        }
        PlanNode all = planner.planWithin(
                        LogicalPlanner.tidied(subQuery.rel), RelPlanner.Wanted.NOTHING, List.of(), outer.environment())
                .node();
        List<PlanField> both = new ArrayList<>(node.fields());
        both.addAll(all.fields());
        RexNode condition = comparison(subQuery, operands, node.fields().size(), both);
        if (unknownMatters) {
            condition = rex.makeCall(SqlStdOperatorTable.IS_NOT_FALSE, condition);
        }
        return join(node, once(all), kind, outer, condition);
    }

    /** The operands of IN or its like, over the fields of the operators. */
    private List<RexNode> operands(RexSubQuery subQuery, List<RexNode> row, Expressions.Environment environment) {
        return subQuery.getOperands().stream()
                .map(e -> expressions.normalize(JoinBlock.substitute(e, row), environment))
                .toList();
    }

    /** Compares operands with the sub-query's columns, which begin at a position among the given fields. */
    private RexNode comparison(RexSubQuery subQuery, List<RexNode> operands, int start, List<PlanField> fields) {
        RexBuilder rex = expressions.rexBuilder();
        SqlKind kind = subQuery.op instanceof SqlQuantifyOperator quantify ? quantify.comparisonKind : SqlKind.EQUALS;
        List<RexNode> left = new ArrayList<>();
        List<RexNode> right = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            RexNode column = fields == null
                    ? rex.makeInputRef(
                            subQuery.rel.getRowType().getFieldList().get(i).getType(), start + i)
                    : expressions.field(fields, start + i);
            boolean exact = SqlTypeUtil.isExactNumeric(column.getType());
            left.add(exact ? Expressions.compared(operands.get(i)) : operands.get(i));
            right.add(column);
        }
        return RowComparison.of(kind, left, right, expressions);
    }

    /** Replaces the sub-queries in an expression over {@code row} by columns, and resolves what else it refers to. */
    Replaced replace(PlanNode node, RexNode expression, List<RexNode> row, Expressions.Environment environment) {
        return replace(node, expression, row, List.of(), environment);
    }

    private Replaced replace(
            PlanNode node,
            RexNode expression,
            List<RexNode> row,
            List<RexNode> only,
            Expressions.Environment environment) {
        Replacing replacing = new Replacing(node, row, only, environment);
        RexNode replaced = expression.accept(replacing);
        return new Replaced(replacing.current, expressions.normalize(replaced, environment));
    }

    /** Puts columns in place of the sub-queries of an expression. */
    private final class Replacing extends RexShuttle {
        private final List<RexNode> row;
        private final Expressions.Environment environment;
        private PlanNode current;

        /** The terms that are true if the visited expression's value is needed, over the fields of the operators. */
        private List<RexNode> only;

        Replacing(PlanNode node, List<RexNode> row, List<RexNode> only, Expressions.Environment environment) {
            this.current = node;
            this.row = row;
            this.only = only;
            this.environment = environment;
        }

        @Override
        public RexNode visitInputRef(RexInputRef ref) {
            return row.get(ref.getIndex());
        }

        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
            Replaced result = column(current, subQuery, row, only, environment);
            current = result.node();
            return result.expression();
        }

        @Override
        public RexNode visitCall(RexCall call) {
            if (!Expressions.hasSubQuery(call)) {
                return super.visitCall(call);
            }
            return switch (call.getKind()) {
                case AND -> junction(call, SqlStdOperatorTable.IS_NOT_FALSE);
                case OR -> junction(call, SqlStdOperatorTable.IS_NOT_TRUE);
                case CASE -> cases(call);
                default -> super.visitCall(call);
            };
        }

        private RexNode junction(RexCall call, SqlOperator undecided) {
            List<RexNode> before = only;
            List<RexNode> operands = new ArrayList<>();
            for (RexNode operand : call.getOperands()) {
                operands.add(operand.accept(this));
                only = with(only, undecided, operands.getLast());
            }
            only = before;
            return call.clone(call.getType(), operands);
        }

        private RexNode cases(RexCall call) {
            List<RexNode> before = only;
            List<RexNode> operands = new ArrayList<>();
            for (int i = 0; i + 1 < call.getOperands().size(); i += 2) {
                List<RexNode> reached = only;
                RexNode condition = call.getOperands().get(i).accept(this);
                only = with(reached, SqlStdOperatorTable.IS_TRUE, condition);
                operands.add(condition);
                operands.add(call.getOperands().get(i + 1).accept(this));
                only = with(reached, SqlStdOperatorTable.IS_NOT_TRUE, condition);
            }
            operands.add(call.getOperands().getLast().accept(this));
            only = before;
            return call.clone(call.getType(), operands);
        }

        private List<RexNode> with(List<RexNode> terms, SqlOperator test, RexNode operand) {
            List<RexNode> more = new ArrayList<>(terms);
            more.add(expressions.rexBuilder().makeCall(test, operand));
            return more;
        }
    }

    private Replaced column(
            PlanNode node,
            RexSubQuery subQuery,
            List<RexNode> row,
            List<RexNode> only,
            Expressions.Environment environment) {
        return switch (subQuery.getKind()) {
            case SCALAR_QUERY -> scalar(node, subQuery, row, only, environment);
            case EXISTS -> exists(node, subQuery, row, only, environment);
            case IN, SOME -> threeValued(node, subQuery, row, only, environment);
            default -> throw new SqlPlanningException("this kind of sub-query is not supported: " + subQuery.getKind());
        };
    }

    private Replaced scalar(
            PlanNode node,
            RexSubQuery subQuery,
            List<RexNode> row,
            List<RexNode> only,
            Expressions.Environment environment) {
        Outer outer = outer(node, subQuery, row, environment);
        PlanNode value = planner.plan(LogicalPlanner.tidied(subQuery.rel), outer.environment());
        PlanField field = value.fields().getFirst();
        PlanNode single = PlanShapes.atMostOneRow(value)
                ? value
                : aggregate(value, PlanNode.AggregateCall.Function.SINGLE, OptionalInt.of(0), field.type());
        return added(node, single, only, environment, outer);
    }

    private Replaced exists(
            PlanNode node,
            RexSubQuery subQuery,
            List<RexNode> row,
            List<RexNode> only,
            Expressions.Environment environment) {
        Outer outer = outer(node, subQuery, row, environment);
        PlanNode found = planner.plan(LogicalPlanner.tidied(subQuery.rel), outer.environment());
        RexNode one = expressions.rexBuilder().makeExactLiteral(BigDecimal.ONE);
        PlanNode first = new PlanNode.Limit(found, Optional.empty(), Optional.of(one));
        PlanNode count = aggregate(
                first, PlanNode.AggregateCall.Function.COUNT, OptionalInt.empty(), SqlType.of(SqlType.Kind.BIGINT));
        Replaced counted = added(node, count, only, environment, outer);
        RexNode positive =
                expressions.rexBuilder().makeCall(SqlStdOperatorTable.GREATER_THAN, counted.expression(), zero());
        return new Replaced(counted.node(), expressions.rexBuilder().makeCall(SqlStdOperatorTable.IS_TRUE, positive));
    }

    private RexNode zero() {
        return expressions.rexBuilder().makeExactLiteral(BigDecimal.ZERO);
    }

    private Replaced threeValued(
            PlanNode node,
            RexSubQuery subQuery,
            List<RexNode> row,
            List<RexNode> only,
            Expressions.Environment environment) {
        PlanNode before = node;
        List<RexNode> operands = new ArrayList<>();
        for (RexNode operand : subQuery.getOperands()) {
            Replaced replaced = replace(before, operand, row, only, environment);
            before = replaced.node();
            operands.add(replaced.expression());
        }
        Outer outer = outer(before, subQuery, row, environment);
        RexBuilder rex = expressions.rexBuilder();
        PlanNode all = planner.plan(LogicalPlanner.tidied(subQuery.rel), outer.environment());
        PlanNode rows = PlanShapes.isCorrelated(all) ? all : new PlanNode.Materialize(all);
        RexNode compared =
                comparison(subQuery, operands.stream().map(outer::inside).toList(), 0, all.fields());
        SqlType small = SqlType.of(SqlType.Kind.INTEGER);
        RexNode rank = rex.makeCall(
                SqlStdOperatorTable.CASE,
                rex.makeCall(SqlStdOperatorTable.IS_TRUE, compared),
                rex.makeExactLiteral(BigDecimal.TWO, expressions.types().of(small, false)),
                rex.makeCall(SqlStdOperatorTable.IS_FALSE, compared),
                rex.makeExactLiteral(BigDecimal.ZERO, expressions.types().of(small, false)),
                rex.makeExactLiteral(BigDecimal.ONE, expressions.types().of(small, false)));
        PlanNode ranked = new PlanNode.Project(rows, List.of(rank), List.of(new PlanField("RANK", small, false)));
        PlanNode greatest = aggregate(ranked, PlanNode.AggregateCall.Function.MAX, OptionalInt.of(0), small);
        Replaced column = added(before, greatest, only, environment, outer);
        RexNode isTrue = rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                column.expression(),
                rex.makeExactLiteral(BigDecimal.TWO, expressions.types().of(small, false)));
        if (!compared.getType().isNullable()) {
            return new Replaced(column.node(), rex.makeCall(SqlStdOperatorTable.IS_TRUE, isTrue));
        }
        RexNode isUnknown = rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                column.expression(),
                rex.makeExactLiteral(BigDecimal.ONE, expressions.types().of(small, false)));
        RexNode result = rex.makeCall(
                SqlStdOperatorTable.CASE,
                isTrue,
                rex.makeLiteral(true),
                isUnknown,
                rex.makeNullLiteral(expressions.types().of(SqlType.of(SqlType.Kind.BOOLEAN), true)),
                rex.makeLiteral(false));
        return new Replaced(column.node(), result);
    }

    private static PlanNode aggregate(
            PlanNode input, PlanNode.AggregateCall.Function function, OptionalInt argument, SqlType type) {
        return new PlanNode.Aggregate(
                input,
                List.of(),
                List.of(new PlanNode.AggregateCall(function, argument, false, OptionalInt.empty())),
                List.of(new PlanField("VALUE", type, function != PlanNode.AggregateCall.Function.COUNT)));
    }

    private Replaced added(
            PlanNode node, PlanNode single, List<RexNode> only, Expressions.Environment environment, Outer outer) {
        List<PlanField> fields = new ArrayList<>(node.fields());
        PlanField value = single.fields().getFirst();
        fields.add(new PlanField(value.name(), value.type(), true));
        for (PlanField extra : single.fields().subList(1, single.fields().size())) {
            fields.add(new PlanField(extra.name(), extra.type(), true));
        }
        PlanNode inner = once(single);
        if (!only.isEmpty()) {
            RexNode condition = expressions.normalize(expressions.conjunction(only), environment);
            inner = new PlanNode.Guard(inner, outer.inside(condition));
        }
        PlanNode joined = new PlanNode.NestedLoopJoin(
                node, inner, PlanNode.JoinKind.LEFT, Optional.empty(), outer.name(), List.copyOf(fields));
        return new Replaced(joined, expressions.field(fields, node.fields().size()));
    }

    private static PlanNode once(PlanNode node) {
        boolean computed = !(node instanceof PlanNode.Materialize) && !(node instanceof PlanNode.Values);
        return computed && !PlanShapes.isCorrelated(node) ? new PlanNode.Materialize(node) : node;
    }

    private PlanNode join(PlanNode node, PlanNode inner, PlanNode.JoinKind kind, Outer outer, RexNode condition) {
        boolean always = condition == null || condition instanceof RexLiteral literal && literal.isAlwaysTrue();
        return new PlanNode.NestedLoopJoin(
                node, inner, kind, always ? Optional.empty() : Optional.of(condition), outer.name(), node.fields());
    }

    /** The row around a sub-query: the name under which it is referred to, and the environment inside. */
    private record Outer(Expressions.OuterRow row, Expressions.Environment environment) {
        String name() {
            return row.correlation();
        }

        /** An expression over the outer row's fields, as it reads inside of the sub-query. */
        RexNode inside(RexNode expression) {
            return Expressions.remap(expression, row.fields());
        }
    }

    private Outer outer(PlanNode node, RexSubQuery subQuery, List<RexNode> row, Expressions.Environment environment) {
        Expressions.OuterRow outerRow = expressions.outerRow(node.fields());
        List<String> own = new ArrayList<>();
        for (CorrelationId id : RelOptUtil.getVariablesUsed(subQuery.rel)) {
            if (!environment.knows(id)) {
                own.add(id.getName());
            }
        }
        return new Outer(
                outerRow, environment.with(own, field -> Expressions.remap(row.get(field), outerRow.fields())));
    }
}
