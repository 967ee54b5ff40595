package io.reprise.sql.compile.emit;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.physical.PlanField;
import java.util.List;
import java.util.function.ToIntFunction;

/** A row in a {@code RowBuffer}: the local with the words, and the one with the index of the row's first word. */
public final class BufferedRow extends Row {
    private final List<PlanField> columns;
    private final int words;
    private final int base;
    private final boolean[] inRow;

    public BufferedRow(Code code, List<PlanField> columns, int words, int base, boolean[] inRow) {
        super(code, columns.size());
        this.columns = columns;
        this.words = words;
        this.base = base;
        this.inRow = inRow;
    }

    @Override
    protected Carried carryFields() {
        ToIntFunction<Code> carriedWords = code().carry(long[].class, words);
        ToIntFunction<Code> carriedBase = code().carry(int.class, base);
        return callee -> new BufferedRow(
                callee, columns, carriedWords.applyAsInt(callee), carriedBase.applyAsInt(callee), inRow);
    }

    @Override
    public Value compute(int index) {
        PlanField column = columns.get(index);
        SqlType type = column.type();
        int slot = code().newLocal(type);
        pushWord(RowShape.nullWords(columns.size()) + index);
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code().call(Double.class, "longBitsToDouble");
        }
        code().store(type, slot);
        if (!column.nullable()) {
            return Value.local(type, slot).pointingIntoRow(inRow[index]);
        }
        int nullSlot = code().newInt();
        pushWord(index >>> 6);
        code().push(index & 63);
        code().raw().lushr();
        code().push(1L);
        code().raw().land().l2i();
        code().storeInt(nullSlot);
        return Value.nullable(type, slot, nullSlot).pointingIntoRow(inRow[index]);
    }

    private void pushWord(int offset) {
        code().loadReference(words);
        code().loadInt(base);
        code().push(offset);
        code().raw().iadd().laload();
    }
}
