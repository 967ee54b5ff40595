package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.compile.runtime.WideDecimals;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.Label;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;

/** Emits what works on values that are computed already: results that may be NULL, and other representations of a value. */
public final class ValueEmitter {
    private final Code code;

    public ValueEmitter(Code code) {
        this.code = code;
    }

    /**
     * Emits an operator whose result is NULL if any argument is. The body, which pushes the result, runs only when none
     * is; it may not rely on being run.
     */
    public Value strict(SqlType type, List<Value> arguments, Runnable pushResult) {
        if (arguments.stream().anyMatch(a -> a.isNull)) {
            return Value.nullOf(type);
        }
        int result = code.newLocal(type);
        if (arguments.stream().noneMatch(Value::hasNullFlag)) {
            pushResult.run();
            code.store(type, result);
            return Value.local(type, result);
        }
        int isNull = code.newInt();
        Label end = code.newLabel();
        code.clear(type, result);
        code.setInt(isNull, 1);
        arguments.forEach(a -> code.jumpIfNull(a, end));
        code.conditionally(() -> {
            pushResult.run();
            code.store(type, result);
            code.setInt(isNull, 0);
        });
        code.bind(end);
        return Value.nullable(type, result, isNull);
    }

    /** Pushes 1 or 0 as a long: 1 if the code falls through, 0 if it jumps to the label that it is given. */
    public void pushBoolean(Consumer<Label> jumpIfFalse) {
        Label isFalse = code.newLabel();
        Label end = code.newLabel();
        code.conditionally(() -> jumpIfFalse.accept(isFalse));
        code.push(1L);
        code.jump(end);
        code.bind(isFalse);
        code.push(0L);
        code.bind(end);
    }

    // Pushing a value that is not NULL in another representation

    /** Pushes a number as a double. */
    public void pushDouble(Value value) {
        if (value.type.isWide()) {
            pushNumber(value);
            code.call(WideDecimals.class, "toDouble");
            return;
        }
        code.push(value);
        switch (value.type.kind()) {
            case DOUBLE -> {}
            case DECIMAL -> {
                code.push(value.type.scale());
                code.call(Decimals.class, "toDouble");
            }
            default -> code.raw().l2d();
        }
    }

    /** Pushes a number as an unscaled decimal of the scale. */
    public void pushDecimal(Value value, int scale) {
        if (value.isDouble()) {
            code.push(value);
            code.push(SqlType.MAX_WORD_PRECISION);
            code.push(scale);
            code.call(Decimals.class, "ofDouble");
            return;
        }
        if (value.type.isWide()) {
            pushNumber(value);
            code.push(scale);
            code.push("BIGINT");
            code.call(Decimals.class, "rounded", BigDecimal.class, int.class, String.class);
            return;
        }
        code.push(value);
        pushRescaled(value.type.scale(), scale);
    }

    /** Pushes a number as a BigDecimal. */
    public void pushNumber(Value value) {
        if (value.type.isWide()) {
            code.memory();
            code.push(value);
            code.push(value.type.decimals());
            code.call(WideDecimals.class, "value");
        } else if (value.isDouble()) {
            code.push(value);
            code.call(BigDecimal.class, "valueOf", double.class);
        } else {
            code.push(value);
            code.push(value.type.decimals());
            code.call(BigDecimal.class, "valueOf", long.class, int.class);
        }
    }

    /** Makes a value of a type of the BigDecimal on the stack, rounded to the digits that it has. */
    public void ofNumber(SqlType type) {
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(WideDecimals.class, "toDouble");
            return;
        }
        if (type.isDecimal()) {
            code.push(type.precision());
            code.push(type.decimals());
        } else {
            code.push(0);
            code.push(type.toString());
        }
        if (type.isWide()) {
            code.store();
            code.call(WideDecimals.class, "store", BigDecimal.class, int.class, int.class, PartitionStore.class);
        } else if (type.isDecimal()) {
            code.call(Decimals.class, "unscaled", BigDecimal.class, int.class, int.class);
        } else {
            code.call(Decimals.class, "rounded", BigDecimal.class, int.class, String.class);
        }
    }

    /** Changes the scale of the unscaled decimal on the stack. */
    public void pushRescaled(int from, int to) {
        if (Math.abs(from - to) > 18) {
            code.push(from);
            code.push(to);
            code.call(Decimals.class, "rescale", long.class, int.class, int.class);
        } else if (from < to) {
            code.push(Decimals.power(to - from));
            code.call(Decimals.class, "scaleUp");
        } else if (from > to) {
            code.push(Decimals.power(from - to));
            code.call(Decimals.class, "scaleDown");
        }
    }

    /** Pushes a DATE or TIMESTAMP as microseconds. */
    public void pushMicros(Value value) {
        code.push(value);
        if (value.type.kind() == SqlType.Kind.DATE) {
            code.call(Timestamps.class, "ofDate");
        }
    }

    /** Pushes a string whose bytes can't change any more, as long as the transaction lasts. */
    public void pushStable(Value value) {
        if (value.place != null) {
            code.store();
            code.memory();
            code.loadLong(value.place.row());
            code.push((long) value.place.offset());
            code.raw().ladd();
            code.push(value.place.width());
            code.call(Strings.class, "copyInline");
        } else if (value.inRow) {
            code.store();
            code.push(value);
            code.call(Strings.class, "copy");
        } else {
            code.push(value);
        }
    }
}
