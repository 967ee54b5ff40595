package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.compile.runtime.WideDecimals;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * + - * / % over numbers, dates and intervals. The operands' common kind (integers, DECIMAL, DOUBLE) or the result's, if
 * that is wider, decides how it is computed; the result is exact or an error.
 */
public final class Arithmetic {
    private final Code code;
    private final ValueEmitter values;
    private final Casts casts;

    public Arithmetic(Code code, ValueEmitter values, Casts casts) {
        this.code = code;
        this.values = values;
        this.casts = casts;
    }

    /** Emits a call over its operands, which are computed. */
    public Value emit(RexCall call, List<Value> computed) {
        List<RexNode> operands = call.getOperands();
        Value left = computed.getFirst();
        if (call.getKind() == SqlKind.PLUS_PREFIX) {
            return left;
        }
        SqlType type = Types.of(call.getType());
        if (call.getKind() == SqlKind.MINUS_PREFIX) {
            return negate(left, type);
        }
        if (SqlTypeUtil.isInterval(call.getType())
                && SqlTypeUtil.isDatetime(operands.getFirst().getType())) {
            return difference(left, computed.get(1), call);
        }
        Value right = computed.get(1);
        if (SqlTypeUtil.isDatetime(call.getType())) {
            return SqlTypeUtil.isInterval(operands.getFirst().getType())
                    ? shift(right, left, operands.getFirst().getType(), call)
                    : shift(left, right, operands.get(1).getType(), call);
        }
        return number(call.getKind(), left, right, type);
    }

    private Value negate(Value operand, SqlType type) {
        return values.strict(type, List.of(operand), () -> {
            if (operand.type.isWide()) {
                values.pushNumber(operand);
                code.call(WideDecimals.class, "negate");
                values.ofNumber(type);
                return;
            }
            code.push(operand);
            if (operand.isDouble()) {
                code.call(Numbers.class, "negate", double.class);
            } else {
                code.call(Numbers.class, "negate", long.class);
                fit(type);
            }
        });
    }

    /** Binary arithmetic; public to the function MOD as well. */
    public Value number(SqlKind kind, Value left, Value right, SqlType type) {
        requireNumber(left);
        requireNumber(right);
        boolean inDouble = left.isDouble() || right.isDouble() || type.kind() == Kind.DOUBLE;
        boolean inDecimal =
                left.type.kind() == Kind.DECIMAL || right.type.kind() == Kind.DECIMAL || type.kind() == Kind.DECIMAL;
        if (inDouble) {
            Value result = values.strict(Types.DOUBLE, List.of(left, right), () -> {
                values.pushDouble(left);
                values.pushDouble(right);
                code.call(Numbers.class, function(kind), double.class, double.class);
            });
            return type.kind() == Kind.DOUBLE ? result : casts.cast(result, type);
        }
        boolean wide = left.type.isWide() || right.type.isWide() || type.isWide();
        return values.strict(type, List.of(left, right), () -> {
            if (wide) {
                pushWide(kind, left, right, type);
                return;
            }
            if (inDecimal) {
                pushDecimal(kind, left, right, type.scale());
            } else {
                code.push(left);
                code.push(right);
                code.call(Numbers.class, function(kind), long.class, long.class);
            }
            fit(type);
        });
    }

    private void pushWide(SqlKind kind, Value left, Value right, SqlType type) {
        values.pushNumber(left);
        values.pushNumber(right);
        if (kind == SqlKind.DIVIDE) {
            code.push(type.decimals());
        }
        code.call(WideDecimals.class, kind == SqlKind.DIVIDE ? "divide" : function(kind));
        values.ofNumber(type);
    }

    private void pushDecimal(SqlKind kind, Value left, Value right, int scale) {
        int common = Math.max(left.type.scale(), right.type.scale());
        switch (kind) {
            case TIMES -> {
                int natural = left.type.scale() + right.type.scale();
                code.push(left);
                code.push(right);
                if (natural == scale) {
                    code.call(Decimals.class, "multiply", long.class, long.class);
                } else {
                    code.push(natural);
                    code.push(scale);
                    code.call(Decimals.class, "multiply", long.class, long.class, int.class, int.class);
                }
            }
            case DIVIDE -> {
                code.push(left);
                code.push(right);
                code.push(scale - left.type.scale() + right.type.scale());
                code.call(Decimals.class, "divide");
            }
            default -> {
                values.pushDecimal(left, common);
                values.pushDecimal(right, common);
                Class<?> exact = kind == SqlKind.MOD ? Numbers.class : Decimals.class;
                code.call(exact, function(kind), long.class, long.class);
                values.pushRescaled(common, scale);
            }
        }
    }

    /** Checks that the result on the stack is within its type. A DECIMAL can leave it only where the type is the widest. */
    private void fit(SqlType type) {
        if (type.kind() == Kind.DECIMAL && type.precision() == SqlType.MAX_WORD_PRECISION) {
            code.push(type.precision());
            code.push(type.scale());
            code.call(Decimals.class, "fit");
        } else {
            casts.pushFit(type);
        }
    }

    private static String function(SqlKind kind) {
        return switch (kind) {
            case PLUS -> "add";
            case MINUS -> "subtract";
            case TIMES -> "multiply";
            case DIVIDE -> "divide";
            case MOD -> "remainder";
            default -> throw Types.unsupported("operator " + kind);
        };
    }

    private static void requireNumber(Value value) {
        if (!Types.isNumeric(value.type) && !value.isNull) {
            throw Types.unsupported("arithmetic with " + value.type);
        }
    }

    /** A date or timestamp plus or minus an interval. */
    private Value shift(Value instant, Value interval, RelDataType intervalType, RexCall call) {
        SqlType type = Types.of(call.getType());
        boolean minus = call.getKind() != SqlKind.PLUS;
        return values.strict(type, List.of(instant, interval), () -> {
            if (instant.type.kind() == Kind.DATE && type.kind() == Kind.TIMESTAMP) {
                values.pushMicros(instant);
            } else {
                code.push(instant);
            }
            code.push(interval);
            if (minus) {
                code.call(Numbers.class, "negate", long.class);
            }
            if (type.kind() == Kind.TIME) {
                requireDayTime(intervalType);
                code.call(Timestamps.class, "addToTime");
                return;
            }
            boolean date = type.kind() == Kind.DATE;
            if (Casts.isDayTime(intervalType)) {
                code.call(Timestamps.class, date ? "addDaysToDate" : "addMicros");
            } else {
                code.call(Timestamps.class, date ? "addMonthsToDate" : "addMonths");
            }
        });
    }

    private static void requireDayTime(RelDataType interval) {
        if (!Casts.isDayTime(interval)) {
            throw Types.unsupported("a TIME plus or minus months");
        }
    }

    /** The interval between two dates or timestamps. */
    private Value difference(Value left, Value right, RexCall call) {
        return values.strict(Types.BIGINT, List.of(left, right), () -> {
            values.pushMicros(left);
            values.pushMicros(right);
            if (Casts.isDayTime(call.getType())) {
                code.call(Numbers.class, "subtract", long.class, long.class);
            } else {
                code.call(Timestamps.class, "monthsBetween");
            }
        });
    }
}
