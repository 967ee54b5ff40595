package io.reprise.procedure;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.StringJoiner;

/**
 * The rows that a query found, read by a cursor that starts before the first row. Columns have indexes from 0, and names.
 *
 * <p>Nothing is boxed: {@link #longAt} reads every integer type, BOOLEAN (0 or 1), TIMESTAMP (microseconds), DATE (days)
 * and, as a whole number without its fraction, DECIMAL; {@link #unscaledAt} reads DECIMAL exactly. A DECIMAL of
 * more than 18 digits that a long has no room for is an error: {@code decimalAt} reads it. A NULL read as a
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

    /** A column's type, as in DDL: {@code DECIMAL(12,2)}. */
    public abstract String columnType(int column);

    /** Whether the column of the current row is NULL. */
    public abstract boolean isNull(int column);

    /** Reads an integer, BOOLEAN, TIMESTAMP, DATE, TIME or the whole part of a DECIMAL. */
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

    /** Reads a TIMESTAMP; null for NULL. Allocates. */
    public final Instant instantAt(int column) {
        return isNull(column) ? null : Instant.EPOCH.plus(longAt(column), ChronoUnit.MICROS);
    }

    /** Reads a DATE; null for NULL. Allocates. */
    public final LocalDate dateAt(int column) {
        return isNull(column) ? null : LocalDate.ofEpochDay(longAt(column));
    }

    /** Reads a TIME; null for NULL. Allocates. */
    public final LocalTime timeAt(int column) {
        return isNull(column) ? null : LocalTime.ofNanoOfDay(longAt(column) * 1000);
    }

    /** Reads any value: null, Boolean, Long, Double, BigDecimal, String, byte[], Instant, LocalDate or LocalTime. Allocates. */
    public abstract Object valueAt(int column);

    /** The index of a column, whatever the case of its name. Look it up once, outside of a loop over rows. */
    public final int column(String name) {
        int found = -1;
        for (int i = 0; i < columns(); i++) {
            if (name.equalsIgnoreCase(columnName(i))) {
                if (found >= 0) {
                    throw new IllegalArgumentException("several columns are called " + name + "; use their indexes, "
                            + found + " and " + i + ", or give them names with AS");
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("no column is called " + name + "; there are " + columnNames());
        }
        return found;
    }

    private String columnNames() {
        StringJoiner names = new StringJoiner(", ");
        for (int i = 0; i < columns(); i++) {
            names.add(columnName(i));
        }
        return names.toString();
    }

    /** Whether the column of this name is NULL in the current row. */
    public final boolean isNull(String column) {
        return isNull(column(column));
    }

    /** Reads the column of this name; see {@link #longAt(int)}. */
    public final long longAt(String column) {
        return longAt(column(column));
    }

    /** Reads the column of this name; see {@link #intAt(int)}. */
    public final int intAt(String column) {
        return intAt(column(column));
    }

    /** Reads the column of this name; see {@link #booleanAt(int)}. */
    public final boolean booleanAt(String column) {
        return booleanAt(column(column));
    }

    /** Reads the column of this name; see {@link #doubleAt(int)}. */
    public final double doubleAt(String column) {
        return doubleAt(column(column));
    }

    /** Reads the column of this name; see {@link #decimalAt(int)}. */
    public final BigDecimal decimalAt(String column) {
        return decimalAt(column(column));
    }

    /** Reads the column of this name; see {@link #stringAt(int)}. */
    public final String stringAt(String column) {
        return stringAt(column(column));
    }

    /** Reads the column of this name; see {@link #bytesAt(int)}. */
    public final byte[] bytesAt(String column) {
        return bytesAt(column(column));
    }

    /** Reads the column of this name; see {@link #instantAt(int)}. */
    public final Instant instantAt(String column) {
        return instantAt(column(column));
    }

    /** Reads the column of this name; see {@link #dateAt(int)}. */
    public final LocalDate dateAt(String column) {
        return dateAt(column(column));
    }

    /** Reads the column of this name; see {@link #timeAt(int)}. */
    public final LocalTime timeAt(String column) {
        return timeAt(column(column));
    }

    /** Reads the column of this name; see {@link #valueAt(int)}. */
    public final Object valueAt(String column) {
        return valueAt(column(column));
    }
}
