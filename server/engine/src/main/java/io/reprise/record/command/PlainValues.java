package io.reprise.record.command;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * The fast path of command records: writes numbers and arrays of int directly into the log's ring, because {@link CommandWriter}'s buffer
 * costs more than the bytes of such a call. Each method returns the address behind its value, and may overwrite up to its bound of bytes, for
 * which the caller makes room.
 */
public final class PlainValues {
    /** The most bytes that {@link #begin} writes. */
    public static final int BEGIN_BYTES = Varint.MOST_BYTES;

    /** The most bytes of a value that is no array. */
    public static final int VALUE_BYTES = 1 + Varint.MOST_BYTES;

    private PlainValues() {}

    /** The most bytes of an array of so many elements. */
    public static long bytesOfInts(int elements) {
        return 1 + (1L + elements) * Varint.MOST_BYTES;
    }

    /** Begins the call of a procedure. */
    public static long begin(Memory memory, long at, long versionId) {
        if (versionId <= 0) {
            throw new IllegalArgumentException("version ids begin with 1, so " + versionId + " is none");
        }
        return Varint.putRoomy(memory, at, versionId);
    }

    /** NULL. */
    public static long putNull(Memory memory, long at) {
        memory.putByte(at, (byte) CommandFormat.NULL);
        return at + 1;
    }

    /** A boolean. */
    public static long putBoolean(Memory memory, long at, boolean value) {
        memory.putByte(at, (byte) (value ? CommandFormat.TRUE : CommandFormat.FALSE));
        return at + 1;
    }

    /** An integer of any width; TIMESTAMP, DATE and TIME too. */
    public static long putInteger(Memory memory, long at, long value) {
        if (value >= CommandFormat.LEAST_SMALL && value <= CommandFormat.MOST_SMALL) {
            memory.putByte(at, (byte) (value - CommandFormat.LEAST_SMALL));
            return at + 1;
        }
        memory.putByte(at, (byte) CommandFormat.INTEGER);
        return Varint.putRoomy(memory, at + 1, Varint.fold(value));
    }

    /** A double, with exactly these bits. */
    public static long putDouble(Memory memory, long at, double value) {
        memory.putByte(at, (byte) CommandFormat.DOUBLE);
        memory.putLong(at + 1, Double.doubleToRawLongBits(value));
        return at + 1 + Double.BYTES;
    }

    /** An array. */
    public static long putInts(Memory memory, long at, int[] values) {
        memory.putByte(at, (byte) CommandFormat.INTS);
        long to = Varint.putRoomy(memory, at + 1, values.length);
        for (int value : values) {
            to = Varint.putRoomy(memory, to, Varint.fold(value));
        }
        return to;
    }
}
