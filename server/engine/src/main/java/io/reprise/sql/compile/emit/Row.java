package io.reprise.sql.compile.emit;

import io.reprise.sql.physical.FieldNames;
import io.reprise.sql.physical.PlanNode;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The row that an operator passes to the next one, as the emitters see it: a promise to emit the code that computes a
 * field when the field is asked for. What nobody asks for costs nothing.
 */
public abstract class Row {
    private final Code code;
    private final Value[] computed;
    private final Region[] computedIn;
    private PlanNode source;

    public Row(Code code, int fields) {
        this.code = code;
        computed = new Value[fields];
        computedIn = new Region[fields];
    }

    /** Emits the code for a field, unless that was done where this place can rely on it. */
    public final Value field(int index) {
        if (computed[index] == null || !computedIn[index].isOpen()) {
            computed[index] = compute(index);
            computedIn[index] = code.region();
        }
        return computed[index];
    }

    public final int fields() {
        return computed.length;
    }

    public final Code code() {
        return code;
    }

    /** Takes note of which operator's row it is; the first one to say so is it. */
    public final void comesFrom(PlanNode operator) {
        source = source == null ? operator : source;
    }

    /** What a field is called in errors. */
    public String name(int index) {
        return source == null ? "column " + (index + 1) : FieldNames.of(source, index);
    }

    /** Emits the code that computes a field. */
    public abstract Value compute(int index);

    /** The local with the address of the first table's row in this row, for UPDATE and DELETE; -1 if there is none. */
    public int address() {
        return -1;
    }

    /** Two rows side by side. */
    public static Row concat(Row left, Row right) {
        return new Row(left.code, left.fields() + right.fields()) {
            @Override
            public Value compute(int index) {
                return index < left.fields() ? left.field(index) : right.field(index - left.fields());
            }

            @Override
            public String name(int index) {
                return index < left.fields() ? left.name(index) : right.name(index - left.fields());
            }

            @Override
            public int address() {
                return left.address() >= 0 ? left.address() : right.address();
            }
        };
    }

    /** A row whose fields are computed from another one. */
    public static Row derived(Row input, int fields, IntFunction<Value> emit) {
        return new Row(input.code, fields) {
            @Override
            public Value compute(int index) {
                return emit.apply(index);
            }

            @Override
            public int address() {
                return input.address();
            }
        };
    }

    /** A row of values that are there already. */
    public static Row of(Code code, List<Value> values) {
        return new Row(code, values.size()) {
            @Override
            public Value compute(int index) {
                return values.get(index);
            }
        };
    }

    /** A row without fields. */
    public static Row empty(Code code) {
        return of(code, List.of());
    }
}
