package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.physical.ExpressionPrinter;
import io.reprise.sql.physical.FailingExpressions;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Emits the code that computes scalar expressions. {@link #emit} leaves the result in locals and says where; an operator
 * whose result is NULL when an operand is (nearly all) goes through {@link #strict}, so that its own code sees no NULLs.
 */
final class Expressions {
    /** So much of an expression is in an error. */
    private static final int SHOWN = 200;

    private final Code code;
    private final List<SqlType> parameters;
    private final Conditions conditions;
    private final Casts casts;
    private final Arithmetic arithmetic;
    private final Functions functions;
    private final Choices choices;
    private final InLists lists;
    private final Map<Integer, Row> parameterRows = new HashMap<>();

    /** Whether what is being emitted is part of an expression that errors will name. */
    private boolean named;

    Expressions(Code code, List<SqlType> parameters) {
        this.code = code;
        this.parameters = parameters;
        conditions = new Conditions(code, this);
        casts = new Casts(code, this);
        arithmetic = new Arithmetic(code, this);
        functions = new Functions(code, this);
        choices = new Choices(code, this);
        lists = new InLists(code, this);
    }

    InLists lists() {
        return lists;
    }

    /** Whether the statement's parameters are in arrays. */
    boolean hasManyParameters() {
        return Parameters.areMany(parameters);
    }

    SqlType parameterType(int parameter) {
        return parameters.get(parameter);
    }

    Conditions conditions() {
        return conditions;
    }

    Casts casts() {
        return casts;
    }

    Code code() {
        return code;
    }

    /** Emits the code that computes an expression; an error names it. */
    Value emit(RexNode expression, Scope scope) {
        return emit(expression, scope, "");
    }

    /** The same for a value of a column, which an error names too. */
    Value emit(RexNode expression, Scope scope, String column) {
        if (named || !FailingExpressions.mayFail(expression)) {
            return compute(expression, scope);
        }
        String text = text(expression, scope);
        Value[] result = new Value[1];
        named = true;
        code.naming(column.isEmpty() ? text : column + " = " + text, () -> result[0] = compute(expression, scope));
        named = false;
        return result[0];
    }

    /** The expression as it might stand in the statement. */
    private static String text(RexNode expression, Scope scope) {
        String text = ExpressionPrinter.print(
                expression,
                scope.input()::name,
                (correlation, field) -> scope.correlations().get(correlation).name(field));
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private Value compute(RexNode expression, Scope scope) {
        return switch (expression) {
            case RexInputRef reference -> scope.input().field(reference.getIndex());
            case RexLiteral literal -> Literals.emit(literal, code);
            case RexDynamicParam parameter -> parameter(parameter.getIndex());
            case RexFieldAccess access -> correlated(access, scope);
            case RexCall call -> call(call, scope);
            default -> throw Types.unsupported("expression " + expression);
        };
    }

    /** Emits an expression and brings it to the type. */
    Value emit(RexNode expression, Scope scope, SqlType type) {
        return casts.represent(emit(expression, scope), type);
    }

    List<Value> emitAll(List<RexNode> list, Scope scope) {
        List<Value> values = new ArrayList<>();
        for (RexNode expression : list) {
            values.add(emit(expression, scope));
        }
        return values;
    }

    private Value parameter(int index) {
        return parameterRows
                .computeIfAbsent(
                        index,
                        k -> Row.derived(
                                Row.empty(code),
                                1,
                                i -> Parameters.load(code, k, parameters.get(k), hasManyParameters())))
                .field(0);
    }

    private static Value correlated(RexFieldAccess access, Scope scope) {
        if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
            Row outer = scope.correlations().get(variable.getName());
            if (outer != null) {
                return outer.field(access.getField().getIndex());
            }
        }
        throw Types.unsupported("reference " + access);
    }

    private Value call(RexCall call, Scope scope) {
        return switch (call.getKind()) {
            case AND -> junction(call, scope, 0);
            case OR -> junction(call, scope, 1);
            case NOT -> not(emit(call.getOperands().getFirst(), scope));
            case IS_TRUE, IS_FALSE, IS_NOT_TRUE, IS_NOT_FALSE, IS_NULL, IS_UNKNOWN, IS_NOT_NULL -> certain(call, scope);
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(call, scope);
            case IS_DISTINCT_FROM -> distinct(call, scope, true);
            case IS_NOT_DISTINCT_FROM -> distinct(call, scope, false);
            case CASE -> choices.caseOf(call, scope);
            case COALESCE -> choices.coalesce(call, scope);
            case NULLIF -> choices.nullIf(call, scope);
            case CAST ->
                casts.cast(
                        emit(call.getOperands().getFirst(), scope),
                        call.getOperands().getFirst().getType(),
                        call.getType());
            case REINTERPRET ->
                casts.reinterpret(
                        emit(call.getOperands().getFirst(), scope),
                        call.getOperands().getFirst().getType(),
                        call.getType());
            case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX -> arithmetic.emit(call, scope);
            default -> InLists.isSearch(call) ? lists.emit(call, scope) : functions.emit(call, scope);
        };
    }

    /**
     * Emits an operator whose result is NULL if any argument is. The body, which pushes the result, runs only when none
     * is; it may not rely on being run.
     */
    Value strict(SqlType type, List<Value> arguments, Runnable pushResult) {
        if (arguments.stream().anyMatch(a -> a.isNull)) {
            return Value.nullOf(type);
        }
        int result = code.newLocal(type);
        if (arguments.stream().noneMatch(Value::hasNullFlag)) {
            pushResult.run();
            code.store(type, result);
            return Value.local(type, result);
        }
        int isNull = code.newInt();
        Label end = code.newLabel();
        code.clear(type, result);
        code.setInt(isNull, 1);
        arguments.forEach(a -> code.jumpIfNull(a, end));
        code.conditionally(() -> {
            pushResult.run();
            code.store(type, result);
            code.setInt(isNull, 0);
        });
        code.bind(end);
        return Value.nullable(type, result, isNull);
    }

    /** Pushes 1 or 0 as a long: 1 if the code falls through, 0 if it jumps to the label that it is given. */
    void pushBoolean(java.util.function.Consumer<Label> jumpIfFalse) {
        Label isFalse = code.newLabel();
        Label end = code.newLabel();
        code.conditionally(() -> jumpIfFalse.accept(isFalse));
        code.push(1L);
        code.jump(end);
        code.bind(isFalse);
        code.push(0L);
        code.bind(end);
    }

    private Value certain(RexCall call, Scope scope) {
        int result = code.newLong();
        pushBoolean(isFalse -> conditions.jumpUnlessTrue(call, scope, isFalse));
        code.storeLong(result);
        return Value.local(Types.BOOLEAN, result);
    }

    private Value comparison(RexCall call, Scope scope) {
        Value left = emit(call.getOperands().get(0), scope);
        Value right = emit(call.getOperands().get(1), scope);
        return strict(
                Types.BOOLEAN,
                List.of(left, right),
                () -> pushBoolean(isFalse -> conditions.jumpUnless(call.getKind(), left, right, isFalse)));
    }

    private Value not(Value operand) {
        return strict(Types.BOOLEAN, List.of(operand), () -> {
            code.push(1L);
            code.push(operand);
            code.raw().lsub();
        });
    }

    /** AND (decided by 0) and OR (decided by 1) as a value: NULL only if no operand decides and one is NULL. */
    private Value junction(RexCall call, Scope scope, int decisive) {
        int result = code.newLong();
        int isNull = code.newInt();
        Label decided = code.newLabel();
        Label end = code.newLabel();
        code.setInt(isNull, 0);
        code.setLong(result, decisive);
        code.conditionally(() -> {
            List<RexNode> operands =
                    decisive == 1 ? lists.condensedOr(call.getOperands()) : lists.condensedAnd(call.getOperands());
            for (RexNode operand : operands) {
                junctionOperand(emit(operand, scope), decisive, isNull, decided);
            }
            code.setLong(result, 1L - decisive);
            code.jump(end);
        });
        code.bind(decided);
        code.setInt(isNull, 0);
        code.bind(end);
        Value value = Value.nullable(Types.BOOLEAN, result, isNull);
        return call.getType().isNullable() ? value : value.notNull();
    }

    private void junctionOperand(Value value, int decisive, int isNull, Label decided) {
        Label next = code.newLabel();
        if (value.isNull || value.hasNullFlag()) {
            Label known = code.newLabel();
            code.jumpUnlessNull(value, known);
            code.setInt(isNull, 1);
            code.jump(next);
            code.bind(known);
        }
        code.push(value);
        code.raw().l2i();
        if (decisive == 0) {
            code.raw().ifeq(decided);
        } else {
            code.raw().ifne(decided);
        }
        code.bind(next);
    }

    private Value distinct(RexCall call, Scope scope, boolean distinct) {
        Value left = emit(call.getOperands().get(0), scope);
        Value right = emit(call.getOperands().get(1), scope);
        int result = code.newLong();
        Label end = code.newLabel();
        Label compare = code.newLabel();
        Label differ = code.newLabel();
        code.pushNullFlag(left);
        code.pushNullFlag(right);
        code.raw().iadd().dup();
        int nulls = code.newInt();
        code.storeInt(nulls);
        code.raw().ifeq(compare);
        code.setLong(result, distinct ? 1 : 0);
        code.loadInt(nulls);
        code.push(1);
        code.raw().if_icmpeq(end);
        code.setLong(result, distinct ? 0 : 1);
        code.jump(end);
        code.bind(compare);
        if (left.isNull || right.isNull) {
            code.setLong(result, 0);
        } else {
            conditions.jumpUnless(SqlKind.EQUALS, left, right, differ);
            code.setLong(result, distinct ? 0 : 1);
            code.jump(end);
            code.bind(differ);
            code.setLong(result, distinct ? 1 : 0);
        }
        code.bind(end);
        return Value.local(Types.BOOLEAN, result);
    }

    // Pushing a value that is not NULL in another representation

    /** Pushes a number as a double. */
    void pushDouble(Value value) {
        code.push(value);
        switch (value.type.kind()) {
            case DOUBLE -> {}
            case DECIMAL -> {
                code.push(value.type.scale());
                code.call(Decimals.class, "toDouble");
            }
            default -> code.raw().l2d();
        }
    }

    /** Pushes a number as an unscaled decimal of the scale. */
    void pushDecimal(Value value, int scale) {
        if (value.isDouble()) {
            code.push(value);
            code.push(SqlType.MAX_DECIMAL_PRECISION);
            code.push(scale);
            code.call(Decimals.class, "ofDouble");
            return;
        }
        code.push(value);
        pushRescaled(value.type.scale(), scale);
    }

    /** Changes the scale of the unscaled decimal on the stack. */
    void pushRescaled(int from, int to) {
        if (Math.abs(from - to) > 18) {
            code.push(from);
            code.push(to);
            code.call(Decimals.class, "rescale", long.class, int.class, int.class);
        } else if (from < to) {
            code.push(Decimals.power(to - from));
            code.call(Decimals.class, "scaleUp");
        } else if (from > to) {
            code.push(Decimals.power(from - to));
            code.call(Decimals.class, "scaleDown");
        }
    }

    /** Pushes a DATE or TIMESTAMP as microseconds. */
    void pushMicros(Value value) {
        code.push(value);
        if (value.type.kind() == SqlType.Kind.DATE) {
            code.call(Timestamps.class, "ofDate");
        }
    }

    /** Pushes a string whose bytes can't change any more, as long as the transaction lasts. */
    void pushStable(Value value) {
        if (value.place != null) {
            code.store();
            code.memory();
            code.loadLong(value.place.row());
            code.push((long) value.place.offset());
            code.raw().ladd();
            code.push(value.place.width());
            code.call(Strings.class, "copyInline");
        } else if (value.inRow) {
            code.store();
            code.push(value);
            code.call(Strings.class, "copy");
        } else {
            code.push(value);
        }
    }
}
