package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.BufferedRow;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;

/** Rows set aside in {@code RowBuffer}s: appending to them, and going through them. */
public final class Buffers {
    private final Code code;
    private final Expressions expressions;

    public Buffers(Code code, Expressions expressions) {
        this.code = code;
        this.expressions = expressions;
    }

    /** A field with a buffer of its own. */
    public static StatementField field(ClassEmitter owner, String prefix, List<PlanField> columns) {
        RowShape shape = RowShape.of(columns);
        return owner.field(prefix, RowBuffer.class, store -> new RowBuffer(shape, store));
    }

    /** Emits the appending of a row to the buffer that is pushed; {@code stable}: strings must not point into rows. */
    public void append(Runnable pushBuffer, List<PlanField> columns, Row row, boolean stable) {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            values.add(
                    expressions.casts().represent(row.field(i), columns.get(i).type()));
        }
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
        for (int i = 0; i < values.size(); i++) {
            Value value = values.get(i);
            pushPlace(words, base, nullWords + i);
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

    /** Emits a loop over the rows of the buffer that is pushed, as long as nobody appends to it. */
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

    /** Which columns of a row may be strings that point into a table's row; asks for the fields, so after use only. */
    public static boolean[] inRow(List<PlanField> columns, Row row) {
        boolean[] inRow = new boolean[columns.size()];
        for (int i = 0; i < inRow.length; i++) {
            SqlType type = columns.get(i).type();
            inRow[i] = type.kind().isString() && row.field(i).inRow;
        }
        return inRow;
    }
}
