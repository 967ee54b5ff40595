package io.reprise.workload;

import java.util.Arrays;
import java.util.List;

/** Draws calls from a generator for tests: arguments as objects, integers as longs. */
public final class CallRecorder {
    private final Generator generator;
    private final ArgumentList call = new ArgumentList();

    /** Records this generator's calls. */
    public CallRecorder(Generator generator) {
        this.generator = generator;
    }

    /** Draws the next call; returns the procedure's position. */
    public int next() {
        int procedure = generator.next(call);
        if (procedure != call.procedure()) {
            throw new AssertionError("next returned " + procedure + " but called " + call.procedure());
        }
        return procedure;
    }

    /** An integer argument of the last call. */
    public int intAt(int argument) {
        return Math.toIntExact((Long) call.toArray()[argument]);
    }

    /** An array argument of the last call. */
    public int[] intsAt(int argument) {
        return (int[]) call.toArray()[argument];
    }

    /** An argument of the last call. */
    public Object at(int argument) {
        return call.toArray()[argument];
    }

    /** The number of arguments of the last call. */
    public int arguments() {
        return call.toArray().length;
    }

    /** The last call as text. */
    public String describe() {
        return call.procedure() + ": " + Arrays.deepToString(call.toArray());
    }

    /** The next calls as text. */
    public List<String> describeNext(int count) {
        String[] calls = new String[count];
        for (int i = 0; i < count; i++) {
            next();
            calls[i] = describe();
        }
        return List.of(calls);
    }

    /** Two partitions: even values in 0, odd values in 1. */
    public static Placement evenAndOdd() {
        return new Placement() {
            @Override
            public int partitions() {
                return 2;
            }

            @Override
            public int partitionOf(long partitioningValue) {
                return (int) (partitioningValue & 1);
            }
        };
    }
}
