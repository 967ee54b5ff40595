package io.reprise.sql.compile;

import io.reprise.sql.plan.ExpressionPrinter;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which expressions can fail for the values that they meet, and what they are called then. */
final class FailingExpressions {
    private static final int SHOWN = 200;

    private FailingExpressions() {}

    /** Whether computing the expression may end in an error. */
    static boolean mayFail(RexNode expression) {
        if (!(expression instanceof RexCall call)) {
            return false;
        }
        return failsItself(call) || call.getOperands().stream().anyMatch(FailingExpressions::mayFail);
    }

    private static boolean failsItself(RexCall call) {
        return switch (call.getKind()) {
            case AND, OR, NOT, CASE, COALESCE, NULLIF, LIKE -> false;
            case IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE, IS_NULL, IS_UNKNOWN, IS_NOT_NULL -> false;
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> false;
            case IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> false;
            case CAST -> !isHarmless(call);
            default -> true;
        };
    }

    private static boolean isHarmless(RexCall cast) {
        RexNode from = cast.getOperands().getFirst();
        boolean texts = SqlTypeUtil.inCharFamily(from.getType()) && SqlTypeUtil.inCharFamily(cast.getType());
        boolean wider = SqlTypeUtil.isIntType(from.getType())
                && SqlTypeUtil.isIntType(cast.getType())
                && Types.of(from.getType()).kind().width()
                        <= Types.of(cast.getType()).kind().width();
        return texts || wider;
    }

    /** The expression as it might stand in the statement. */
    static String text(RexNode expression, Scope scope) {
        String text = ExpressionPrinter.print(
                expression,
                scope.input()::name,
                (correlation, field) -> scope.correlations().get(correlation).name(field));
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
