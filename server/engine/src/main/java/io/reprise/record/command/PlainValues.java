package io.reprise.record.command;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * Writes those parts of a command that most calls consist of, numbers and arrays of int, directly where the log's writer
 * finds them: {@link CommandWriter}'s detour by a buffer of its own costs more than such a call's bytes. Each method returns the
 * address behind what it has written, and may write anything up to its number of bytes; that these are there is for the caller
 * to see to.
 */
public final class PlainValues {
    /** What {@link #begin} may write. */
    public static final int BEGIN_BYTES = Varint.MOST_BYTES;

    /** What a value that is no array may write. */
    public static final int VALUE_BYTES = 1 + Varint.MOST_BYTES;

    private PlainValues() {}

    /** What an array of so many elements may write. */
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

    /** An integer of any width; TIMESTAMP and DATE too. */
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
