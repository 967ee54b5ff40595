package io.reprise.procedure;

import java.math.BigDecimal;

/**
 * The rows that a query found, read by a cursor that starts before the first row. Columns are numbered from 0.
 *
 * <p>Nothing is boxed: {@link #longAt} reads every integer type, BOOLEAN (0 or 1), TIMESTAMP (microseconds), DATE (days)
 * and, as a whole number without its fraction, DECIMAL; {@link #unscaledAt} reads DECIMAL exactly. A NULL read as a
 * number is an error: ask {@link #isNull} first. {@link #stringAt} and {@link #textAt} give null for NULL.
 */
public abstract class Rows {
    /** For the server. */
    protected Rows() {}

    /** The number of rows. */
    public abstract int count();

    /** Moves to the next row; false when there is none. */
    public abstract boolean next();

    /** Moves back before the first row. */
    public abstract void rewind();

    /** The number of columns of a row. */
    public abstract int columns();

    /** A column's name. */
    public abstract String columnName(int column);

    /** Whether the column of the current row is NULL. */
    public abstract boolean isNull(int column);

    /** Reads an integer, BOOLEAN, TIMESTAMP, DATE or the whole part of a DECIMAL. */
    public abstract long longAt(int column);

    /** Reads a value that fits an int; an error where it does not. */
    public final int intAt(int column) {
        return Math.toIntExact(longAt(column));
    }

    /** Reads a BOOLEAN. */
    public final boolean booleanAt(int column) {
        return longAt(column) != 0;
    }

    /** Reads any number as a double. */
    public abstract double doubleAt(int column);

    /** Reads a DECIMAL in units of its scale (cents for DECIMAL(12,2)). */
    public abstract long unscaledAt(int column);

    /** Reads a DECIMAL or integer exactly. Allocates. */
    public abstract BigDecimal decimalAt(int column);

    /** Reads a VARCHAR. Allocates. */
    public abstract String stringAt(int column);

    /** Reads a VARBINARY or the UTF-8 bytes of a VARCHAR. Allocates. */
    public abstract byte[] bytesAt(int column);

    /**
     * Reads a VARCHAR or VARBINARY without allocating: a view owned by this object, one for each column, valid until
     * the cursor moves.
     */
    public abstract Text textAt(int column);
}
