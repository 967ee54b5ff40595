package io.reprise.sql.physical;

import io.reprise.sql.bind.RepriseTypeSystem;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Evaluates calls on literals where the result cannot depend on anything else: exact arithmetic that stays within the
 * result's type, and CAST of a literal that loses nothing. Whatever would fail (overflow, division by zero) is left, so
 * that it fails when the statement runs, if it is reached then.
 */
public final class ConstantFolder {
    private ConstantFolder() {}

    static RexNode fold(RexBuilder rexBuilder, RexNode expression) {
        if (!(expression instanceof RexCall call)) {
            return expression;
        }
        List<RexNode> operands = call.getOperands();
        for (RexNode operand : operands) {
            if (!(operand instanceof RexLiteral literal) || literal.isNull()) {
                return call;
            }
        }
        if (operands.isEmpty() || !SqlTypeUtil.isExactNumeric(call.getType())) {
            return call;
        }
        if (call.getKind() == SqlKind.CAST) {
            return number(operands.getFirst()) == null ? call : literal(rexBuilder, call, number(operands.getFirst()));
        }
        BigDecimal first = number(operands.getFirst());
        BigDecimal second = operands.size() == 2 ? number(operands.get(1)) : null;
        if (first == null || (operands.size() == 2 && second == null) || operands.size() > 2) {
            return call;
        }
        if (call.getOperator() == SqlStdOperatorTable.UNARY_MINUS) {
            return literal(rexBuilder, call, first.negate());
        } else if (call.getOperator() == SqlStdOperatorTable.PLUS) {
            return literal(rexBuilder, call, first.add(second));
        } else if (call.getOperator() == SqlStdOperatorTable.MINUS) {
            return literal(rexBuilder, call, first.subtract(second));
        } else if (call.getOperator() == SqlStdOperatorTable.MULTIPLY) {
            return literal(rexBuilder, call, first.multiply(second));
        }
        return call;
    }

    /** A sum of two counts. */
    public static RexNode foldSum(RexBuilder rexBuilder, RelDataType type, RexNode one, RexNode other) {
        return fold(rexBuilder, rexBuilder.makeCall(type, SqlStdOperatorTable.PLUS, List.of(one, other)));
    }

    private static BigDecimal number(RexNode operand) {
        RexLiteral literal = (RexLiteral) operand;
        return SqlTypeUtil.isExactNumeric(literal.getType()) ? literal.getValueAs(BigDecimal.class) : null;
    }

    private static RexNode literal(RexBuilder rexBuilder, RexCall call, BigDecimal value) {
        if (!fits(
                value,
                call.getType().getSqlTypeName(),
                call.getType().getPrecision(),
                call.getType().getScale())) {
            return call;
        }
        return exact(rexBuilder, value, rexBuilder.getTypeFactory().createTypeWithNullability(call.getType(), false));
    }

    /** A number that fits its type as a literal. Of 0 Calcite counts the digit before the point, unless it has those behind it. */
    static RexNode exact(RexBuilder rexBuilder, BigDecimal value, RelDataType type) {
        BigDecimal zero = BigDecimal.valueOf(0, RepriseTypeSystem.scale(type));
        return rexBuilder.makeExactLiteral(value.signum() == 0 ? zero : value, type);
    }

    /** Whether a type can hold the number without losing anything. */
    static boolean fits(BigDecimal value, SqlTypeName type, int precision, int scale) {
        if (value.signum() == 0) {
            return true;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        if (type == SqlTypeName.DECIMAL) {
            return stripped.scale() <= scale && stripped.precision() - stripped.scale() <= precision - scale;
        }
        if (stripped.scale() > 0) {
            return false;
        }
        int bits = switch (type) {
            case TINYINT -> 8;
            case SMALLINT -> 16;
            case INTEGER -> 32;
            case BIGINT -> 64;
            default -> 0;
        };
        return stripped.toBigInteger().bitLength() < bits;
    }
}
