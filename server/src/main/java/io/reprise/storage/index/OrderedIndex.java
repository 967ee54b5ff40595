package io.reprise.storage.index;

/**
 * Access in key order: points, prefixes, ranges, forward and backward. Rows with equal keys follow in the order of their
 * row ids. Owned by the partition's thread.
 */
public final class OrderedIndex {
    public KeyLayout layout() {
        throw new UnsupportedOperationException();
    }

    /** The row with this key (unique indexes), or 0. */
    public long find(IndexKey key) {
        throw new UnsupportedOperationException();
    }

    /**
     * Starts iterating over the rows between two bounds. A bound is the first {@code ...Columns} columns of its key (0:
     * no bound at that end); with {@code ...Inclusive} false, rows that equal the bound in those columns are left out.
     *
     * @param descending false: from the lower bound upwards; true: from the upper bound downwards
     */
    public void open(
            IndexKey lower,
            int lowerColumns,
            boolean lowerInclusive,
            IndexKey upper,
            int upperColumns,
            boolean upperInclusive,
            boolean descending,
            IndexCursor cursor) {
        throw new UnsupportedOperationException();
    }
}
