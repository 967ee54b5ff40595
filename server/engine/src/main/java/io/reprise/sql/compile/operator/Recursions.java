package io.reprise.sql.compile.operator;

import io.reprise.sql.compile.emit.BufferedRow;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.GroupTable;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import java.lang.constant.ConstantDescs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The rows of WITH RECURSIVE. All are kept in one buffer, in the order in which they are found: those of the first part, and then those of
 * each step, which reads the rows that the step before it has added.
 *
 * <pre>
 *  rows:  | first part | step 1 | step 2 | ...
 *                      ^ from   ^ to: the rows that step 2 reads
 * </pre>
 *
 * UNION keeps the rows in a group table, which keeps each once.
 */
final class Recursions {
    private final Map<Integer, Working> known = new TreeMap<>();

    /**
     * The rows of a recursion.
     *
     * @param fields their columns
     * @param rows the field with the buffer or group table
     * @param from the variable with the first word of the rows that a step reads
     * @param to the variable with the word behind them
     * @param stride the words of a row
     */
    record Working(List<PlanField> fields, StatementField rows, String from, String to, int stride) {
        boolean distinct() {
            return rows.type() == GroupTable.class;
        }
    }

    /** Declares the rows of a recursion. */
    Working begin(Code code, PlanNode.Recursion recursion) {
        List<PlanField> fields = recursion.fields();
        StatementField rows = recursion.distinct()
                ? code.owner().field("recursion", GroupTable.class, new FieldContent.Groups(strings(fields), 0))
                : Buffers.field(code.owner(), "recursion", fields);
        Working working = new Working(
                fields,
                rows,
                code.owner().variable("from", int.class),
                code.owner().variable("to", int.class),
                RowShape.stride(fields.size()) + (recursion.distinct() ? 1 : 0));
        known.put(recursion.number(), working);
        return working;
    }

    private static boolean[] strings(List<PlanField> fields) {
        boolean[] strings = new boolean[fields.size()];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = fields.get(i).type().kind().isString();
        }
        return strings;
    }

    /** Emits the adding of a row. */
    static void append(Code code, Buffers buffers, Working working, Row row) {
        if (working.distinct()) {
            buffers.find(working.rows(), working.fields(), row);
        } else {
            buffers.append(() -> code.field(working.rows()), working.fields(), row, false);
        }
    }

    /** Emits the repetition of a step while the one before has added rows. */
    static void repeat(Code code, Working working, Runnable step) {
        set(code, working.from(), () -> code.push(0));
        Loop loop = new Loop(code);
        set(code, working.to(), () -> pushEnd(code, working));
        push(code, working.from());
        push(code, working.to());
        code.raw().if_icmpge(loop.end());
        loop.body(() -> {
            step.run();
            set(code, working.from(), () -> push(code, working.to()));
        });
        loop.close();
    }

    /** Emits a loop over all rows. */
    static void forEach(Code code, Working working, Consumer<Row> consumer) {
        rows(code, working, () -> code.push(0), () -> pushEnd(code, working), consumer);
    }

    /** Emits a loop over the rows that the step before has added. */
    void forEachLast(Code code, PlanNode.WorkTable table, Consumer<Row> consumer) {
        Working working = known.get(table.number());
        rows(code, working, () -> push(code, working.from()), () -> push(code, working.to()), consumer);
    }

    /** A loop over rows, of which the body may add more: those are not among them. */
    private static void rows(Code code, Working working, Runnable from, Runnable to, Consumer<Row> consumer) {
        int words = code.newReference();
        int base = code.newInt();
        int end = code.newInt();
        code.field(working.rows());
        code.raw()
                .getfield(
                        Code.descriptor(working.distinct() ? GroupTable.class : RowBuffer.class),
                        "words",
                        ConstantDescs.CD_long.arrayType());
        code.storeReference(words);
        from.run();
        code.storeInt(base);
        to.run();
        code.storeInt(end);
        Loop loop = new Loop(code);
        code.loadInt(base);
        code.loadInt(end);
        code.raw().if_icmpge(loop.end());
        boolean[] inRow = strings(working.fields());
        loop.body(() -> consumer.accept(new BufferedRow(code, working.fields(), words, base, inRow)));
        code.raw().iinc(base, working.stride());
        loop.close();
    }

    private static void pushEnd(Code code, Working working) {
        code.field(working.rows());
        code.raw().getfield(Code.descriptor(working.rows().type()), "end", ConstantDescs.CD_int);
    }

    private static void push(Code code, String variable) {
        code.raw().aload(0).getfield(code.owner().self(), variable, ConstantDescs.CD_int);
    }

    private static void set(Code code, String variable, Runnable value) {
        code.raw().aload(0);
        value.run();
        code.raw().putfield(code.owner().self(), variable, ConstantDescs.CD_int);
    }
}
