package io.reprise.wire;

import java.math.BigDecimal;
import java.util.Objects;

/** The arguments of a call, encoded from left to right as they are given. Reused; one thread's at a time. */
public final class ArgumentWriter {
    private static final int INITIAL_BYTES = 128;

    private final MessageWriter bytes = new MessageWriter(INITIAL_BYTES);
    private CallReader looking;

    /** Forgets all arguments. Returns this, as all methods do. */
    public ArgumentWriter clear() {
        bytes.clear();
        return this;
    }

    /** An integer of any width, a TIMESTAMP (microseconds since 1970), a DATE (days since 1970) or a TIME (microseconds since midnight). */
    public ArgumentWriter add(long value) {
        ValueWriter.integer(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /** A double. */
    public ArgumentWriter add(double value) {
        ValueWriter.number(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /** A boolean. */
    public ArgumentWriter add(boolean value) {
        ValueWriter.bool(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /** A string, or null. */
    public ArgumentWriter add(String value) {
        if (value == null) {
            return addNull();
        }
        ValueWriter.text(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /**
     * Adds a string that is UTF-8 already. Other bytes are refused here: the server would end the connection, and
     * with it all other calls on it.
     *
     * @throws IllegalArgumentException if it is not UTF-8; nothing has been added then
     */
    public ArgumentWriter addUtf8(byte[] value, int from, int length) {
        Objects.checkFromIndexSize(from, length, value.length);
        if (!Utf8.isValid(value, from, length)) {
            throw new IllegalArgumentException("the " + length
                    + " bytes given as a string are not UTF-8; if they are no text, add them as a binary value");
        }
        ValueWriter.text(bytes, Wire.CALL_ARGUMENT, value, from, length);
        return this;
    }

    /** A decimal, or null. */
    public ArgumentWriter add(BigDecimal value) {
        if (value == null) {
            return addNull();
        }
        ValueWriter.decimal(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /** A binary value, or null. */
    public ArgumentWriter add(byte[] value) {
        if (value == null) {
            return addNull();
        }
        ValueWriter.binary(bytes, Wire.CALL_ARGUMENT, value);
        return this;
    }

    /** An array, or null. */
    public ArgumentWriter add(int[] values) {
        return values == null ? addNull() : add(values, values.length);
    }

    /** The first elements of an array. */
    public ArgumentWriter add(int[] values, int count) {
        ValueWriter.ints(bytes, Wire.CALL_ARGUMENT, values, count);
        return this;
    }

    /** An array, or null. */
    public ArgumentWriter add(long[] values) {
        return values == null ? addNull() : add(values, values.length);
    }

    /** The first elements of an array. */
    public ArgumentWriter add(long[] values, int count) {
        ValueWriter.longs(bytes, Wire.CALL_ARGUMENT, values, count);
        return this;
    }

    /** An array, or null. */
    public ArgumentWriter add(double[] values) {
        if (values == null) {
            return addNull();
        }
        ValueWriter.numbers(bytes, Wire.CALL_ARGUMENT, values);
        return this;
    }

    /** An array without null elements, or null. */
    public ArgumentWriter add(String[] values) {
        if (values == null) {
            return addNull();
        }
        for (String value : values) {
            if (value == null) {
                throw new IllegalArgumentException("an array of strings has a null element, which no procedure takes");
            }
        }
        ValueWriter.texts(bytes, Wire.CALL_ARGUMENT, values);
        return this;
    }

    /** NULL. */
    public ArgumentWriter addNull() {
        ValueWriter.nothing(bytes, Wire.CALL_ARGUMENT);
        return this;
    }

    /** The number of which a bucket is made, if the argument at a position (from 0) decides on it. */
    public long partitioningValue(int position) {
        if (looking == null) {
            looking = new CallReader();
        }
        return looking.partitioningValue(bytes.array(), bytes.length(), position);
    }

    /** The number of bytes of the arguments so far. */
    public int length() {
        return bytes.length();
    }

    MessageWriter bytes() {
        return bytes;
    }
}
