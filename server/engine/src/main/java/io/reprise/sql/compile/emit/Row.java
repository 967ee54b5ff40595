package io.reprise.sql.compile.emit;

import io.reprise.sql.physical.FieldNames;
import io.reprise.sql.physical.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The row that an operator passes to the next one, as the emitters see it: a promise to emit the code that computes a
 * field when the field is asked for. Other fields cost nothing.
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

    /** A field's name in errors. */
    public String name(int index) {
        return source == null ? "column " + (index + 1) : FieldNames.of(source, index);
    }

    /** Emits the code that computes a field. */
    public abstract Value compute(int index);

    /** About how much code a field takes, in nodes of an expression. */
    public int weight(int index) {
        return 1;
    }

    /** Emits what another method needs to take the row over. */
    public final Carried carry() {
        Carried carried = carryFields();
        return callee -> {
            Row row = carried.in(callee);
            row.source = source;
            return row;
        };
    }

    /** The same without the row's name; unless a row knows better, all of its fields are computed. */
    protected Carried carryFields() {
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < computed.length; i++) {
            values.add(field(i));
        }
        return new ComputedRow(code, values).carryFields();
    }

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
            public int weight(int index) {
                return index < left.fields() ? left.weight(index) : right.weight(index - left.fields());
            }

            @Override
            protected Carried carryFields() {
                Carried carriedLeft = left.carry();
                Carried carriedRight = right.carry();
                return callee -> concat(carriedLeft.in(callee), carriedRight.in(callee));
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
        return new ComputedRow(code, values);
    }

    /** A row without fields. */
    public static Row empty(Code code) {
        return of(code, List.of());
    }
}
