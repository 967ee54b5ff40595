package io.reprise.benchmark.adaptive;

import io.reprise.procedure.Text;
import io.reprise.workload.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A generated call as a procedure's position and its arguments. */
final class CollectedCall implements Call {
    private int procedure;
    private final List<Object> arguments = new ArrayList<>();

    int procedure() {
        return procedure;
    }

    Object[] arguments() {
        return arguments.toArray();
    }

    @Override
    public Call procedure(int index) {
        procedure = index;
        arguments.clear();
        return this;
    }

    @Override
    public Call add(long value) {
        arguments.add(value);
        return this;
    }

    @Override
    public Call add(double value) {
        arguments.add(value);
        return this;
    }

    @Override
    public Call add(Text value) {
        arguments.add(value.toString());
        return this;
    }

    @Override
    public Call add(int[] values, int count) {
        arguments.add(Arrays.copyOf(values, count));
        return this;
    }

    @Override
    public Call add(long[] values, int count) {
        arguments.add(Arrays.copyOf(values, count));
        return this;
    }

    @Override
    public Call addNull() {
        arguments.add(null);
        return this;
    }
}
