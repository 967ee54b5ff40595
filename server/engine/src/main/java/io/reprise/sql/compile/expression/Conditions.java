package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Strings;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Three-valued logic as jumps: instead of computing TRUE, FALSE or NULL and testing it, the code falls through where the
 * wanted answer is certain and jumps elsewhere as soon as it is not.
 *
 * <p>A jump target must be bound outside the {@link Region} in which the jumping code is emitted, because what that code
 * computes on its way is not there yet for those who come by the jump.
 */
public final class Conditions {
    private final Code code;
    private final ValueEmitter values;
    private final Operands computed;
    private final InLists lists;

    public Conditions(Code code, ValueEmitter values, Operands computed, InLists lists) {
        this.code = code;
        this.values = values;
        this.computed = computed;
        this.lists = lists;
    }

    /** Jumps where the condition is FALSE or NULL. */
    public void jumpUnlessTrue(RexNode condition, Scope scope, Label target) {
        switch (condition.getKind()) {
            case AND -> lists.condensedAnd(operands(condition)).forEach(c -> jumpUnlessTrue(c, scope, target));
            case OR -> {
                Label isTrue = code.newLabel();
                List<RexNode> operands = lists.condensedOr(operands(condition));
                operands.subList(0, operands.size() - 1).forEach(c -> jumpIfTrue(c, scope, isTrue));
                code.conditionally(() -> jumpUnlessTrue(operands.getLast(), scope, target));
                code.bind(isTrue);
            }
            case NOT -> jumpUnlessFalse(operand(condition), scope, target);
            case IS_TRUE -> jumpUnlessTrue(operand(condition), scope, target);
            case IS_FALSE -> jumpUnlessFalse(operand(condition), scope, target);
            case IS_NOT_TRUE -> jumpIfTrue(operand(condition), scope, target);
            case IS_NOT_FALSE -> jumpIfFalse(operand(condition), scope, target);
            case IS_NULL, IS_UNKNOWN -> code.jumpUnlessNull(computed.emit(operand(condition), scope), target);
            case IS_NOT_NULL -> code.jumpIfNull(computed.emit(operand(condition), scope), target);
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                compare(condition, scope, condition.getKind(), target);
            default -> {
                Value value = computed.emit(condition, scope);
                code.jumpIfNull(value, target);
                code.push(value);
                code.raw().l2i().ifeq(target);
            }
        }
    }

    /** Jumps where the condition is TRUE or NULL. */
    public void jumpUnlessFalse(RexNode condition, Scope scope, Label target) {
        switch (condition.getKind()) {
            case OR -> lists.condensedOr(operands(condition)).forEach(c -> jumpUnlessFalse(c, scope, target));
            case AND -> {
                Label isFalse = code.newLabel();
                List<RexNode> operands = lists.condensedAnd(operands(condition));
                operands.subList(0, operands.size() - 1).forEach(c -> jumpIfFalse(c, scope, isFalse));
                code.conditionally(() -> jumpUnlessFalse(operands.getLast(), scope, target));
                code.bind(isFalse);
            }
            case NOT -> jumpUnlessTrue(operand(condition), scope, target);
            case IS_TRUE -> jumpIfTrue(operand(condition), scope, target);
            case IS_FALSE -> jumpIfFalse(operand(condition), scope, target);
            case IS_NOT_TRUE -> jumpUnlessTrue(operand(condition), scope, target);
            case IS_NOT_FALSE -> jumpUnlessFalse(operand(condition), scope, target);
            case IS_NULL, IS_UNKNOWN -> code.jumpIfNull(computed.emit(operand(condition), scope), target);
            case IS_NOT_NULL -> code.jumpUnlessNull(computed.emit(operand(condition), scope), target);
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                compare(condition, scope, condition.getKind().negateNullSafe(), target);
            default -> {
                Value value = computed.emit(condition, scope);
                code.jumpIfNull(value, target);
                code.push(value);
                code.raw().l2i().ifne(target);
            }
        }
    }

    private void jumpIfTrue(RexNode condition, Scope scope, Label target) {
        Label otherwise = code.newLabel();
        code.conditionally(() -> {
            jumpUnlessTrue(condition, scope, otherwise);
            code.jump(target);
        });
        code.bind(otherwise);
    }

    private void jumpIfFalse(RexNode condition, Scope scope, Label target) {
        Label otherwise = code.newLabel();
        code.conditionally(() -> {
            jumpUnlessFalse(condition, scope, otherwise);
            code.jump(target);
        });
        code.bind(otherwise);
    }

    private void compare(RexNode condition, Scope scope, SqlKind kind, Label target) {
        List<RexNode> operands = operands(condition);
        Value left = computed.emit(operands.get(0), scope);
        Value right = computed.emit(operands.get(1), scope);
        code.jumpIfNull(left, target);
        code.jumpIfNull(right, target);
        jumpUnless(kind, left, right, target);
    }

    /** Jumps unless the comparison holds between two values that are not NULL. */
    public void jumpUnless(SqlKind kind, Value left, Value right, Label target) {
        boolean equality = kind == SqlKind.EQUALS || kind == SqlKind.NOT_EQUALS;
        if (left.isString() != right.isString()) {
            throw Types.unsupported("comparison of " + left.type + " and " + right.type);
        }
        if (left.isString() && equality) {
            code.memory();
            code.push(left);
            code.push(right);
            code.call(Strings.class, "equal");
            code.raw().branch(kind == SqlKind.EQUALS ? Opcode.IFEQ : Opcode.IFNE, target);
            return;
        }
        pushComparison(left, right);
        code.raw()
                .branch(
                        switch (kind) {
                            case EQUALS -> Opcode.IFNE;
                            case NOT_EQUALS -> Opcode.IFEQ;
                            case LESS_THAN -> Opcode.IFGE;
                            case LESS_THAN_OR_EQUAL -> Opcode.IFGT;
                            case GREATER_THAN -> Opcode.IFLE;
                            case GREATER_THAN_OR_EQUAL -> Opcode.IFLT;
                            default -> throw Types.unsupported("comparison " + kind);
                        },
                        target);
    }

    /** Pushes an int that is negative, 0 or positive. */
    public void pushComparison(Value left, Value right) {
        if (left.isString()) {
            code.memory();
            code.push(left);
            code.push(right);
            code.call(Strings.class, "compare");
        } else if (left.isDouble() || right.isDouble()) {
            values.pushDouble(left);
            values.pushDouble(right);
            code.raw().dcmpg();
        } else if (left.type.scale() != right.type.scale()) {
            code.push(left);
            code.push(left.type.scale());
            code.push(right);
            code.push(right.type.scale());
            code.call(Decimals.class, "compare");
        } else if (instant(left.type) != instant(right.type)) {
            values.pushMicros(left);
            values.pushMicros(right);
            code.raw().lcmp();
        } else {
            code.push(left);
            code.push(right);
            code.raw().lcmp();
        }
    }

    private static boolean instant(SqlType type) {
        return type.kind() == SqlType.Kind.TIMESTAMP;
    }

    private static List<RexNode> operands(RexNode call) {
        return ((RexCall) call).getOperands();
    }

    private static RexNode operand(RexNode call) {
        return ((RexCall) call).getOperands().getFirst();
    }
}
