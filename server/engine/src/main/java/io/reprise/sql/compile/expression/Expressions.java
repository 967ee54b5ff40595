package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.Parameters;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.physical.ExpressionPrinter;
import io.reprise.sql.physical.FailingExpressions;
import java.lang.classfile.Label;
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
 * whose result is NULL when an operand is (nearly all) goes through {@code Values.strict}, so that its own code sees no NULLs.
 */
public final class Expressions implements Operands {
    /** So much of an expression is in an error. */
    private static final int SHOWN = 200;

    private final Code code;
    private final List<SqlType> parameters;
    private final ValueEmitter values;
    private final Conditions conditions;
    private final Casts casts;
    private final Arithmetic arithmetic;
    private final Functions functions;
    private final Choices choices;
    private final InLists lists;
    private final Map<Integer, Row> parameterRows = new HashMap<>();

    /** Whether what is being emitted is part of an expression that errors will name. */
    private boolean named;

    public Expressions(Code code, List<SqlType> parameters) {
        this.code = code;
        this.parameters = parameters;
        values = new ValueEmitter(code);
        casts = new Casts(code, values);
        arithmetic = new Arithmetic(code, values, casts);
        lists = new InLists(code, values, this, parameters);
        conditions = new Conditions(code, values, this, lists);
        choices = new Choices(code, casts, conditions, this);
        functions = new Functions(code, values, casts, conditions, this);
    }

    @Override
    public Conditions conditionsIn(Code callee) {
        return new Expressions(callee, parameters).conditions;
    }

    /** The types of the parameters. */
    public List<SqlType> parameters() {
        return parameters;
    }

    /** The functions of computed values. */
    public ValueEmitter values() {
        return values;
    }

    /** Whether the statement's parameters are in arrays. */
    public boolean hasManyParameters() {
        return Parameters.areMany(parameters);
    }

    public SqlType parameterType(int parameter) {
        return parameters.get(parameter);
    }

    public Conditions conditions() {
        return conditions;
    }

    public Casts casts() {
        return casts;
    }

    public Code code() {
        return code;
    }

    /** Emits the code that computes an expression; an error names it. */
    @Override
    public Value emit(RexNode expression, Scope scope) {
        return emit(expression, scope, "");
    }

    /** The same for a value of a column, which an error names too. */
    public Value emit(RexNode expression, Scope scope, String column) {
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
    public Value emit(RexNode expression, Scope scope, SqlType type) {
        return casts.represent(emit(expression, scope), type);
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
            case CAST -> cast(call, scope);
            case REINTERPRET ->
                casts.reinterpret(
                        emit(call.getOperands().getFirst(), scope),
                        call.getOperands().getFirst().getType(),
                        call.getType());
            case PLUS, MINUS, TIMES, DIVIDE, MOD, MINUS_PREFIX, PLUS_PREFIX ->
                arithmetic.emit(call, emitAll(call.getOperands(), scope));
            default -> InLists.isSearch(call) ? lists.emit(call, scope) : functions.emit(call, scope);
        };
    }

    private Value cast(RexCall call, Scope scope) {
        Value array = ArrayFunctions.constant(call, code);
        RexNode operand = call.getOperands().getFirst();
        return array != null ? array : casts.cast(emit(operand, scope), operand.getType(), call.getType());
    }

    private Value certain(RexCall call, Scope scope) {
        int result = code.newLong();
        values.pushBoolean(isFalse -> conditions.jumpUnlessTrue(call, scope, isFalse));
        code.storeLong(result);
        return Value.local(Types.BOOLEAN, result);
    }

    private Value comparison(RexCall call, Scope scope) {
        Value left = emit(call.getOperands().get(0), scope);
        Value right = emit(call.getOperands().get(1), scope);
        return values.strict(
                Types.BOOLEAN,
                List.of(left, right),
                () -> values.pushBoolean(isFalse -> conditions.jumpUnless(call.getKind(), left, right, isFalse)));
    }

    private Value not(Value operand) {
        return values.strict(Types.BOOLEAN, List.of(operand), () -> {
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
}
