package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;

/**
 * Comparisons of one column of two rows, neither of which is NULL there, for generated code ({@link SetCode}). Addresses are those of the
 * column.
 */
final class ColumnComparison {
    private ColumnComparison() {}

    /** Writes the null bits of the nullable columns of a set. */
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
