package io.reprise.sql.physical;

import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The expressions and operators of a plan that can fail for the values that they meet. An unknown operator counts as
 * failing: forgetting one here costs time, and no replay.
 */
public final class FailingExpressions {
    private FailingExpressions() {}

    /** Whether computing the expression may end in an error. */
    public static boolean mayFail(RexNode expression) {
        if (!(expression instanceof RexCall call)) {
            return false;
        }
        return failsItself(call) || call.getOperands().stream().anyMatch(FailingExpressions::mayFail);
    }

    /** Whether a part of the expression may fail whose operands depend on the row. */
    static boolean mayFailByRow(RexNode expression) {
        return expression instanceof RexCall call
                && (failsItself(call) && dependsOnRow(call)
                        || call.getOperands().stream().anyMatch(FailingExpressions::mayFailByRow));
    }

    private static boolean dependsOnRow(RexNode expression) {
        return !Expressions.inputs(expression).isEmpty();
    }

    /** Whether an operator, or anything below it, may end in an error for the rows that it meets. */
    static boolean mayFail(PlanNode plan) {
        boolean[] found = new boolean[1];
        PlanShapes.visit(plan, node -> found[0] |= failsItself(node));
        return found[0];
    }

    /** Whether the operator itself may, whatever is below it. */
    static boolean failsItself(PlanNode node) {
        return PlanShapes.expressions(node).stream().anyMatch(FailingExpressions::mayFail)
                || node instanceof PlanNode.Series
                || node instanceof PlanNode.Elements
                || node instanceof PlanNode.Aggregate aggregate
                        && aggregate.calls().stream().anyMatch(FailingExpressions::failsItself)
                || node instanceof PlanNode.Window window
                        && window.calls().stream().anyMatch(FailingExpressions::failsItself);
    }

    /** A sum or an average may be out of range, and what is to be the only row may have a second one. */
    private static boolean failsItself(AggregateCall call) {
        return switch (call.function()) {
            case COUNT, MIN, MAX -> false;
            case SUM, SUM0, SUM_LOW, SUM_HIGH, AVG, SINGLE, STRING_AGG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
                true;
        };
    }

    /** Sums may be out of range, and the number of an argument or of a frame's bound may be none. */
    private static boolean failsItself(PlanNode.WindowCall call) {
        boolean counts = call.frame().lower().offset().isPresent()
                || call.frame().upper().offset().isPresent();
        return counts
                || switch (call.function()) {
                    case SUM, SUM0, AVG, NTILE, NTH_VALUE -> true;
                    default -> false;
                };
    }

    private static boolean failsItself(RexCall call) {
        return switch (call.getKind()) {
            case AND, OR, NOT -> false;
            case IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE, IS_NULL, IS_UNKNOWN, IS_NOT_NULL -> false;
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparesInstants(call);
            case IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> comparesInstants(call);
            case CASE -> !branches(call).stream().allMatch(branch -> isHarmless(branch.getType(), call.getType()));
            case COALESCE, NULLIF ->
                !call.getOperands().stream().allMatch(operand -> isHarmless(operand.getType(), call.getType()));
            case LIKE -> hasComputedEscape(call);
            case CAST -> !isHarmless(call.getOperands().getFirst().getType(), call.getType());
            default -> true;
        };
    }

    /** A DATE is compared with a TIMESTAMP as its midnight, which may be too far away for one. */
    private static boolean comparesInstants(RexCall comparison) {
        return comparison.getOperands().stream()
                        .map(operand -> operand.getType().getSqlTypeName())
                        .filter(type -> type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP)
                        .distinct()
                        .count()
                == 2;
    }

    private static List<RexNode> branches(RexCall choice) {
        List<RexNode> operands = choice.getOperands();
        return java.util.stream.IntStream.range(0, operands.size())
                .filter(i -> i % 2 == 1 || i == operands.size() - 1)
                .mapToObj(operands::get)
                .toList();
    }

    /** Patterns that end with their escape character, and escapes of several, are met when they are computed. */
    private static boolean hasComputedEscape(RexCall like) {
        List<RexNode> operands = like.getOperands();
        return operands.size() > 2 && !(operands.get(1) instanceof RexLiteral && operands.get(2) instanceof RexLiteral);
    }

    /** Whether every value of the first type can be had as one of the second. */
    private static boolean isHarmless(RelDataType from, RelDataType to) {
        SqlTypeName source = from.getSqlTypeName();
        if (source == SqlTypeName.NULL || SqlTypeUtil.inCharFamily(from) && SqlTypeUtil.inCharFamily(to)) {
            return true;
        } else if (SqlTypeUtil.isIntType(from) && SqlTypeUtil.isIntType(to)) {
            return width(from) <= width(to);
        } else if (to.getSqlTypeName() == SqlTypeName.DOUBLE) {
            return SqlTypeUtil.isNumeric(from);
        }
        if (source == SqlTypeName.ARRAY || to.getSqlTypeName() == SqlTypeName.ARRAY) {
            return source == to.getSqlTypeName() && isHarmless(from.getComponentType(), to.getComponentType());
        }
        return source == to.getSqlTypeName()
                && (source != SqlTypeName.DECIMAL
                        || from.getScale() == to.getScale() && from.getPrecision() <= to.getPrecision());
    }

    private static int width(RelDataType type) {
        return RepriseTypeFactory.toSqlType(type, "CAST").kind().width();
    }
}
