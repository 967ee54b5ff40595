package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;

/**
 * Finds the columns of rows that have changed, and writes some columns of rows, for all tables of up to 64 columns whose rows look
 * alike: a generated class (see {@link SetWriterFactory}), without state, shared as {@link RowWriter}s are. A set of columns is one
 * word. Up to {@link ColumnImages#SLACK} bytes are written behind what is returned.
 *
 * <p>The static methods are what generated code consists of: each says of one column, which is not NULL, whether two rows differ
 * in it.
 */
abstract class SetWriter {
    SetWriter() {}

    /**
     * Those of the candidates whose values differ between a row and an image of some of its bytes.
     *
     * @param image where the row would begin of whose bytes the image is a copy; it has all candidates' values and null bits
     */
    abstract long changed(Memory memory, long row, long image, long candidates);

    /** Writes the image of a set and of its columns, and returns the address behind it. */
    abstract long columns(Memory memory, long row, long set, Memory target, long address);

    /** The null bits of the columns of a set that can be NULL. */
    static void putNulls(Memory target, long from, long to, long nulls) {
        long rest = nulls;
        for (long at = from; at < to; at++) {
            target.putByte(at, (byte) rest);
            rest >>>= Byte.SIZE;
        }
    }

    static boolean byteDiffers(Memory memory, long a, long b) {
        return memory.getByte(a) != memory.getByte(b);
    }

    static boolean shortDiffers(Memory memory, long a, long b) {
        return memory.getShort(a) != memory.getShort(b);
    }

    static boolean intDiffers(Memory memory, long a, long b) {
        return memory.getInt(a) != memory.getInt(b);
    }

    static boolean longDiffers(Memory memory, long a, long b) {
        return memory.getLong(a) != memory.getLong(b);
    }

    /** A string in the row: its length in one byte, then its bytes. Equal strings lie in the same way. */
    static boolean inlineDiffers(Memory memory, long a, long b) {
        int length = memory.getByte(a);
        if (length != memory.getByte(b)) {
            return true;
        }
        return length == RowLayout.SPILLED
                ? heapDiffers(memory, a + 1, b + 1)
                : length > 0 && !memory.sameBytes(a + 1, b + 1, length);
    }

    /** A string in the heap, whose reference is given. */
    static boolean heapDiffers(Memory memory, long a, long b) {
        long one = memory.getLong(a);
        long other = memory.getLong(b);
        return one != other
                && (Ref.length(one) != Ref.length(other)
                        || !memory.sameBytes(Ref.address(one), Ref.address(other), Ref.length(one)));
    }
}
