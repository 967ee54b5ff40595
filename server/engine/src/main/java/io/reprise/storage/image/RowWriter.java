package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;

/**
 * Writes the rows and keys of all tables whose rows look alike: a generated class (see {@link RowWriterFactory}), without
 * state, so that all partitions and all who write images share it. Up to {@link ColumnImages#SLACK} bytes are written
 * behind what is returned.
 *
 * <p>The static methods are what generated code consists of: each writes the value of one column, which is not NULL.
 */
abstract class RowWriter {
    RowWriter() {}

    /** Writes a row's image and returns the address behind it. */
    abstract long row(Memory memory, long row, Memory target, long address);

    /** Writes a row's primary key and returns the address behind it. */
    abstract long key(Memory memory, long row, Memory target, long address);

    static long putByte(Memory memory, long from, Memory target, long at) {
        target.putByte(at, memory.getByte(from));
        return at + 1;
    }

    static long putShort(Memory memory, long from, Memory target, long at) {
        return Varint.putSignedRoomy(target, at, memory.getShort(from));
    }

    static long putInt(Memory memory, long from, Memory target, long at) {
        return Varint.putSignedRoomy(target, at, memory.getInt(from));
    }

    static long putLong(Memory memory, long from, Memory target, long at) {
        return Varint.putSignedRoomy(target, at, memory.getLong(from));
    }

    static long putDouble(Memory memory, long from, Memory target, long at) {
        target.putLong(at, memory.getLong(from));
        return at + Double.BYTES;
    }

    /** A string in the row is its length in one byte, then its bytes, as its image is: copied in words, roughly. */
    static long putInline(Memory memory, long from, Memory target, long at) {
        int length = memory.getByte(from);
        if (length == RowLayout.SPILLED) {
            return putHeap(memory, from + 1, target, at);
        }
        target.putLong(at, memory.getLong(from));
        if (length >= 8) {
            target.putLong(at + 8, memory.getLong(from + 8));
        }
        if (length >= 16) {
            target.putLong(at + 16, memory.getLong(from + 16));
        }
        if (length >= 24) {
            target.putLong(at + 24, memory.getLong(from + 24));
        }
        if (length >= 32) {
            target.copyFrom(memory, from + 32, at + 32, length + 1 - 32);
        }
        return at + 1 + length;
    }

    /** A string in the heap, whose reference is given. */
    static long putHeap(Memory memory, long from, Memory target, long at) {
        long ref = memory.getLong(from);
        int length = Ref.length(ref);
        long bytes = Varint.put(target, at, length);
        target.copyFrom(memory, Ref.address(ref), bytes, length);
        return bytes + length;
    }
}
