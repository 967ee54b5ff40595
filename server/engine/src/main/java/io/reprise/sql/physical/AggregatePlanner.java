package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.SqlPlanningException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/** Plans GROUP BY, DISTINCT and aggregates; MIN or MAX alone reads the first row of an order if an index gives it. */
final class AggregatePlanner {
    private final RelPlanner planner;
    private final Expressions expressions;

    AggregatePlanner(RelPlanner planner) {
        this.planner = planner;
        this.expressions = planner.expressions();
    }

    RelPlanner.Planned plan(
            Aggregate aggregate, RelPlanner.Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        RelPlanner.Below below = below(aggregate, wanted, pushed);
        Optional<PlanNode> first = firstOfOrder(aggregate, below.terms(), environment);
        if (first.isPresent()) {
            return new RelPlanner.Planned(planner.filtered(first.get(), below.above()), false);
        }
        RelPlanner.Planned input = planner.plan(aggregate.getInput(), below.wanted(), below.terms(), environment);
        PlanNode sorted = inOrderOfStrings(aggregate, input.node());
        PlanNode node = node(aggregate, sorted, aggregate.getGroupSet().asList());
        return new RelPlanner.Planned(planner.filtered(node, below.above()), below.mapped() && input.ordered());
    }

    /** Whether groups would come in the wanted order. */
    boolean comesInOrder(
            Aggregate aggregate, RelPlanner.Wanted wanted, List<RexNode> pushed, Expressions.Environment environment) {
        RelPlanner.Below below = below(aggregate, wanted, pushed);
        return below.mapped() && planner.comesInOrder(aggregate.getInput(), below.wanted(), below.terms(), environment);
    }

    private RelPlanner.Below below(Aggregate aggregate, RelPlanner.Wanted wanted, List<RexNode> pushed) {
        List<Integer> groupBy = aggregate.getGroupSet().asList();
        List<RexNode> terms = new ArrayList<>();
        List<RexNode> above = new ArrayList<>();
        for (RexNode term : pushed) {
            ImmutableBitSet used = Expressions.inputs(term);
            boolean groups =
                    !groupBy.isEmpty() && ImmutableBitSet.range(groupBy.size()).contains(used);
            if (groups) {
                terms.add(Expressions.rewrite(
                        term,
                        ref -> expressions.rexBuilder().makeInputRef(ref.getType(), groupBy.get(ref.getIndex()))));
            } else {
                above.add(term);
            }
        }
        List<PlanNode.SortKey> keys = new ArrayList<>();
        for (PlanNode.SortKey key : wanted.keys()) {
            if (key.field() >= groupBy.size()) {
                keys.clear();
                break;
            }
            keys.add(new PlanNode.SortKey(groupBy.get(key.field()), key.descending(), key.nullsFirst()));
        }
        boolean mapped = keys.size() == wanted.keys().size();
        return new RelPlanner.Below(new RelPlanner.Wanted(keys, false), mapped, terms, above);
    }

    private PlanNode node(Aggregate aggregate, PlanNode input, List<Integer> groupBy) {
        List<PlanField> output = RelPlanner.fields(aggregate.getRowType());
        List<PlanField> fields = new ArrayList<>(output.subList(0, groupBy.size()));
        List<PlanNode.AggregateCall> calls = new ArrayList<>();
        List<RexNode> results = new ArrayList<>();
        for (int i = 0; i < groupBy.size(); i++) {
            results.add(expressions.field(fields, i));
        }
        boolean computed = false;
        for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
            AggregateCall call = aggregate.getAggCallList().get(i);
            PlanField field = output.get(groupBy.size() + i);
            check(call);
            if (isAverageOfDoubles(call, input)) {
                computed = true;
                results.add(averageOfDoubles(call, input, calls, fields, groupBy.size()));
            } else {
                int position = add(translate(call, input), field, calls, fields, groupBy.size());
                computed |= position != groupBy.size() + i;
                results.add(expressions.field(fields, position));
            }
        }
        PlanNode node = new PlanNode.Aggregate(input, List.copyOf(groupBy), List.copyOf(calls), List.copyOf(fields));
        return computed ? new PlanNode.Project(node, List.copyOf(results), output) : node;
    }

    private static void check(AggregateCall call) {
        boolean strings = isOfStrings(call);
        if (call.getArgList().size() > (strings ? 2 : 1)) {
            throw new SqlPlanningException(
                    call.getAggregation().getName(),
                    call.getAggregation().getName() + " of several columns is not supported: expected one");
        } else if (!call.getCollation().getFieldCollations().isEmpty() && !strings || call.distinctKeys != null) {
            throw new SqlPlanningException(
                    call.getAggregation().getName(),
                    call.getAggregation().getName() + " with WITHIN GROUP or WITHIN DISTINCT is not supported");
        }
    }

    /** Adds an aggregate unless it is there already. Returns its position among the fields. */
    private static int add(
            PlanNode.AggregateCall call,
            PlanField field,
            List<PlanNode.AggregateCall> calls,
            List<PlanField> fields,
            int groups) {
        int there = calls.indexOf(call);
        if (there >= 0 && fields.get(groups + there).type().equals(field.type())) {
            return groups + there;
        }
        calls.add(call);
        fields.add(field);
        return fields.size() - 1;
    }

    private PlanNode.AggregateCall translate(AggregateCall call, PlanNode input) {
        PlanNode.AggregateCall.Function function = switch (call.getAggregation().getKind()) {
            case COUNT -> PlanNode.AggregateCall.Function.COUNT;
            case AVG -> PlanNode.AggregateCall.Function.AVG;
            case SUM -> PlanNode.AggregateCall.Function.SUM;
            case SUM0 -> PlanNode.AggregateCall.Function.SUM0;
            case MIN -> PlanNode.AggregateCall.Function.MIN;
            case MAX -> PlanNode.AggregateCall.Function.MAX;
            case SINGLE_VALUE -> PlanNode.AggregateCall.Function.SINGLE;
            case LISTAGG -> PlanNode.AggregateCall.Function.STRING_AGG;
            case VAR_POP -> PlanNode.AggregateCall.Function.VAR_POP;
            case VAR_SAMP -> PlanNode.AggregateCall.Function.VAR_SAMP;
            case STDDEV_POP -> PlanNode.AggregateCall.Function.STDDEV_POP;
            case STDDEV_SAMP -> PlanNode.AggregateCall.Function.STDDEV_SAMP;
            default ->
                throw new SqlPlanningException(
                        call.getAggregation().getName(),
                        "the aggregate " + call.getAggregation().getName()
                                + " is not supported: expected COUNT, SUM, MIN, MAX, AVG, STRING_AGG, STDDEV or VARIANCE");
        };
        return call(function, call, input);
    }

    private static PlanNode.AggregateCall call(
            PlanNode.AggregateCall.Function function, AggregateCall call, PlanNode input) {
        boolean countsRows = function == PlanNode.AggregateCall.Function.COUNT
                && (call.getArgList().isEmpty()
                        || !call.isDistinct()
                                && !input.fields()
                                        .get(call.getArgList().getFirst())
                                        .nullable());
        boolean orderOnly =
                function == PlanNode.AggregateCall.Function.MIN || function == PlanNode.AggregateCall.Function.MAX;
        return new PlanNode.AggregateCall(
                function,
                countsRows
                        ? OptionalInt.empty()
                        : OptionalInt.of(call.getArgList().getFirst()),
                call.isDistinct() && !orderOnly,
                call.filterArg < 0 ? OptionalInt.empty() : OptionalInt.of(call.filterArg),
                OptionalInt.empty(),
                OptionalInt.empty(),
                function == PlanNode.AggregateCall.Function.STRING_AGG
                        ? OptionalInt.of(call.getArgList().get(1))
                        : OptionalInt.empty());
    }

    private static boolean isOfStrings(AggregateCall call) {
        return call.getAggregation().getKind() == SqlKind.LISTAGG;
    }

    /** The input's rows in the order of STRING_AGG. Distinct values without an order come sorted. */
    private static PlanNode inOrderOfStrings(Aggregate aggregate, PlanNode input) {
        List<PlanNode.SortKey> common = null;
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (!isOfStrings(call)) {
                continue;
            }
            List<PlanNode.SortKey> keys = RelPlanner.keys(call.getCollation().getFieldCollations());
            if (keys.isEmpty() && call.isDistinct()) {
                keys = List.of(new PlanNode.SortKey(call.getArgList().getFirst(), false, true));
            }
            if (common != null && !common.equals(keys)) {
                throw new SqlPlanningException(
                        "STRING_AGG",
                        "STRING_AGG with different orders in one query is not supported: use derived tables");
            }
            common = keys;
        }
        return common == null || common.isEmpty()
                ? input
                : new PlanNode.Sort(input, common, Optional.empty(), Optional.empty());
    }

    private static boolean isAverageOfDoubles(AggregateCall call, PlanNode input) {
        return call.getAggregation().getKind() == SqlKind.AVG
                && input.fields().get(call.getArgList().getFirst()).type().kind() == SqlType.Kind.DOUBLE;
    }

    /** SUM over COUNT, and NULL without rows because SUM is. */
    private RexNode averageOfDoubles(
            AggregateCall call,
            PlanNode input,
            List<PlanNode.AggregateCall> calls,
            List<PlanField> fields,
            int groups) {
        RexBuilder rex = expressions.rexBuilder();
        SqlType type = SqlType.of(SqlType.Kind.DOUBLE);
        int sum = add(
                call(PlanNode.AggregateCall.Function.SUM, call, input),
                new PlanField("SUM", type, call.getType().isNullable()),
                calls,
                fields,
                groups);
        int count = add(
                call(PlanNode.AggregateCall.Function.COUNT, call, input),
                new PlanField("COUNT", SqlType.of(SqlType.Kind.BIGINT), false),
                calls,
                fields,
                groups);
        RexNode divisor = expressions.cast(expressions.field(fields, count), type);
        return rex.makeCall(
                call.getType(), SqlStdOperatorTable.DIVIDE, List.of(expressions.field(fields, sum), divisor));
    }

    private Optional<PlanNode> firstOfOrder(
            Aggregate aggregate, List<RexNode> pushed, Expressions.Environment environment) {
        if (!aggregate.getGroupSet().isEmpty() || aggregate.getAggCallList().size() != 1) {
            return Optional.empty();
        }
        AggregateCall call = aggregate.getAggCallList().getFirst();
        boolean min = call.getAggregation().getKind() == SqlKind.MIN;
        if (!min && call.getAggregation().getKind() != SqlKind.MAX
                || call.filterArg >= 0
                || call.getArgList().size() != 1) {
            return Optional.empty();
        }
        int column = call.getArgList().getFirst();
        RexBuilder rex = expressions.rexBuilder();
        List<RexNode> terms = new ArrayList<>(pushed);
        RelDataType type =
                aggregate.getInput().getRowType().getFieldList().get(column).getType();
        if (min && type.isNullable()) {
            // NULLs come first in an index, but MIN does not see them.
            terms.add(rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, rex.makeInputRef(type, column)));
        }
        List<PlanNode.SortKey> order = List.of(new PlanNode.SortKey(column, !min, min));
        RelPlanner.Wanted wanted = new RelPlanner.Wanted(order, true);
        if (!planner.comesInOrder(aggregate.getInput(), wanted, terms, environment)
                || planner.isForWriter() && !planner.mayPlanTwice()) {
            return Optional.empty();
        }
        RelPlanner.Planned input = planner.isForWriter()
                ? planner.planWithin(aggregate.getInput(), wanted, terms, environment)
                : planner.plan(aggregate.getInput(), wanted, terms, environment);
        if (!input.ordered() || planner.isForWriter() && StorageOrder.decidesWhatFails(input.node())) {
            return Optional.empty();
        }
        planner.orders().put(input.node(), order);
        RexNode one = rex.makeExactLiteral(BigDecimal.ONE);
        PlanNode limited = new PlanNode.Limit(input.node(), Optional.empty(), Optional.of(one));
        return Optional.of(new PlanNode.Aggregate(
                limited, List.of(), List.of(translate(call, limited)), RelPlanner.fields(aggregate.getRowType())));
    }
}
