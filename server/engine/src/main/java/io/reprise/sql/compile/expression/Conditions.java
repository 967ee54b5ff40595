package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.compile.runtime.WideDecimals;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
    /** Nodes of the expressions that one method computes, where a statement is compiled in pieces. */
    private static final int NODES_OF_A_PIECE = 100;

    private static final MethodTypeDesc TEST = MethodTypeDesc.of(ConstantDescs.CD_boolean);

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
            case AND -> jumpUnlessAll(true, lists.condensedAnd(operands(condition)), scope, target);
            case OR -> jumpUnlessAny(true, lists.condensedOr(operands(condition)), scope, target);
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
            case OR -> jumpUnlessAll(false, lists.condensedOr(operands(condition)), scope, target);
            case AND -> jumpUnlessAny(false, lists.condensedAnd(operands(condition)), scope, target);
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

    private void jumpUnless(boolean wanted, RexNode condition, Scope scope, Label target) {
        if (wanted) {
            jumpUnlessTrue(condition, scope, target);
        } else {
            jumpUnlessFalse(condition, scope, target);
        }
    }

    /** Jumps unless all conditions have the wanted answer. */
    private void jumpUnlessAll(boolean wanted, List<RexNode> conditions, Scope scope, Label target) {
        if (!isTooLong(conditions)) {
            conditions.forEach(condition -> jumpUnless(wanted, condition, scope, target));
            return;
        }
        for (List<RexNode> piece : pieces(conditions)) {
            callPiece(piece, scope, (in, s, no) -> in.jumpUnlessAll(wanted, piece, s, no));
            code.raw().ifeq(target);
        }
    }

    /** Jumps unless any condition has the wanted answer. */
    private void jumpUnlessAny(boolean wanted, List<RexNode> conditions, Scope scope, Label target) {
        Label found = code.newLabel();
        if (!isTooLong(conditions)) {
            conditions.subList(0, conditions.size() - 1).forEach(condition -> {
                Label otherwise = code.newLabel();
                code.conditionally(() -> {
                    jumpUnless(wanted, condition, scope, otherwise);
                    code.jump(found);
                });
                code.bind(otherwise);
            });
            code.conditionally(() -> jumpUnless(wanted, conditions.getLast(), scope, target));
        } else {
            for (List<RexNode> piece : pieces(conditions)) {
                callPiece(piece, scope, (in, s, no) -> in.jumpUnlessAny(wanted, piece, s, no));
                code.raw().ifne(found);
            }
            code.jump(target);
        }
        code.bind(found);
    }

    private boolean isTooLong(List<RexNode> conditions) {
        return code.owner().inPieces()
                && conditions.size() > 1
                && conditions.stream().mapToInt(RexNode::nodeCount).sum() > NODES_OF_A_PIECE;
    }

    private static List<List<RexNode>> pieces(List<RexNode> conditions) {
        List<List<RexNode>> pieces = new ArrayList<>();
        for (int from = 0, to; from < conditions.size(); from = to) {
            to = from + 1;
            int nodes = conditions.get(from).nodeCount();
            while (to < conditions.size() && nodes + conditions.get(to).nodeCount() <= NODES_OF_A_PIECE) {
                nodes += conditions.get(to).nodeCount();
                to++;
            }
            pieces.add(conditions.subList(from, to));
        }
        return pieces;
    }

    private interface Piece {
        void emit(Conditions in, Scope scope, Label no);
    }

    /** Pushes what a method of its own finds: 0 if the piece jumps, otherwise 1. */
    private void callPiece(List<RexNode> conditions, Scope scope, Piece piece) {
        Function<Code, Scope> carried = scope.carry(conditions);
        code.callNew("conditions", TEST, callee -> {
            Conditions in = computed.conditionsIn(callee);
            Scope inside = carried.apply(callee);
            Label no = callee.newLabel();
            callee.conditionally(() -> piece.emit(in, inside, no));
            callee.push(1);
            callee.raw().ireturn();
            callee.bind(no);
            callee.push(0);
            callee.raw().ireturn();
        });
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
        if (left.type.isWide() || right.type.isWide()) {
            jumpUnlessWide(kind, left, right, target);
            return;
        }
        if (left.isString() != right.isString()
                || (left.type.isArray() || right.type.isArray()) && !Types.sameRepresentation(left.type, right.type)) {
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
        branchUnless(kind, target);
    }

    /** Numbers of one type are compared by their bytes. */
    private void jumpUnlessWide(SqlKind kind, Value left, Value right, Label target) {
        if (!Types.isNumeric(left.type) || !Types.isNumeric(right.type)) {
            throw Types.unsupported("comparison of " + left.type + " and " + right.type);
        }
        pushComparison(left, right);
        branchUnless(kind, target);
    }

    /** Jumps unless the int on the stack is the result of such a comparison. */
    private void branchUnless(SqlKind kind, Label target) {
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
        boolean wide = left.type.isWide() || right.type.isWide();
        if (wide && !left.isDouble() && !right.isDouble() && !Types.sameRepresentation(left.type, right.type)) {
            values.pushNumber(left);
            values.pushNumber(right);
            code.call(WideDecimals.class, "compare");
            return;
        }
        if (wide && (left.isDouble() || right.isDouble())) {
            values.pushDouble(left);
            values.pushDouble(right);
            code.raw().dcmpg();
            return;
        }
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
        } else if (isTime(left.type) != isTime(right.type)) {
            throw Types.unsupported("comparison of " + left.type + " with " + right.type);
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

    private static boolean isTime(SqlType type) {
        return type.kind() == SqlType.Kind.TIME;
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
