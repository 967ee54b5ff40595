package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * Reads the images of rows of all tables whose rows look alike: a generated class (see {@link RowReaderFactory}), without state.
 * It is for what nearly all images are like, and says {@link #OTHERWISE} of any other, and of what is no image: {@link
 * RowImageCodec#unpackRow} reads it column by column then, and finds out.
 *
 * <p>It does not know where the image ends and may read past it, but not farther than {@link RowReaderFactory#reach}; the caller looks
 * whether it has read too much.
 *
 * <p>The static methods are what generated code consists of: each reads the value of one column, which is not NULL, from the
 * source's address {@code at} to the target's address {@code to}, and returns the address behind it.
 */
abstract class RowReader {
    /** Returned instead of an address. */
    static final long OTHERWISE = -1;

    RowReader() {}

    /** Reads a row's image into bytes that are zero; returns the address behind the image, or {@link #OTHERWISE}. */
    abstract long row(Memory source, long at, Memory target, long row);

    static long readBoolean(Memory source, long at, Memory target, long to) {
        byte value = source.getByte(at);
        if ((value & ~1) != 0) {
            return OTHERWISE;
        }
        target.putByte(to, value);
        return at + 1;
    }

    static long readByte(Memory source, long at, Memory target, long to) {
        target.putByte(to, source.getByte(at));
        return at + 1;
    }

    static long readShort(Memory source, long at, Memory target, long to) {
        long word = source.getLong(at);
        int size = Varint.sizeInWord(word);
        long value = Varint.unfold(Varint.ofWord(word, size));
        if (size > Long.BYTES || value != (short) value) {
            return OTHERWISE;
        }
        target.putShort(to, (short) value);
        return at + size;
    }

    static long readInt(Memory source, long at, Memory target, long to) {
        long word = source.getLong(at);
        int size = Varint.sizeInWord(word);
        long value = Varint.unfold(Varint.ofWord(word, size));
        if (size > Long.BYTES || value != (int) value) {
            return OTHERWISE;
        }
        target.putInt(to, (int) value);
        return at + size;
    }

    static long readLong(Memory source, long at, Memory target, long to) {
        long word = source.getLong(at);
        int size = Varint.sizeInWord(word);
        if (size > Long.BYTES) {
            return OTHERWISE;
        }
        target.putLong(to, Varint.unfold(Varint.ofWord(word, size)));
        return at + size;
    }

    static long readDouble(Memory source, long at, Memory target, long to) {
        target.putLong(to, source.getLong(at));
        return at + Double.BYTES;
    }

    /** A string of no more bytes than fit into the row: its length in one byte, then its bytes, as its image is. */
    static long readInline(Memory source, long at, Memory target, long to, int most) {
        int length = source.getByte(at);
        if (length < 0 || length > most) {
            return OTHERWISE;
        }
        target.putByte(to, (byte) length);
        target.copyFrom(source, at + 1, to + 1, length);
        return at + 1 + length;
    }
}
