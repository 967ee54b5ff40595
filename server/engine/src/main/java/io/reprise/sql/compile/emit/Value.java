package io.reprise.sql.compile.emit;

import io.reprise.catalog.SqlType;

/**
 * A value that generated code has computed, and where it is: in a local variable, or a constant known while compiling.
 * The null flag is a local of its own, and absent where the value can't be NULL, so that no code tests it.
 *
 * <p>The local holds a {@code double} for DOUBLE and a {@code long} for everything else. With a flag of NULL the
 * local holds 0.
 */
public final class Value {
    private static final int NONE = -1;

    public final SqlType type;

    /** The local with the value, or -1 for a constant. */
    public final int slot;

    /** The value of a constant; DOUBLE as its bits. */
    public final long constant;

    /** The int local that is 1 for NULL and 0 otherwise, or -1. */
    public final int nullSlot;

    /** The literal NULL. */
    public final boolean isNull;

    /** Whether it is a string whose bytes may lie in a table's row, where an update of the row would change them. */
    public final boolean inRow;

    /** The place of the string in the row, if it is an inline column just read and that is known. */
    public final Place place;

    /** An inline string column: the local with the row's address, the column's offset and its bytes. */
    public record Place(int row, int offset, int width) {}

    private Value(SqlType type, int slot, long constant, int nullSlot, boolean isNull, boolean inRow, Place place) {
        this.type = type;
        this.slot = slot;
        this.constant = constant;
        this.nullSlot = nullSlot;
        this.isNull = isNull;
        this.inRow = inRow;
        this.place = place;
    }

    public static Value constant(SqlType type, long word) {
        return new Value(type, NONE, word, NONE, false, false, null);
    }

    public static Value nullOf(SqlType type) {
        return new Value(type, NONE, 0, NONE, true, false, null);
    }

    public static Value local(SqlType type, int slot) {
        return new Value(type, slot, 0, NONE, false, false, null);
    }

    public static Value nullable(SqlType type, int slot, int nullSlot) {
        return new Value(type, slot, 0, nullSlot, false, false, null);
    }

    /** The same value, known to point (or not) into a row. */
    public Value pointingIntoRow(boolean into) {
        return new Value(type, slot, constant, nullSlot, isNull, into, into ? place : null);
    }

    /** The same string, known to lie there. */
    public Value at(Place where) {
        return new Value(type, slot, constant, nullSlot, isNull, true, where);
    }

    /** The same word under another type of the same representation. */
    public Value as(SqlType other) {
        return new Value(other, slot, constant, nullSlot, isNull, inRow, place);
    }

    /** The same value where it is known not to be NULL. */
    public Value notNull() {
        return new Value(type, slot, constant, NONE, false, inRow, place);
    }

    public boolean isConstant() {
        return slot == NONE;
    }

    /** Whether there is a flag to test. */
    public boolean hasNullFlag() {
        return nullSlot != NONE;
    }

    public boolean isDouble() {
        return type.kind() == SqlType.Kind.DOUBLE;
    }

    public boolean isString() {
        return type.kind().isString();
    }
}
