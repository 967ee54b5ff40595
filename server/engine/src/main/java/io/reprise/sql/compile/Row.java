package io.reprise.sql.compile;

import io.reprise.sql.physical.FieldNames;
import io.reprise.sql.physical.PlanNode;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The row that an operator passes to the next one, as the emitters see it: a promise to emit the code that computes a
 * field when the field is asked for. What nobody asks for costs nothing.
 */
abstract class Row {
    private final Code code;
    private final Value[] computed;
    private final Region[] computedIn;
    private PlanNode source;

    Row(Code code, int fields) {
        this.code = code;
        computed = new Value[fields];
        computedIn = new Region[fields];
    }

    /** Emits the code for a field, unless that was done where this place can rely on it. */
    final Value field(int index) {
        if (computed[index] == null || !computedIn[index].isOpen()) {
            computed[index] = compute(index);
            computedIn[index] = code.region();
        }
        return computed[index];
    }

    final int fields() {
        return computed.length;
    }

    final Code code() {
        return code;
    }

    /** Takes note of which operator's row it is; the first one to say so is it. */
    final void comesFrom(PlanNode operator) {
        source = source == null ? operator : source;
    }

    /** What a field is called in errors. */
    String name(int index) {
        return source == null ? "column " + (index + 1) : FieldNames.of(source, index);
    }

    /** Emits the code that computes a field. */
    abstract Value compute(int index);

    /** The local with the address of the first table's row in this row, for UPDATE and DELETE; -1 if there is none. */
    int address() {
        return -1;
    }

    /** Two rows side by side. */
    static Row concat(Row left, Row right) {
        return new Row(left.code, left.fields() + right.fields()) {
            @Override
            Value compute(int index) {
                return index < left.fields() ? left.field(index) : right.field(index - left.fields());
            }

            @Override
            String name(int index) {
                return index < left.fields() ? left.name(index) : right.name(index - left.fields());
            }

            @Override
            int address() {
                return left.address() >= 0 ? left.address() : right.address();
            }
        };
    }

    /** A row whose fields are computed from another one. */
    static Row derived(Row input, int fields, IntFunction<Value> emit) {
        return new Row(input.code, fields) {
            @Override
            Value compute(int index) {
                return emit.apply(index);
            }

            @Override
            int address() {
                return input.address();
            }
        };
    }

    /** A row of values that are there already. */
    static Row of(Code code, List<Value> values) {
        return new Row(code, values.size()) {
            @Override
            Value compute(int index) {
                return values.get(index);
            }
        };
    }

    /** A row without fields. */
    static Row empty(Code code) {
        return of(code, List.of());
    }
}
