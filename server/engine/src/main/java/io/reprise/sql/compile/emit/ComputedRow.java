package io.reprise.sql.compile.emit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A row of values that are computed already. */
final class ComputedRow extends Row {
    private final List<Value> values;

    ComputedRow(Code code, List<Value> values) {
        super(code, values.size());
        this.values = values;
    }

    @Override
    public Value compute(int index) {
        return values.get(index);
    }

    @Override
    protected Carried carryFields() {
        List<Function<Code, Value>> carried = new ArrayList<>();
        for (Value value : values) {
            carried.add(carry(value));
        }
        return callee -> new ComputedRow(
                callee, carried.stream().map(value -> value.apply(callee)).toList());
    }

    private Function<Code, Value> carry(Value value) {
        if (value.isConstant()) {
            return callee -> value;
        }
        ToIntFunction<Code> slot = code().carry(value.isDouble() ? double.class : long.class, value.slot);
        if (!value.hasNullFlag()) {
            return callee -> Value.local(value.type, slot.applyAsInt(callee)).pointingIntoRow(value.inRow);
        }
        ToIntFunction<Code> isNull = code().carry(int.class, value.nullSlot);
        return callee -> Value.nullable(value.type, slot.applyAsInt(callee), isNull.applyAsInt(callee))
                .pointingIntoRow(value.inRow);
    }
}
