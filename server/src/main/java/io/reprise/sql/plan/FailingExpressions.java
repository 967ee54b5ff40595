package io.reprise.sql.plan;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Which expressions can fail for the values that they meet. */
public final class FailingExpressions {
    private FailingExpressions() {}

    /** Whether computing the expression may end in an error. */
    public static boolean mayFail(RexNode expression) {
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
                && width(from.getType()) <= width(cast.getType());
        return texts || wider;
    }

    private static int width(RelDataType type) {
        return RepriseTypeFactory.toSqlType(type, "CAST").kind().width();
    }
}
