package io.reprise.sql.compile;

import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;

/**
 * The base of generated classes: parameters, result rows, and the generated {@link #execute}. The methods below are what
 * other packages rely on.
 */
public abstract class CompiledStatement extends Statement {
    /** Forgets the parameters and frees queued results; called before each transaction that may use the statement. */
    public abstract void reset();

    /** The bucket of the partitioning value for the parameters set now; only for scope Key. */
    public abstract int bucket();

    /** Runs the fragment with the parameters set now, into {@link #rows}; for writes a row with the count. */
    public abstract void execute();

    /** Runs the merge plan over rows gathered from the fragments' results, into {@link #rows}. */
    public abstract void merge(Iterable<? extends Rows> fragments);
}
