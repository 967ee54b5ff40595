package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.BufferedRow;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.Sorter;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode.Sort;
import io.reprise.sql.physical.PlanNode.SortKey;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.function.Consumer;

/** ORDER BY, with or without a limit: rows into a buffer, a {@code Sorter} over it, rows out in order. */
public final class Sorts {
    private final Operators operators;
    private final Code code;

    public Sorts(Operators operators) {
        this.operators = operators;
        code = operators.code();
    }

    public void produce(Sort sort, Scope scope, Consumer<Row> consumer) {
        List<PlanField> fields = sort.fields();
        StatementField buffer = Buffers.field(code.owner(), "sorted", fields);
        StatementField sorter = sorter(code.owner(), sort.keys(), fields);
        boolean limited = sort.fetch().isPresent();
        int offset = operators.bound("OFFSET", sort.offset(), scope, 0);
        int fetch = operators.bound("LIMIT", sort.fetch(), scope, Long.MAX_VALUE);
        operators.clear(buffer);
        if (limited) {
            code.field(sorter);
            code.loadLong(offset);
            code.loadLong(fetch);
            code.call(Sorter.class, "end");
            code.call(Sorter.class, "begin");
        }
        operators.outlinedUnlessCorrelated("sortInput", scope, (o, s) -> collect(o, sort, s, buffer, sorter));
        code.field(sorter);
        code.field(buffer);
        code.call(Sorter.class, "sort", RowBuffer.class);
        int count = code.newInt();
        code.storeInt(count);
        int at = code.newInt();
        int end = code.newInt();
        pushClamped(count, () -> code.loadLong(offset));
        code.storeInt(at);
        pushClamped(count, () -> {
            code.loadInt(at);
            code.raw().i2l();
            code.loadLong(fetch);
            code.call(Sorter.class, "end");
        });
        code.storeInt(end);
        emitSorted(fields, buffer, sorter, at, end, consumer);
    }

    private static void collect(Operators o, Sort sort, Scope scope, StatementField buffer, StatementField sorter) {
        o.produce(sort.input(), scope, row -> {
            o.buffers().append(() -> o.code().field(buffer), sort.fields(), row, false);
            if (sort.fetch().isPresent()) {
                o.code().field(sorter);
                o.code().field(buffer);
                o.code().call(Sorter.class, "added");
            }
        });
    }

    /** Emits a loop over sorted rows from one place, whose local it moves, to another. */
    void emitSorted(
            List<PlanField> fields,
            StatementField buffer,
            StatementField sorter,
            int at,
            int end,
            Consumer<Row> consumer) {
        int words = code.newReference();
        int order = code.newReference();
        int base = code.newInt();
        code.field(buffer);
        operators.buffers().pushWords(RowBuffer.class);
        code.storeReference(words);
        code.field(sorter);
        code.raw().getfield(Code.descriptor(Sorter.class), "order", ConstantDescs.CD_int.arrayType());
        code.storeReference(order);
        Loop loop = new Loop(code);
        code.loadInt(at);
        code.loadInt(end);
        code.raw().if_icmpge(loop.end());
        loop.body(() -> {
            code.loadReference(order);
            code.loadInt(at);
            code.raw().iaload();
            code.storeInt(base);
            consumer.accept(new BufferedRow(code, fields, words, base, Operators.stringColumns(fields)));
        });
        code.raw().iinc(at, 1);
        loop.close();
    }

    private void pushClamped(int count, Runnable pushLong) {
        pushLong.run();
        code.loadInt(count);
        code.raw().i2l();
        code.call(Math.class, "min", long.class, long.class);
        code.raw().l2i();
    }

    static StatementField sorter(ClassEmitter owner, List<SortKey> keys, List<PlanField> fields) {
        int count = keys.size();
        Sorter.Keys description =
                new Sorter.Keys(new int[count], new Sorter.KeyType[count], new boolean[count], new boolean[count]);
        for (int i = 0; i < count; i++) {
            SortKey key = keys.get(i);
            description.columns()[i] = key.field();
            description.types()[i] = keyType(fields.get(key.field()).type());
            description.descending()[i] = key.descending();
            description.nullsFirst()[i] = key.nullsFirst();
        }
        return owner.field("sorter", Sorter.class, new FieldContent.Sorting(description, fields.size()));
    }

    static Sorter.KeyType keyType(SqlType type) {
        if (type.kind().isString()) {
            return Sorter.KeyType.STRING;
        }
        return type.kind() == SqlType.Kind.DOUBLE ? Sorter.KeyType.DOUBLE : Sorter.KeyType.LONG;
    }
}
