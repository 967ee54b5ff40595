package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.plan.PlanNode.AggregateCall;
import java.lang.classfile.Label;
import java.util.Optional;
import org.apache.calcite.sql.SqlKind;

/**
 * How one aggregate is computed. Its words: COUNT the number; the others the value and whether there is one; SINGLE also
 * whether the value is NULL.
 *
 * @param call what to compute
 * @param type the type of the result
 * @param name what it is called in errors
 */
record Accumulator(AggregateCall call, SqlType type, String name) {
    private static final int VALUE = 0;
    private static final int SEEN = 1;
    private static final int IS_NULL = 2;

    int words() {
        return switch (call.function()) {
            case COUNT -> 1;
            case SUM, SUM0, MIN, MAX -> 2;
            case SINGLE -> 3;
        };
    }

    /** Emits the taking in of a value that is not NULL (SINGLE: any value). */
    void update(Operators o, Cells cells, Optional<Value> argument) {
        Code code = o.code();
        switch (call.function()) {
            case COUNT ->
                cells.set(VALUE, () -> {
                    cells.push(VALUE);
                    code.push(1L);
                    code.raw().ladd();
                });
            case SUM, SUM0 -> sum(o, cells, o.expressions().casts().represent(argument.orElseThrow(), type));
            case MIN -> extreme(o, cells, argument.orElseThrow(), SqlKind.LESS_THAN);
            case MAX -> extreme(o, cells, argument.orElseThrow(), SqlKind.GREATER_THAN);
            case SINGLE -> single(code, cells, argument.orElseThrow());
        }
    }

    private void sum(Operators o, Cells cells, Value value) {
        o.code().naming(name, () -> addUp(o, cells, value));
    }

    private void addUp(Operators o, Cells cells, Value value) {
        Code code = o.code();
        cells.set(VALUE, () -> {
            cells.push(VALUE);
            if (value.isDouble()) {
                code.call(Double.class, "longBitsToDouble");
                code.push(value);
                code.call(Numbers.class, "add", double.class, double.class);
                code.call(Double.class, "doubleToRawLongBits");
            } else {
                code.push(value);
                Class<?> exact = type.kind() == SqlType.Kind.DECIMAL ? Decimals.class : Numbers.class;
                code.call(exact, "add", long.class, long.class);
            }
        });
        cells.set(SEEN, () -> code.push(1L));
    }

    private void extreme(Operators o, Cells cells, Value value, SqlKind better) {
        Code code = o.code();
        Label take = code.newLabel();
        Label skip = code.newLabel();
        cells.push(SEEN);
        code.raw().l2i().ifeq(take);
        code.conditionally(() -> {
            Value current = load(code, cells, value.type);
            o.expressions().conditions().jumpUnless(better, value, current, skip);
        });
        code.bind(take);
        cells.set(VALUE, () -> code.pushWord(value));
        cells.set(SEEN, () -> code.push(1L));
        code.bind(skip);
    }

    private void single(Code code, Cells cells, Value value) {
        Label first = code.newLabel();
        cells.push(SEEN);
        code.raw().l2i().ifeq(first);
        code.call(Errors.class, "cardinality");
        code.raw().athrow();
        code.bind(first);
        cells.set(VALUE, () -> code.pushWord(value));
        cells.set(IS_NULL, () -> {
            code.pushNullFlag(value);
            code.raw().i2l();
        });
        cells.set(SEEN, () -> code.push(1L));
    }

    private static Value load(Code code, Cells cells, SqlType type) {
        int slot = code.newLocal(type);
        cells.push(VALUE);
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(Double.class, "longBitsToDouble");
        }
        code.store(type, slot);
        return Value.local(type, slot);
    }

    /** Emits the result. */
    Value result(Operators o, Cells cells) {
        Code code = o.code();
        Value value = load(code, cells, type);
        switch (call.function()) {
            case COUNT, SUM0 -> {
                checkRange(code, value);
                return value;
            }
            case SUM -> checkRange(code, value);
            default -> {}
        }
        int isNull = code.newInt();
        code.push(1L);
        cells.push(SEEN);
        code.raw().lsub();
        if (call.function() == AggregateCall.Function.SINGLE) {
            cells.push(IS_NULL);
            code.raw().lor();
        }
        code.raw().l2i();
        code.storeInt(isNull);
        return Value.nullable(type, value.slot, isNull)
                .pointingIntoRow(type.kind().isString());
    }

    /** A DECIMAL sum may have more digits than its type. */
    private void checkRange(Code code, Value value) {
        if (type.kind() == SqlType.Kind.DECIMAL) {
            code.naming(name, () -> {
                code.push(value);
                code.push(type.precision());
                code.push(type.scale());
                code.call(Decimals.class, "fit");
                code.raw().pop2();
            });
        }
    }
}
