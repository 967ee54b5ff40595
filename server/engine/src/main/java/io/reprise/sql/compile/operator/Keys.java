package io.reprise.sql.compile.operator;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.physical.PlanNode;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.row.RowLayout;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Index keys as words, packed by constants that {@link KeyLayout} gives while compiling. Strings are put by the layout
 * itself.
 */
public final class Keys {
    private final Code code;
    private final Expressions expressions;
    private final Table table;
    private final Index index;
    private final KeyLayout layout;

    public Keys(Code code, Expressions expressions, Table table, Index index) {
        this.code = code;
        this.expressions = expressions;
        this.table = table;
        this.index = index;
        layout = KeyLayout.of(table, RowLayout.of(table), index);
    }

    /** A field with a key to be filled. */
    public StatementField field() {
        return code.owner().field("key", IndexKey.class, new FieldContent.Key(table.id(), index.position()));
    }

    /** Whether a key is exactly one word, which hash indexes take without a key object. */
    public boolean isSingleWord() {
        return layout.words() == 1 && !layout.inexact();
    }

    /** Computes the first key columns; jumps if no row has them, because one is NULL or outside of its column's range. */
    public List<Value> emit(List<RexNode> expressionsOfKey, Scope scope, Label ifNone) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < expressionsOfKey.size(); i++) {
            Value value = emitNotNull(expressionsOfKey.get(i), i, scope, ifNone);
            if (mayBeOutside(expressionsOfKey.get(i), i)) {
                jumpIfAbove(value, greatest(i), ifNone);
                jumpIfBelow(value, -greatest(i) - 1, ifNone);
            }
            values.add(value);
        }
        return values;
    }

    private Value emitNotNull(RexNode expression, int keyColumn, Scope scope, Label ifNull) {
        Value value = expressions.emit(expression, scope, type(keyColumn));
        code.jumpIfNull(value, ifNull);
        return value;
    }

    /** A value of one end of a range, and the int local that says whether the end is inclusive. */
    public record End(Value value, int inclusive) {}

    /** Computes an end of a range; one outside of the column's range becomes its least or greatest value, or finds nothing. */
    public End emitEnd(PlanNode.Bound bound, boolean lower, int keyColumn, Scope scope, Label ifNone) {
        Value value = emitNotNull(bound.value(), keyColumn, scope, ifNone);
        int inclusive = code.newInt();
        code.push(bound.inclusive() ? 1 : 0);
        code.storeInt(inclusive);
        if (!mayBeOutside(bound.value(), keyColumn)) {
            return new End(value, inclusive);
        }
        long greatest = greatest(keyColumn);
        long least = -greatest - 1;
        int end = code.newLong();
        code.push(value);
        code.storeLong(end);
        Value kept = Value.local(value.type, end);
        Label inside = code.newLabel();
        if (lower) {
            jumpIfAbove(kept, greatest, ifNone);
            code.loadLong(end);
            code.push(least);
            code.raw().lcmp().ifge(inside);
        } else {
            jumpIfBelow(kept, least, ifNone);
            code.loadLong(end);
            code.push(greatest);
            code.raw().lcmp().ifle(inside);
        }
        code.setLong(end, lower ? least : greatest);
        code.push(1);
        code.storeInt(inclusive);
        code.bind(inside);
        return new End(kept, inclusive);
    }

    private void jumpIfAbove(Value value, long greatest, Label label) {
        code.push(value);
        code.push(greatest);
        code.raw().lcmp().ifgt(label);
    }

    private void jumpIfBelow(Value value, long least, Label label) {
        code.push(value);
        code.push(least);
        code.raw().lcmp().iflt(label);
    }

    /** Whether a value may be one that a narrow integer column can't have: parameters that are only compared may be. */
    private boolean mayBeOutside(RexNode expression, int keyColumn) {
        SqlType type = type(keyColumn);
        return type.kind().isInteger() && type.kind().width() < Long.BYTES && !(expression instanceof RexLiteral);
    }

    private long greatest(int keyColumn) {
        return Long.MAX_VALUE >> Long.SIZE - Byte.SIZE * type(keyColumn).kind().width();
    }

    private SqlType type(int keyColumn) {
        return table.columns().get(index.columns().get(keyColumn)).type();
    }

    /** Pushes the only word of a key. */
    public void pushSingleWord(List<Value> values) {
        pushWord(0, values);
    }

    /** Emits the filling of a key with its first columns; those after them are NULL, which is all zeros. */
    public void fill(StatementField key, List<Value> values) {
        for (int word = 0; word < layout.words(); word++) {
            code.field(key);
            code.raw().getfield(Code.descriptor(IndexKey.class), "words", ConstantDescs.CD_long.arrayType());
            code.push(word);
            pushWord(word, values);
            code.raw().lastore();
        }
        for (int i = 0; i < index.columns().size(); i++) {
            if (type(i).kind().isString()) {
                fillString(key, i, values);
            }
        }
    }

    private void fillString(StatementField key, int keyColumn, List<Value> values) {
        if (keyColumn >= values.size()) {
            code.field(key);
            code.raw().getfield(Code.descriptor(IndexKey.class), "refs", ConstantDescs.CD_long.arrayType());
            code.push(keyColumn);
            code.push(0L);
            code.raw().lastore();
            return;
        }
        code.field(code.owner().index(table, index));
        code.call(code.owner().index(table, index).type(), "layout");
        code.memory();
        code.field(key);
        code.push(keyColumn);
        code.push(values.get(keyColumn));
        code.call(KeyLayout.class, "putString", Memory.class, IndexKey.class, int.class, long.class);
    }

    /** Pushes a word of a key: null flags and values of the columns that lie in it. */
    private void pushWord(int word, List<Value> values) {
        long flags = 0;
        for (int i = 0; i < values.size(); i++) {
            if (layout.nullWord(i) == word) {
                flags |= 1L << layout.nullShift(i);
            }
        }
        boolean first = true;
        for (int i = 0; i < values.size(); i++) {
            if (layout.word(i) == word && !type(i).kind().isString()) {
                pushValue(i, values.get(i));
                if (!first) {
                    code.raw().lor();
                }
                first = false;
            }
        }
        if (first) {
            code.push(flags);
        } else if (flags != 0) {
            code.push(flags);
            code.raw().lor();
        }
    }

    private void pushValue(int keyColumn, Value value) {
        int bits = layout.bits(keyColumn);
        if (value.isDouble()) {
            code.push(value);
            code.call(Numbers.class, "bits");
            code.call(KeyLayout.class, "ofDouble");
        } else {
            code.push(value);
            code.push(1L << (bits - 1));
            code.raw().lxor();
        }
        if (bits < Long.SIZE) {
            code.push((1L << bits) - 1);
            code.raw().land();
        }
        if (layout.shift(keyColumn) != 0) {
            code.push(layout.shift(keyColumn));
            code.raw().lshl();
        }
    }
}
