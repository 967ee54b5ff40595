package io.reprise.workload;

import io.reprise.procedure.Text;

/**
 * Takes a call from a generator: the procedure, then its arguments from left to right. The values are copied before the
 * method returns, so the generator uses its arrays and texts again.
 */
public interface Call {
    /** Begins a call of the procedure with this position in {@link Workload#procedures}. */
    Call procedure(int index);

    /** Appends an integer, BOOLEAN (0, 1), TIMESTAMP or DATE; for byte to long parameters. */
    Call add(long value);

    /** Appends a double. */
    Call add(double value);

    /** Appends a string. */
    Call add(Text value);

    /** Appends the first {@code count} elements of an array. */
    Call add(int[] values, int count);

    /** Appends the first {@code count} elements of an array. */
    Call add(long[] values, int count);

    /** Appends NULL. */
    Call addNull();
}
