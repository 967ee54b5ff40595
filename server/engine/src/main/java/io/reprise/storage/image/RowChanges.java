package io.reprise.storage.image;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Comparison of a table's rows with images of some of their earlier bytes. Allocates nothing; owned by the partition's thread. */
public final class RowChanges {
    private final ColumnImages columns;

    /** Columns in the order in which they lie in a row. */
    private final int[] byOffset;

    /** For each offset in a row, where in {@link #byOffset} the first column is that begins there or behind. */
    private final int[] firstFrom;

    /** The columns of all unique indexes, and the range of a row's bytes that they lie in. */
    private final int[] uniqueColumns;

    private final int uniqueFrom;
    private final int uniqueTo;

    /**
     * By an offset in a row, if there are at most 64 columns: those whose values and null bits lie there or behind, and those whose
     * values end there or before.
     */
    private final long[] lyingFrom;

    private final long[] endingUpTo;

    RowChanges(ColumnImages columns, int rowSize, int... uniqueColumns) {
        this.columns = columns;
        this.uniqueColumns = uniqueColumns;
        byOffset = IntStream.range(0, columns.count())
                .boxed()
                .sorted(Comparator.comparingInt(columns::offset))
                .mapToInt(Integer::intValue)
                .toArray();
        firstFrom = new int[columns.offset(byOffset[byOffset.length - 1]) + 1];
        int first = 0;
        for (int offset = 0; offset < firstFrom.length; offset++) {
            firstFrom[offset] = first;
            first += columns.offset(byOffset[first]) == offset ? 1 : 0;
        }
        uniqueFrom = Arrays.stream(uniqueColumns).map(columns::offset).min().orElse(Integer.MAX_VALUE);
        uniqueTo = Arrays.stream(uniqueColumns).map(columns::end).max().orElse(0);
        lyingFrom = new long[columns.count() > Long.SIZE ? 0 : rowSize + 1];
        endingUpTo = new long[lyingFrom.length];
        for (int offset = 0; offset < lyingFrom.length; offset++) {
            for (int column = 0; column < columns.count(); column++) {
                // Null bits lie before all values.
                int begin = columns.isNullable(column) ? columns.nullByte(column) : columns.offset(column);
                lyingFrom[offset] |= begin >= offset ? 1L << column : 0;
                endingUpTo[offset] |= columns.end(column) <= offset ? 1L << column : 0;
            }
        }
    }

    /**
     * Adds to a set the columns in which a row and an image of some of its bytes differ. An image of a nullable column has its null bit
     * too, so a column whose null bit lies before the image has not changed.
     *
     * @param image the address at which the imaged row would begin
     * @param from the offset of the image's bytes in the row
     * @param to the offset of their end
     */
    public void addTo(long[] set, long row, long image, int from, int to) {
        if (from >= firstFrom.length) {
            return;
        }
        for (int i = firstFrom[from]; i < byOffset.length; i++) {
            int column = byOffset[i];
            if (columns.offset(column) >= to) {
                return;
            }
            if (columns.isChanged(column, row, image, from)) {
                set[column >> 6] |= 1L << column;
            }
        }
    }

    /** The columns whose values and null bits lie in a range of a row's bytes, of a table with at most 64 columns. */
    long candidates(int from, int to) {
        return lyingFrom[from] & endingUpTo[to];
    }

    /** Those of the candidates in which row and image differ. */
    long changed(long row, long image, long candidates) {
        long changed = 0;
        for (long rest = candidates; rest != 0; rest &= rest - 1) {
            if (columns.isChanged(Long.numberOfTrailingZeros(rest), row, image, 0)) {
                changed |= rest & -rest;
            }
        }
        return changed;
    }

    /** Whether a range of a row's bytes has columns of unique indexes, or parts of such. */
    public boolean mayHaveUnique(int from, int to) {
        return from < uniqueTo && to > uniqueFrom;
    }

    /** Whether a column of a unique index has changed: whether the row has a key that it did not have. */
    public boolean hasUnique(long row, long image, int from, int to) {
        if (mayHaveUnique(from, to)) {
            for (int column : uniqueColumns) {
                if (columns.isWithin(column, from, to) && columns.isChanged(column, row, image, from)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the bytes of the column are all within a range of a row's bytes. */
    public boolean isWithin(int column, int from, int to) {
        return columns.isWithin(column, from, to);
    }
}
