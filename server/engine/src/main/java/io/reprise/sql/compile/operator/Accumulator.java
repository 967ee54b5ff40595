package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Cells;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Deviations;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.StringLists;
import io.reprise.sql.physical.PlanNode.AggregateCall;
import java.lang.classfile.Label;
import java.util.Optional;
import org.apache.calcite.sql.SqlKind;

/**
 * The computation of one aggregate. Its words: COUNT the number; AVG the sum and of how many; the others the value and whether
 * there is one; STRING_AGG the first and the last entry of its strings; SINGLE also whether the value is NULL; variances the sum, the number, and the sum of squared distances from the mean; and an exact sum, also that of AVG, its high word, and a third one if the summed are DECIMALs of more than 18 digits.
 *
 * @param call the aggregate
 * @param type the type of the result
 * @param summed the type of the argument of a sum or an average
 * @param name its name in errors
 * @param strings the strings that STRING_AGG has met; absent for all others
 */
public record Accumulator(
        AggregateCall call, SqlType type, SqlType summed, String name, Optional<StatementField> strings) {
    private static final int VALUE = 0;
    private static final int SEEN = 1;
    private static final int IS_NULL = 2;
    private static final int HIGH = 2;
    private static final int SQUARES = 2;
    private static final int TOP = 3;

    public int words() {
        if (isWideSum()) {
            return TOP + 1;
        }
        return switch (call.function()) {
            case COUNT -> 1;
            case MIN, MAX, STRING_AGG -> 2;
            case SUM, SUM0, SUM_LOW, SUM_HIGH -> hasHigh() ? 3 : 2;
            case AVG, SINGLE, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> 3;
        };
    }

    /** Whether it sums up DECIMALs of more than 18 digits. */
    private boolean isWideSum() {
        return summed.isWide()
                && (call.function() == AggregateCall.Function.SUM
                        || call.function() == AggregateCall.Function.SUM0
                        || call.function() == AggregateCall.Function.AVG);
    }

    private boolean isExact() {
        return type.kind() != SqlType.Kind.DOUBLE;
    }

    /** Whether a high word exists. The high word of a partial sum belongs to another accumulator. */
    private boolean hasHigh() {
        return isExact() && call.function() != AggregateCall.Function.SUM_LOW;
    }

    /**
     * Emits the taking in of a value that is not NULL (SINGLE: any value).
     *
     * @param high the high word of the value, if that is a sum
     * @param count of how many values it is the sum, for AVG
     * @param separator the string in front of it, for STRING_AGG
     */
    public void update(
            Expressions o,
            Cells cells,
            Optional<Value> argument,
            Optional<Value> high,
            Optional<Value> count,
            Optional<Value> separator) {
        Code code = o.code();
        switch (call.function()) {
            case COUNT ->
                cells.set(VALUE, () -> {
                    cells.push(VALUE);
                    code.push(1L);
                    code.raw().ladd();
                });
            case SUM, SUM0, SUM_LOW, SUM_HIGH -> sum(o, cells, argument.orElseThrow(), high);
            case AVG -> average(code, cells, argument.orElseThrow(), high, count);
            case MIN -> extreme(o, cells, argument.orElseThrow(), SqlKind.LESS_THAN);
            case MAX -> extreme(o, cells, argument.orElseThrow(), SqlKind.GREATER_THAN);
            case SINGLE -> single(code, cells, argument.orElseThrow());
            case STRING_AGG -> addString(code, cells, argument.orElseThrow(), separator.orElseThrow());
            case VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> deviate(code, cells, argument.orElseThrow());
        }
    }

    private void addString(Code code, Cells cells, Value value, Value separator) {
        Label known = code.newLabel();
        cells.set(SEEN, () -> {
            code.field(strings.orElseThrow());
            cells.push(SEEN);
            code.push(value);
            code.push(separator);
            code.call(StringLists.class, "add");
        });
        cells.push(VALUE);
        code.push(0L);
        code.raw().lcmp().ifne(known);
        cells.set(VALUE, () -> cells.push(SEEN));
        code.bind(known);
    }

    private Value joined(Code code, Cells cells) {
        int slot = code.newLocal(type);
        int isNull = code.newInt();
        code.field(strings.orElseThrow());
        cells.push(VALUE);
        code.call(StringLists.class, "joined");
        code.store(type, slot);
        cells.push(VALUE);
        code.push(1L);
        // Negative if there is none.
        code.raw().lsub().bipush(Long.SIZE - 1).lushr().l2i();
        code.storeInt(isNull);
        return Value.nullable(type, slot, isNull);
    }

    private void sum(Expressions o, Cells cells, Value argument, Optional<Value> high) {
        if (isWideSum()) {
            wideSums(o.code(), cells).add(argument);
            cells.set(SEEN, () -> o.code().push(1L));
            return;
        }
        // A sum of words is brought to the bytes of its type when it is complete.
        Value value = type.isWide() ? argument : o.casts().represent(argument, type);
        if (isExact()) {
            addExactly(o.code(), cells, value, high);
        } else {
            o.code().naming(name, () -> addRounded(o.code(), cells, value));
        }
        cells.set(SEEN, () -> o.code().push(1L));
    }

    private void average(Code code, Cells cells, Value value, Optional<Value> high, Optional<Value> count) {
        if (isWideSum()) {
            wideSums(code, cells).add(value);
        } else {
            addExactly(code, cells, value, high);
        }
        cells.set(SEEN, () -> {
            cells.push(SEEN);
            count.ifPresentOrElse(code::push, () -> code.push(1L));
            code.raw().ladd();
        });
    }

    /** Takes a value into the sum, and into the sum of squared distances from the mean. */
    private static void deviate(Code code, Cells cells, Value value) {
        cells.set(SEEN, () -> {
            cells.push(SEEN);
            code.push(1L);
            code.raw().ladd();
        });
        cells.set(SQUARES, () -> {
            cells.push(SQUARES);
            cells.push(VALUE);
            code.push(value);
            cells.push(SEEN);
            code.call(Deviations.class, "squares");
        });
        cells.set(VALUE, () -> {
            cells.push(VALUE);
            code.push(value);
            code.call(Deviations.class, "sum");
        });
    }

    /** A variance, or its root; NULL of too few values. */
    private Value deviation(Code code, Cells cells) {
        boolean sample = call.function() == AggregateCall.Function.VAR_SAMP
                || call.function() == AggregateCall.Function.STDDEV_SAMP;
        boolean root = call.function() == AggregateCall.Function.STDDEV_POP
                || call.function() == AggregateCall.Function.STDDEV_SAMP;
        int slot = code.newLocal(type);
        int isNull = code.newInt();
        cells.push(SQUARES);
        cells.push(SEEN);
        code.push(sample ? 1L : 0L);
        code.call(Deviations.class, root ? "root" : "variance");
        code.store(type, slot);
        cells.push(SEEN);
        code.push(sample ? 2L : 1L);
        // Negative if there are too few.
        code.raw().lsub().bipush(Long.SIZE - 1).lushr().l2i();
        code.storeInt(isNull);
        return Value.nullable(type, slot, isNull);
    }

    private static void addRounded(Code code, Cells cells, Value value) {
        cells.set(VALUE, () -> {
            cells.push(VALUE);
            code.call(Double.class, "longBitsToDouble");
            code.push(value);
            code.call(Numbers.class, "add", double.class, double.class);
            code.call(Double.class, "doubleToRawLongBits");
        });
    }

    /** A sum that is out of range on the way may be within in the end, and rows come in another order the next time. */
    private void addExactly(Code code, Cells cells, Value value, Optional<Value> high) {
        if (hasHigh()) {
            addCarry(code, cells, value, high);
        }
        cells.set(VALUE, () -> {
            cells.push(VALUE);
            code.push(value);
            code.raw().ladd();
        });
    }

    private static void addCarry(Code code, Cells cells, Value value, Optional<Value> high) {
        cells.set(HIGH, () -> {
            cells.push(HIGH);
            cells.push(VALUE);
            code.push(value);
            code.call(Numbers.class, "carry", long.class, long.class);
            code.raw().ladd();
            high.ifPresent(word -> {
                code.push(word);
                code.raw().ladd();
            });
        });
    }

    private void extreme(Expressions o, Cells cells, Value value, SqlKind better) {
        Code code = o.code();
        Label take = code.newLabel();
        Label skip = code.newLabel();
        cells.push(SEEN);
        code.raw().l2i().ifeq(take);
        code.conditionally(() -> {
            Value current = load(code, cells, VALUE, value.type);
            o.conditions().jumpUnless(better, value, current, skip);
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

    private static Value load(Code code, Cells cells, int cell, SqlType type) {
        int slot = code.newLocal(type);
        cells.push(cell);
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(Double.class, "longBitsToDouble");
        }
        code.store(type, slot);
        return Value.local(type, slot);
    }

    /** Emits the result. */
    public Value result(Expressions o, Cells cells) {
        Code code = o.code();
        if (call.function() == AggregateCall.Function.AVG) {
            return quotient(code, cells);
        } else if (call.function() == AggregateCall.Function.STRING_AGG) {
            return joined(code, cells);
        } else if (call.function().isVariance()) {
            return deviation(code, cells);
        }
        boolean total = call.function() == AggregateCall.Function.SUM || call.function() == AggregateCall.Function.SUM0;
        Value value = total && type.isWide()
                ? wideSum(code, cells)
                : load(code, cells, call.function() == AggregateCall.Function.SUM_HIGH ? HIGH : VALUE, type);
        switch (call.function()) {
            case COUNT, SUM_HIGH -> {
                return value;
            }
            case SUM0 -> {
                checkRange(code, cells);
                return value;
            }
            case SUM -> checkRange(code, cells);
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

    private WideSums wideSums(Code code, Cells cells) {
        return new WideSums(code, cells, VALUE, HIGH, TOP);
    }

    private Value wideSum(Code code, Cells cells) {
        Value[] sum = new Value[1];
        code.naming(name, () -> sum[0] = wideSums(code, cells).sum(summed, type));
        return sum[0];
    }

    private Value quotient(Code code, Cells cells) {
        int slot = code.newLocal(type);
        if (isWideSum()) {
            wideSums(code, cells).pushAverage(SEEN, summed, type);
        } else {
            pushAverage(code, cells);
        }
        code.store(type, slot);
        int isNull = code.newInt();
        cells.push(SEEN);
        code.push(1L);
        // Negative if there is none.
        code.raw().lsub().bipush(Long.SIZE - 1).lushr().l2i();
        code.storeInt(isNull);
        return Value.nullable(type, slot, isNull);
    }

    private void pushAverage(Code code, Cells cells) {
        cells.push(VALUE);
        cells.push(HIGH);
        cells.push(SEEN);
        if (type.kind() == SqlType.Kind.DECIMAL) {
            code.push(type.scale() - summed.scale());
            code.call(Decimals.class, "average");
        } else {
            code.call(Numbers.class, "average");
        }
    }

    /** An exact sum may have more than 64 bits, or more digits than its type. */
    private void checkRange(Code code, Cells cells) {
        if (!isExact() || type.isWide()) {
            return;
        }
        code.naming(name, () -> {
            cells.push(VALUE);
            cells.push(HIGH);
            if (type.kind() == SqlType.Kind.DECIMAL) {
                code.push(type.precision());
                code.push(type.scale());
                code.call(Decimals.class, "fitSum");
            } else {
                code.call(Numbers.class, "fitSum");
            }
            code.raw().pop2();
        });
    }
}
