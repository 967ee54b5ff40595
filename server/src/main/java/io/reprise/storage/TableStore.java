package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.row.RowLayout;

/**
 * One table's rows and indexes in one partition. A row is addressed by its offset in the partition's memory, which does
 * not change while the row lives. All writes are undone by the partition's undo log when the transaction rolls back.
 *
 * <p><b>Insert</b>: {@link #allocate}, write every column and the null bitmap, {@link #insert}. <b>Update</b>: {@link
 * #beginUpdate}, write the changed columns, {@link #endUpdate}. <b>Delete</b>: {@link #delete}. A freed row is given out
 * again only after the transaction has ended.
 */
public final class TableStore {
    public Table table() {
        throw new UnsupportedOperationException();
    }

    public RowLayout layout() {
        throw new UnsupportedOperationException();
    }

    /** The hash index at that position of {@link Table#indexes}. */
    public HashIndex hashIndex(int position) {
        throw new UnsupportedOperationException();
    }

    /** The ordered index at that position of {@link Table#indexes}. */
    public OrderedIndex orderedIndex(int position) {
        throw new UnsupportedOperationException();
    }

    /** How many live rows there are. */
    public long count() {
        throw new UnsupportedOperationException();
    }

    /** Scan: the first place of a row; the next is at {@code + layout().size()}; see {@link #scanEnd}, {@link #isLive}. */
    public long scanStart() {
        throw new UnsupportedOperationException();
    }

    /** Scan: the end of the last place. */
    public long scanEnd() {
        throw new UnsupportedOperationException();
    }

    /** Whether a live row is in this place. */
    public boolean isLive(long row) {
        throw new UnsupportedOperationException();
    }

    /** A place for a new row, its null bitmap and string columns zeroed. Throws MEMORY_LIMIT. */
    public long allocate() {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes the row that was written into an allocated place live, enters it into all indexes and gives it its row id.
     * Throws CONSTRAINT_VIOLATION naming index, columns and key; the place and its strings are freed again then.
     *
     * @param bucket the bucket of its partitioning value; 0 for a replicated table
     */
    public void insert(long row, int bucket) {
        throw new UnsupportedOperationException();
    }

    /** Frees an allocated place (and strings written to it) that will not be inserted after all. */
    public void abandon(long row) {
        throw new UnsupportedOperationException();
    }

    /**
     * Must come before columns of a live row are changed: saves the bytes for undo (the whole row, if an index is
     * touched) and tells the write observer.
     *
     * @param from offset in the row of the first byte that may change, the null bitmap included
     * @param length how many bytes may change
     * @param indexes bit i is set: a key column of the index at position i may change
     */
    public void beginUpdate(long row, int from, int length, long indexes) {
        throw new UnsupportedOperationException();
    }

    /** Brings indexes up to date. Throws CONSTRAINT_VIOLATION, with the row as it was before the update. */
    public void endUpdate(long row, long indexes) {
        throw new UnsupportedOperationException();
    }

    /** Deletes a live row. */
    public void delete(long row) {
        throw new UnsupportedOperationException();
    }

    /** Deletes all rows, undoably, in time that does not depend on their number as far as possible. */
    public void truncate() {
        throw new UnsupportedOperationException();
    }

    /** Reads a string column: a Ref to bytes in the row or in the string heap, valid until the row's column changes. */
    public long readString(long row, int column) {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes a string column of an allocated row or of one between beginUpdate and endUpdate, copying the bytes. What
     * was there before is freed when the transaction commits (or was never there, in an allocated row).
     */
    public void writeString(long row, int column, long ref) {
        throw new UnsupportedOperationException();
    }

    /** Whether a ref given by {@link #readString} points into the row itself (and not into the string heap). */
    public boolean pointsIntoRow(long row, long ref) {
        throw new UnsupportedOperationException();
    }
}
