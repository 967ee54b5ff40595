package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;

/**
 * Writes to a row, column by column, for a thread that need not know the table: made by {@link
 * RowImageCodec#unpackColumns} on one thread, carried out by another. Two words for each write:
 *
 * <pre>
 *  long offset in the row, in the lower half, and kind in the upper | long value
 *
 *  kind   1, 2, 4, 8: so many bytes of the value, its lowest; the others may be anything
 *         16:         sets the bits that the value has in one byte
 *         32:         clears them
 * </pre>
 */
public final class ColumnWrites {
    /** Of one write. */
    static final int BYTES = 2 * Long.BYTES;

    private static final int SET = 16;
    private static final int CLEAR = 32;

    private ColumnWrites() {}

    /** The first word. */
    static long what(int offset, int kind) {
        return (long) kind << Integer.SIZE | offset;
    }

    static long put(Memory target, long at, int offset, int kind, long value) {
        target.putLong(at, what(offset, kind));
        target.putLong(at + Long.BYTES, value);
        return at + BYTES;
    }

    static long putNull(Memory target, long at, int offset, int mask, boolean isNull) {
        return put(target, at, offset, isNull ? SET : CLEAR, mask);
    }

    /** The most bytes that the writes of a table's columns take. */
    public static long most(int columns) {
        return 2L * columns * BYTES;
    }

    /** Carries out the writes in a range of the source. */
    public static void apply(Memory source, long from, long to, Memory memory, long row) {
        for (long at = from; at < to; at += BYTES) {
            long what = source.getLong(at);
            long value = source.getLong(at + Long.BYTES);
            long address = row + (int) what;
            switch ((int) (what >>> Integer.SIZE)) {
                case Byte.BYTES -> memory.putByte(address, (byte) value);
                case Short.BYTES -> memory.putShort(address, (short) value);
                case Integer.BYTES -> memory.putInt(address, (int) value);
                case Long.BYTES -> memory.putLong(address, value);
                case SET -> memory.putByte(address, (byte) (memory.getByte(address) | value));
                default -> memory.putByte(address, (byte) (memory.getByte(address) & ~value));
            }
        }
    }
}
