package io.reprise.procedure;

import java.math.BigDecimal;

/**
 * A table that a procedure fills and returns: {@code add...} appends the values of a row from left to right, {@link
 * #endRow} completes it. It is emptied by the engine before each transaction.
 */
public abstract class ResultTable {
    /** For the server. */
    protected ResultTable() {}

    /** Appends an integer. */
    public abstract ResultTable add(long value);

    /** Appends a double. */
    public abstract ResultTable add(double value);

    /** Appends a string; null is NULL. */
    public abstract ResultTable add(String value);

    /** Appends a string, copying its bytes; null is NULL. */
    public abstract ResultTable add(Text value);

    /** Appends a decimal given in units of 10^-scale. */
    public abstract ResultTable addUnscaled(long unscaled, int scale);

    /** Appends a decimal; null is NULL. */
    public abstract ResultTable add(BigDecimal value);

    /** Appends NULL. */
    public abstract ResultTable addNull();

    /** Completes the row. */
    public abstract ResultTable endRow();
}
