package io.reprise.workload;

import io.reprise.procedure.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A call as objects, for {@link Database#call}: convenient and slow. */
public final class ArgumentList implements Call {
    private final List<Object> values = new ArrayList<>();
    private int procedure;

    /** The position of the procedure that was called last. */
    public int procedure() {
        return procedure;
    }

    /** The arguments of the last call. */
    public Object[] toArray() {
        return values.toArray();
    }

    @Override
    public Call procedure(int index) {
        procedure = index;
        values.clear();
        return this;
    }

    @Override
    public Call add(long value) {
        values.add(value);
        return this;
    }

    @Override
    public Call add(double value) {
        values.add(value);
        return this;
    }

    @Override
    public Call add(Text value) {
        values.add(value.toString());
        return this;
    }

    @Override
    public Call add(int[] array, int count) {
        values.add(Arrays.copyOf(array, count));
        return this;
    }

    @Override
    public Call add(long[] array, int count) {
        values.add(Arrays.copyOf(array, count));
        return this;
    }

    @Override
    public Call addNull() {
        values.add(null);
        return this;
    }
}
