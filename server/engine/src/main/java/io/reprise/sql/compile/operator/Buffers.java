package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.BufferedRow;
import io.reprise.sql.compile.emit.Carried;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.GroupTable;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Rows set aside in {@code RowBuffer}s: appending to them, and going through them. */
public final class Buffers {
    /** The weight of a row's columns that one method appends, where a statement is compiled in pieces. */
    private static final int WEIGHT_OF_A_PIECE = 64;

    private static final MethodTypeDesc ROW = MethodTypeDesc.of(ConstantDescs.CD_void);

    private final Code code;
    private final Expressions expressions;

    public Buffers(Code code, Expressions expressions) {
        this.code = code;
        this.expressions = expressions;
    }

    /** A field with a buffer of its own. */
    public static StatementField field(ClassEmitter owner, String prefix, List<PlanField> columns) {
        return owner.field(prefix, RowBuffer.class, new FieldContent.Buffer(RowShape.of(columns)));
    }

    /** Emits the appending of a row to the buffer that is pushed; {@code stable}: strings must not point into rows. */
    public void append(Runnable pushBuffer, List<PlanField> columns, Row row, boolean stable) {
        if (code.owner().inPieces() && columns.size() > 1 && weight(row, 0, columns.size()) > WEIGHT_OF_A_PIECE) {
            appendInPieces(pushBuffer, columns, row, stable);
            return;
        }
        List<Value> values = values(columns, row, 0, columns.size());
        int buffer = code.newReference();
        int base = code.newInt();
        int words = code.newReference();
        pushBuffer.run();
        code.raw().dup();
        code.storeReference(buffer);
        code.call(RowBuffer.class, "append");
        code.storeInt(base);
        code.loadReference(buffer);
        pushWords(RowBuffer.class);
        code.storeReference(words);
        write(words, base, values, stable);
    }

    /** A DOUBLE key with -0.0 as 0.0. */
    Value canonical(Value value) {
        if (!value.isDouble() || value.isConstant()) {
            return value;
        }
        int slot = code.newLocal(value.type);
        code.push(value);
        code.push(0.0);
        code.raw().dadd();
        code.store(value.type, slot);
        return value.hasNullFlag() ? Value.nullable(value.type, slot, value.nullSlot) : Value.local(value.type, slot);
    }

    /** Emits the entering of a row into a group table that has no row of these values yet. */
    void find(StatementField groups, List<PlanField> columns, Row row) {
        List<Value> values = values(columns, row, 0, columns.size()).stream()
                .map(this::canonical)
                .toList();
        int base = code.newInt();
        int words = code.newReference();
        code.field(groups);
        code.call(GroupTable.class, "stage");
        code.storeInt(base);
        code.field(groups);
        pushWords(GroupTable.class);
        code.storeReference(words);
        write(words, base, values, false);
        code.field(groups);
        code.call(GroupTable.class, "find");
        code.raw().pop();
    }

    private List<Value> values(List<PlanField> columns, Row row, int from, int to) {
        List<Value> values = new ArrayList<>();
        for (int i = from; i < to; i++) {
            values.add(
                    expressions.casts().represent(row.field(i), columns.get(i).type()));
        }
        return values;
    }

    private static int weight(Row row, int from, int to) {
        int weight = 0;
        for (int i = from; i < to; i++) {
            weight += row.weight(i);
        }
        return weight;
    }

    /** The same for a row of many columns, some in each of several methods. No piece has columns of two words of null bits. */
    private void appendInPieces(Runnable pushBuffer, List<PlanField> columns, Row row, boolean stable) {
        int buffer = code.newReference();
        int base = code.newInt();
        int words = code.newReference();
        Carried carried = row.carry();
        pushBuffer.run();
        code.raw().dup();
        code.storeReference(buffer);
        code.call(RowBuffer.class, "append");
        code.storeInt(base);
        code.loadReference(buffer);
        pushWords(RowBuffer.class);
        code.storeReference(words);
        ToIntFunction<Code> carriedWords = code.carry(long[].class, words);
        ToIntFunction<Code> carriedBase = code.carry(int.class, base);
        for (int from = 0, to; from < columns.size(); from = to) {
            to = from + 1;
            while (to < columns.size() && to % Long.SIZE != 0 && weight(row, from, to + 1) <= WEIGHT_OF_A_PIECE) {
                to++;
            }
            int first = from;
            int end = to;
            code.callNew("columns", ROW, callee -> {
                Buffers in = new Buffers(callee, new Expressions(callee, expressions.parameters()));
                List<Value> values = in.values(columns, carried.in(callee), first, end);
                in.writePart(
                        carriedWords.applyAsInt(callee),
                        carriedBase.applyAsInt(callee),
                        columns.size(),
                        first,
                        values,
                        stable);
                callee.raw().return_();
            });
        }
    }

    /** Writes the values from a column on; the first part of a word of null bits sets it, the others add to it. */
    private void writePart(int words, int base, int columns, int first, List<Value> values, boolean stable) {
        int nullWord = first / Long.SIZE;
        pushPlace(words, base, nullWord);
        if (first % Long.SIZE == 0) {
            code.push(0L);
        } else {
            pushPlace(words, base, nullWord);
            code.raw().laload();
        }
        for (int i = 0; i < values.size(); i++) {
            pushNullBit(values.get(i), first + i);
        }
        code.raw().lastore();
        writeValues(words, base, RowShape.nullWords(columns) + first, values, stable);
    }

    /** Pushes the words of the buffer or group table on the stack. */
    public void pushWords(Class<?> type) {
        code.raw().getfield(Code.descriptor(type), "words", ConstantDescs.CD_long.arrayType());
    }

    /** Emits the writing of null bits and values to the words from the index in a local on. */
    public void write(int words, int base, List<Value> values, boolean stable) {
        int nullWords = RowShape.nullWords(values.size());
        for (int word = 0; word < nullWords; word++) {
            int first = word * Long.SIZE;
            pushPlace(words, base, word);
            code.push(0L);
            for (int i = first; i < Math.min(values.size(), first + Long.SIZE); i++) {
                pushNullBit(values.get(i), i);
            }
            code.raw().lastore();
        }
        writeValues(words, base, nullWords, values, stable);
    }

    private void writeValues(int words, int base, int first, List<Value> values, boolean stable) {
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            pushPlace(words, base, first + i);
            if (stable && value.isString()) {
                expressions.values().pushStable(value);
            } else {
                code.pushWord(value);
            }
            code.raw().lastore();
        }
    }

    private void pushNullBit(Value value, int column) {
        if (value.isNull) {
            code.push(1L << column);
            code.raw().lor();
        } else if (value.hasNullFlag()) {
            code.loadInt(value.nullSlot);
            code.raw().i2l();
            code.push(column & 63);
            code.raw().lshl().lor();
        }
    }

    private void pushPlace(int words, int base, int offset) {
        code.loadReference(words);
        code.loadInt(base);
        code.push(offset);
        code.raw().iadd();
    }

    /** Emits a loop over the rows of the buffer that is pushed. The body must not append to it. */
    public void forEach(
            Runnable pushBuffer, List<PlanField> columns, boolean[] inRow, java.util.function.Consumer<Row> body) {
        int words = code.newReference();
        int base = code.newInt();
        int end = code.newInt();
        pushBuffer.run();
        code.raw().dup();
        pushWords(RowBuffer.class);
        code.storeReference(words);
        code.raw().getfield(Code.descriptor(RowBuffer.class), "end", ConstantDescs.CD_int);
        code.storeInt(end);
        code.setInt(base, 0);
        Loop loop = new Loop(code);
        code.loadInt(base);
        code.loadInt(end);
        code.raw().if_icmpge(loop.end());
        loop.body(() -> body.accept(new BufferedRow(code, columns, words, base, inRow)));
        code.raw().iinc(base, RowShape.stride(columns.size()));
        loop.close();
    }

    /** The columns of a row that may be strings that point into a table's row; asks for the fields, so after use only. */
    public static boolean[] inRow(List<PlanField> columns, Row row) {
        boolean[] inRow = new boolean[columns.size()];
        for (int i = 0; i < inRow.length; i++) {
            SqlType type = columns.get(i).type();
            inRow[i] = type.kind().isString() && row.field(i).inRow;
        }
        return inRow;
    }
}
