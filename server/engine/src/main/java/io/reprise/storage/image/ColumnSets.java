package io.reprise.storage.image;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import java.util.Arrays;
import java.util.List;

/**
 * Sets of a table's columns: bit i of all bits of an array of longs says that column i is in the set. The images of rows'
 * columns begin with one. Immutable; any thread may use it.
 */
public final class ColumnSets {
    private final Table table;
    private final ColumnImages columns;
    private final int words;
    private final int imageBytes;

    /** Whether a set is one word. */
    private final boolean narrow;

    /** The nullable columns among the first 64. */
    private final long nullable;

    /** The columns of each index, as sets. */
    private final long[][] indexColumns;

    private final long[] notUnique;

    ColumnSets(Table table, ColumnImages columns, int... uniqueColumns) {
        this.table = table;
        this.columns = columns;
        words = (columns.count() + Long.SIZE - 1) / Long.SIZE;
        imageBytes = (columns.count() + 7) / 8;
        narrow = columns.count() <= Long.SIZE;
        nullable = columns.nullable();
        notUnique = new long[words];
        for (int column = 0; column < columns.count(); column++) {
            notUnique[column >> 6] |= 1L << column;
        }
        for (int column : uniqueColumns) {
            notUnique[column >> 6] &= ~(1L << column);
        }
        indexColumns =
                table.indexes().stream().map(index -> setOf(index.columns())).toArray(long[][]::new);
    }

    private long[] setOf(List<Integer> members) {
        long[] set = new long[words];
        for (int column : members) {
            set[column >> 6] |= 1L << column;
        }
        return set;
    }

    /** The columns of a table's unique indexes. */
    static int[] uniqueColumns(Table table) {
        return table.indexes().stream()
                .filter(Index::unique)
                .flatMap(index -> index.columns().stream())
                .distinct()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The columns of unique indexes, of a table with at most 64 columns. */
    public long unique() {
        return ~notUnique[0] & all();
    }

    /** All columns, of a table with at most 64. */
    long all() {
        return -1L >>> Long.SIZE - columns.count();
    }

    /** The columns of all indexes, of a table with at most 64 columns. */
    long indexed() {
        long union = 0;
        for (long[] index : indexColumns) {
            union |= index[0];
        }
        return union;
    }

    /** The number of longs of a set. */
    public int words() {
        return words;
    }

    /** The number of bytes of a set's image. */
    int imageBytes() {
        return imageBytes;
    }

    /** Writes the image of a set. */
    void write(long[] set, Memory target, long address) {
        for (int i = 0; i < imageBytes; i++) {
            target.putByte(address + i, (byte) (set[i >> 3] >>> 8 * (i & 7)));
        }
    }

    /** Reads the image of a set. */
    public void read(ImageCursor in, long[] set) {
        if (narrow) {
            set[0] = 0;
        } else {
            Arrays.fill(set, 0, words, 0);
        }
        for (int i = 0; i < imageBytes; i++) {
            set[i >> 3] |= (long) in.unsignedByte() << 8 * (i & 7);
        }
        int last = columns.count() & Long.SIZE - 1;
        if (last != 0 && set[columns.count() >> 6] >>> last != 0) {
            throw in.damaged("a column is named that table " + table.name() + " does not have");
        }
    }

    /** The number of nullable columns in the set. */
    int nullableIn(long[] set) {
        if (narrow) {
            return Long.bitCount(set[0] & nullable);
        }
        int count = 0;
        for (int column = next(set, 0); column >= 0; column = next(set, column + 1)) {
            count += columns.isNullable(column) ? 1 : 0;
        }
        return count;
    }

    /** The first column from this one on that is in the set, or -1. */
    int next(long[] set, int from) {
        int word = from >> 6;
        if (word >= words) {
            return -1;
        }
        long bits = set[word] & -1L << from;
        while (bits == 0) {
            if (++word == words) {
                return -1;
            }
            bits = set[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** Makes the set that of all columns but those of unique indexes. */
    public void setNotUnique(long[] set) {
        System.arraycopy(notUnique, 0, set, 0, notUnique.length);
    }

    /** Whether a column of a unique index is in the set. */
    public boolean hasUnique(long[] set) {
        for (int i = 0; i < notUnique.length; i++) {
            if ((set[i] & ~notUnique[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether no column is in the set. */
    public boolean isEmpty(long[] set) {
        for (int i = 0; i < notUnique.length; i++) {
            if (set[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Takes all columns out of a set. */
    public void clear(long[] set) {
        for (int i = 0; i < notUnique.length; i++) {
            set[i] = 0;
        }
    }

    /** The indexes that contain a column of the set: bit i stands for the one at position i. */
    public long indexesOf(long[] set) {
        long touched = 0;
        for (int i = 0; i < indexColumns.length; i++) {
            long common = 0;
            for (int word = 0; word < words; word++) {
                common |= set[word] & indexColumns[i][word];
            }
            touched |= common == 0 ? 0 : 1L << i;
        }
        return touched;
    }
}
