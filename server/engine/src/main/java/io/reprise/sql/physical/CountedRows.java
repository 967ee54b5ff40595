package io.reprise.sql.physical;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * INTERSECT ALL and EXCEPT ALL. The rows of both sides are grouped and counted for each side, and each group is repeated as often as
 * the counts tell: the smaller one, or their difference.
 */
final class CountedRows {
    private static final SqlType BIGINT = SqlType.of(SqlType.Kind.BIGINT);
    private static final SqlType BOOLEAN = SqlType.of(SqlType.Kind.BOOLEAN);

    private final RelPlanner planner;
    private final Expressions expressions;
    private final RexBuilder rex;

    CountedRows(RelPlanner planner) {
        this.planner = planner;
        this.expressions = planner.expressions();
        this.rex = expressions.rexBuilder();
    }

    /** The rows of the operation, whose inputs are taken from left to right. */
    PlanNode plan(SetOp operation, Expressions.Environment environment) {
        PlanNode result = side(operation, operation.getInput(0), environment);
        for (RelNode input :
                operation.getInputs().subList(1, operation.getInputs().size())) {
            result = both(result, side(operation, input, environment), operation instanceof Minus);
        }
        return result;
    }

    private PlanNode side(SetOp operation, RelNode input, Expressions.Environment environment) {
        return planner.converted(planner.plan(input, environment), operation.getRowType());
    }

    private PlanNode both(PlanNode left, PlanNode right, boolean difference) {
        int width = left.fields().size();
        List<PlanField> marked = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            PlanField field = left.fields().get(i);
            boolean nullable = field.nullable() || right.fields().get(i).nullable();
            marked.add(new PlanField(field.name(), field.type(), nullable));
        }
        List<PlanField> fields = List.copyOf(marked);
        marked.add(new PlanField("LEFT", BOOLEAN, false));
        marked.add(new PlanField("RIGHT", BOOLEAN, false));
        PlanNode all = new PlanNode.UnionAll(
                List.of(marked(left, marked, true), marked(right, marked, false)), List.copyOf(marked));
        PlanNode counted = counted(all, fields);
        Expressions.OuterRow group = expressions.outerRow(counted.fields());
        PlanNode repeated = new PlanNode.Series(
                rex.makeExactLiteral(BigDecimal.ONE, expressions.types().of(BIGINT, false)),
                times(group.fields().apply(width), group.fields().apply(width + 1), difference),
                rex.makeExactLiteral(BigDecimal.ONE, expressions.types().of(BIGINT, false)),
                List.of(new PlanField("TIME", BIGINT, false)));
        List<PlanField> joined = new ArrayList<>(counted.fields());
        joined.addAll(repeated.fields());
        PlanNode rows = new PlanNode.NestedLoopJoin(
                counted, repeated, PlanNode.JoinKind.INNER, Optional.empty(), group.correlation(), List.copyOf(joined));
        List<RexNode> own = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            own.add(expressions.field(joined, i));
        }
        return new PlanNode.Project(rows, own, fields);
    }

    private PlanNode marked(PlanNode side, List<PlanField> fields, boolean left) {
        List<RexNode> values = new ArrayList<>();
        for (int i = 0; i < side.fields().size(); i++) {
            values.add(expressions.field(side.fields(), i));
        }
        values.add(rex.makeLiteral(left));
        values.add(rex.makeLiteral(!left));
        return new PlanNode.Project(side, values, List.copyOf(fields));
    }

    private static PlanNode counted(PlanNode all, List<PlanField> fields) {
        List<Integer> groupBy = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            groupBy.add(i);
        }
        List<PlanField> counted = new ArrayList<>(fields);
        counted.add(new PlanField("LEFT", BIGINT, false));
        counted.add(new PlanField("RIGHT", BIGINT, false));
        return new PlanNode.Aggregate(
                all, groupBy, List.of(count(fields.size()), count(fields.size() + 1)), List.copyOf(counted));
    }

    private static AggregateCall count(int mark) {
        return new AggregateCall(AggregateCall.Function.COUNT, OptionalInt.empty(), false, OptionalInt.of(mark));
    }

    private RexNode times(RexNode left, RexNode right, boolean difference) {
        if (difference) {
            return rex.makeCall(left.getType(), SqlStdOperatorTable.MINUS, List.of(left, right));
        }
        RexNode less = rex.makeCall(SqlStdOperatorTable.LESS_THAN, left, right);
        return rex.makeCall(left.getType(), SqlStdOperatorTable.CASE, List.of(less, left, right));
    }
}
