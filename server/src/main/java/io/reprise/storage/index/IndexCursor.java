package io.reprise.storage.index;

/**
 * An iteration over an index, reused without allocation: one for each place in a plan. The index must not change while
 * one is in use: plans that write collect the rows first.
 */
public final class IndexCursor {
    /** The next row, or 0. */
    public long next() {
        throw new UnsupportedOperationException();
    }
}
