package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Emits expressions whose result is that of one of several: CASE, COALESCE, NULLIF. */
public final class Choices {
    /** An address that can be read, for NULL, which has no place. */
    private static final long SOME_ADDRESS = 8;

    private static final int NO_LOCAL = -1;

    private final Code code;
    private final Casts casts;
    private final Conditions conditions;
    private final Operands branches;

    public Choices(Code code, Casts casts, Conditions conditions, Operands branches) {
        this.code = code;
        this.casts = casts;
        this.conditions = conditions;
        this.branches = branches;
    }

    /** CASE WHEN a THEN b ... ELSE z: a branch is computed only when it is taken. */
    public Value caseOf(RexCall call, Scope scope) {
        List<RexNode> operands = call.getOperands();
        Choice choice = new Choice(Types.of(call.getType()));
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            RexNode when = operands.get(i);
            RexNode then = operands.get(i + 1);
            Label next = code.newLabel();
            code.conditionally(() -> {
                conditions.jumpUnlessTrue(when, scope, next);
                choice.take(() -> branches.emit(then, scope));
            });
            code.bind(next);
        }
        code.conditionally(() -> choice.take(() -> branches.emit(operands.getLast(), scope)));
        return choice.end();
    }

    public Value coalesce(RexCall call, Scope scope) {
        Choice choice = new Choice(Types.of(call.getType()));
        for (RexNode operand : call.getOperands()) {
            Label next = code.newLabel();
            code.conditionally(() -> {
                Value value = branches.emit(operand, scope);
                code.jumpIfNull(value, next);
                choice.take(value::notNull);
            });
            code.bind(next);
        }
        choice.take(() -> Value.nullOf(choice.type));
        return choice.end();
    }

    public Value nullIf(RexCall call, Scope scope) {
        Value value = branches.emit(call.getOperands().get(0), scope);
        Value other = branches.emit(call.getOperands().get(1), scope);
        Choice choice = new Choice(Types.of(call.getType()));
        Label differ = code.newLabel();
        code.jumpIfNull(value, differ);
        code.jumpIfNull(other, differ);
        code.conditionally(() -> {
            conditions.jumpUnless(SqlKind.EQUALS, value, other, differ);
            choice.take(() -> Value.nullOf(choice.type));
        });
        code.bind(differ);
        choice.take(() -> value);
        return choice.end();
    }

    /** A result that different branches give. */
    private final class Choice {
        private final SqlType type;
        private final int result;
        private final int isNull = code.newInt();
        private final Label end = code.newLabel();
        private final List<Value.Place> places = new ArrayList<>();
        private boolean allPlaced = true;
        private int place = NO_LOCAL;
        private boolean inRow;
        private boolean nullable;
        private boolean alwaysNull = true;

        Choice(SqlType type) {
            this.type = type;
            result = code.newLocal(type);
        }

        void take(Supplier<Value> branch) {
            Value computed = branch.get();
            Value value = casts.represent(computed.isNull ? Value.nullOf(type) : computed, type);
            inRow |= value.inRow;
            alwaysNull &= value.isNull;
            nullable |= value.isNull || value.hasNullFlag();
            storePlace(value);
            code.push(value);
            code.store(type, result);
            code.pushNullFlag(value);
            code.storeInt(isNull);
            code.jump(end);
        }

        Value end() {
            code.bind(end);
            if (alwaysNull) {
                return Value.nullOf(type);
            }
            Value value = Value.nullable(type, result, isNull).pointingIntoRow(inRow);
            if (allPlaced && !places.isEmpty()) {
                value = value.at(new Value.Place(place, 0, places.getFirst().width()));
            }
            return nullable ? value : value.notNull();
        }

        /** Keeps the address of the column, so that inline strings of one width can be copied as such. */
        private void storePlace(Value value) {
            if (!type.kind().isString()) {
                return;
            }
            if (place == NO_LOCAL) {
                place = code.newLong();
            }
            if (value.isNull) {
                code.setLong(place, SOME_ADDRESS);
            } else if (value.place == null
                    || !places.isEmpty() && places.getFirst().width() != value.place.width()) {
                allPlaced = false;
                code.setLong(place, SOME_ADDRESS);
            } else {
                places.add(value.place);
                code.loadLong(value.place.row());
                code.push((long) value.place.offset());
                code.raw().ladd();
                code.storeLong(place);
            }
        }
    }
}
