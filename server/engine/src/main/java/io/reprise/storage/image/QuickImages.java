package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.index.IndexKey;

/**
 * Reads images that are as nearly all are, for who reads millions of them: generated code one piece behind the other, with addresses
 * in registers. Says {@link #OTHERWISE} of all others, and of what is no image; a {@link RowImageCodec} reads those, or finds out what is
 * wrong.
 *
 * <p>It may read past an image, but not farther than {@link #reach} from where the operation begins; the caller looks whether it has read
 * too much. Depends on the table's definition alone. One thread's.
 */
public final class QuickImages {
    /** Returned instead of an address or a set. */
    public static final long OTHERWISE = RowReader.OTHERWISE;

    private final RowReader rows;
    private final KeyReader keys;
    private final SetReader columns;
    private final int rowSize;
    private final long reach;
    private final int setBytes;

    /** The bits that are a set's in the word which begins with it. */
    private final long setBits;

    /** Columns  not, and that don't change in place. */
    private final long never;

    private final long nullable;

    /** Columns of any index. */
    private final long indexed;

    private final ColumnSets sets;
    private final long[] set = new long[1];

    QuickImages(
            RowReader rows,
            KeyReader keys,
            SetReader columns,
            ColumnSets sets,
            int rowSize,
            long nullable,
            long reach) {
        this.rows = rows;
        this.keys = keys;
        this.columns = columns;
        this.sets = sets;
        this.rowSize = rowSize;
        this.nullable = nullable;
        this.reach = reach;
        setBytes = sets.imageBytes();
        setBits = -1L >>> Long.SIZE - Byte.SIZE * setBytes;
        never = ~sets.all() | sets.unique();
        indexed = sets.indexed();
    }

    /** The number of bytes that may be read from the beginning of an image. */
    public long reach() {
        return reach;
    }

    /** As {@link RowImageCodec#unpackRow}; returns the address behind the image. */
    public long row(Memory source, long at, Memory target, long row) {
        target.zero(row + Long.BYTES, rowSize - Long.BYTES);
        return rows.row(source, at, target, row);
    }

    /** Whether keys are read at all. */
    public boolean readsKeys() {
        return keys != null;
    }

    /** As {@link RowImageCodec#readKey}; returns the address behind the image. */
    public long key(Memory source, long at, IndexKey key) {
        return keys.key(source, at, key.words);
    }

    /** Reads a set of columns none of which is in a unique index. */
    public long set(Memory source, long at) {
        long read = source.getLong(at) & setBits;
        return (read & never) == 0 ? read : OTHERWISE;
    }

    /** The number of bytes of a set. */
    public int setBytes() {
        return setBytes;
    }

    /** As {@link ColumnSets#indexesOf}. */
    public long indexesOf(long ofSet) {
        if ((ofSet & indexed) == 0) {
            return 0;
        }
        set[0] = ofSet;
        return sets.indexesOf(set);
    }

    /** Reads the columns of a set as {@link ColumnWrites}; returns the address behind the image. */
    public long columns(Memory source, long at, long ofSet, Memory target, long to) {
        return columns.columns(source, at, ofSet, target, to);
    }

    /** The number of bytes of the {@link ColumnWrites} of a set. */
    public long writesOf(long ofSet) {
        return (long) (Long.bitCount(ofSet) + Long.bitCount(ofSet & nullable)) * ColumnWrites.BYTES;
    }
}
