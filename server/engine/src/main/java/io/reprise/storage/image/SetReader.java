package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;

/**
 * Reads the images of some columns of rows as {@link ColumnWrites}, for all tables of up to 64 columns whose rows look alike: a
 * generated class (see {@link SetReaderFactory}), without state. Like a {@link RowReader} it is for what nearly all images are like,
 * and says {@link RowReader#OTHERWISE} of any other, and of a set with strings; it may read past the image, but not farther than {@link
 * SetReaderFactory#reach}. It consists of calls of {@link RowReader}'s static methods.
 */
abstract class SetReader {
    SetReader() {}

    /**
     * Reads the columns of a set, from their null bits on. Their number follows from the set. Returns the address behind the
     * image, or {@link RowReader#OTHERWISE}.
     */
    abstract long columns(Memory source, long at, long set, Memory target, long to);

    /** Whether one of the null bits is set. */
    static boolean isNull(Memory source, long bits, int bit) {
        return (source.getByte(bits + (bit >> 3)) >> (bit & 7) & 1) != 0;
    }
}
