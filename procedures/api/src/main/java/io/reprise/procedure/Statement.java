package io.reprise.procedure;

import java.math.BigDecimal;

/**
 * One SQL statement of a procedure: set its parameters (by their index, from 0), then run it.
 *
 * <p>Parameters keep their values from one execution to the next within a transaction and are unset between
 * transactions. Running a statement with an unset parameter is an error. A numeric value outside the parameter's
 * range is refused when it is set or run, naming the parameter: errors count parameters from 1, as {@code parameter 1
 * of 3}.
 *
 * <p>DECIMAL parameters: {@link #set(int, BigDecimal)}, or without allocation {@link #setUnscaled} with the value in
 * units of the parameter's own scale (cents for DECIMAL(12,2)). An integer set by {@link #set(int, long)} is the
 * whole number (5 is 5.00). A BigDecimal with too many digits behind the point is rounded half away from zero if it
 * is stored or computed with. If it is only compared it is compared as it is, or refused if nothing of the
 * parameter's type can stand for it (in {@code ? IN (a, b)} where b has more digits than a).
 */
public abstract class Statement {
    /** For the server. */
    protected Statement() {}

    /** Sets an integer, BOOLEAN (0 or 1), DECIMAL, DOUBLE, TIMESTAMP (microseconds), DATE (days) or TIME (microseconds) parameter. */
    public abstract Statement set(int parameter, long value);

    /** Sets a DOUBLE parameter. */
    public abstract Statement set(int parameter, double value);

    /** Sets a BOOLEAN parameter. */
    public abstract Statement set(int parameter, boolean value);

    /** Sets a VARCHAR parameter; null is NULL. */
    public abstract Statement set(int parameter, String value);

    /** Sets a VARCHAR or VARBINARY parameter, copying the bytes; null is NULL. */
    public abstract Statement set(int parameter, Text value);

    /** Sets a VARBINARY parameter, copying the bytes; null is NULL. */
    public abstract Statement set(int parameter, byte[] value);

    /** Sets a DECIMAL parameter, or a DOUBLE or (if it is whole) an integer one; null is NULL. */
    public abstract Statement set(int parameter, BigDecimal value);

    /** Sets a DECIMAL parameter in units of its own scale. */
    public abstract Statement setUnscaled(int parameter, long unscaled);

    /** Sets a parameter of any type to NULL. */
    public abstract Statement setNull(int parameter);

    /**
     * Tells the engine that this statement will soon be run with the parameters set now, so that it may begin to bring
     * what it will read into the processor's cache. A hint: it changes nothing but the speed. It pays where a transaction
     * needs many rows and knows which: call it for all of them, then run the statement for one after the other.
     */
    public void prefetch() {}

    /** Runs a query. The rows are this statement's own: the next execution of the same statement replaces them. */
    public abstract Rows query();

    /** Runs a query and moves to the first row; {@link #rows} reads it. */
    public boolean first() {
        return query().next();
    }

    /** The rows of the last {@link #query} or {@link #first}. */
    public abstract Rows rows();

    /** Runs INSERT, UPDATE, DELETE, UPSERT or TRUNCATE. Returns the number of rows written. */
    public abstract long update();

    /**
     * Runs INSERT, UPDATE, DELETE, UPSERT or TRUNCATE whose count the procedure does not need. Over the nodes of a cluster such a write
     * travels with a later statement, or with the end of the transaction, and costs no round trip of its own. A failure is thrown here
     * all the same.
     */
    public void run() {
        update();
    }

    /**
     * Adds an execution with the parameters set so far to the batch that {@link Procedure#flush} runs. The result is
     * readable after the flush and until the transaction ends; for a write it is one row with the count.
     */
    public abstract Rows queue();
}
