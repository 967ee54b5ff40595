package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * Makes the words of primary keys that are nothing but whole numbers, for all tables whose keys are alike: a generated class (see
 * {@link KeyReaderFactory}), without state. Like a {@link RowReader} it is for what nearly all images are like, and says {@link
 * RowReader#OTHERWISE} of any other; it may read past the image, but not farther than {@link KeyReaderFactory#reach}.
 *
 * <p>The static methods are what generated code consists of. A number is at the beginning of a word of memory.
 */
abstract class KeyReader {
    KeyReader() {}

    /** Reads a key's image; returns the address behind it, or {@link RowReader#OTHERWISE}, and then the words are none. */
    abstract long key(Memory source, long at, long[] words);

    /** The same of the key that a row has. */
    abstract void ofRow(Memory memory, long row, long[] words);

    static long value(long word) {
        return Varint.unfold(Varint.ofWord(word, Varint.sizeInWord(word)));
    }

    /** Of a byte that was read by itself. */
    static boolean isBoolean(long value) {
        return (value & ~1L) == 0;
    }

    static boolean isShort(long word) {
        long value = value(word);
        return Varint.sizeInWord(word) <= Long.BYTES && value == (short) value;
    }

    static boolean isInt(long word) {
        long value = value(word);
        return Varint.sizeInWord(word) <= Long.BYTES && value == (int) value;
    }

    static boolean isLong(long word) {
        return Varint.sizeInWord(word) <= Long.BYTES;
    }
}
