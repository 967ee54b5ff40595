package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.StringHeap;

/**
 * One table in one partition, as transactions write to it. The partition's undo log undoes all writes when the
 * transaction rolls back.
 *
 * <p><b>Insert</b>: {@link #allocate}, write every column and the null bitmap, {@link #insert}. <b>Update</b>: {@link
 * #beginUpdate}, write the changed columns, {@link #endUpdate}. <b>Delete</b>: {@link #delete}. A freed row is given
 * out again only after the transaction has ended.
 *
 * <p><b>Updating unique keys of several rows</b> (UPDATE t SET id = id + 1) would meet keys that only exist until the
 * statement is through. So: for each row {@link #unindex}, then beginUpdate and endUpdate with no indexes; when all
 * rows are changed, for each row {@link #index}, which throws if there are equal keys now.
 *
 * <p><b>Memory</b>: calls that need more of it (allocate, insert, writeString, beginUpdate) throw MEMORY_LIMIT when
 * the partition's limit is reached, before they have changed anything. Deleting and undoing never does.
 *
 * <p>A column that is set to NULL keeps no value: its bytes have to be zeroed (fixed types) or the empty string
 * written, so that equal rows have equal bytes.
 */
public final class TableStore extends TableRows {
    /** Up to so many rows are deleted one by one by TRUNCATE; more are set aside as a whole. */
    private static final int TRUNCATE_ONE_BY_ONE = 1000;

    private final PartitionStore store;
    private final UndoLog undo;
    private final DirectWrites directWrites;
    private final TableUndo rollback;
    private final boolean hasStrings;

    /**
     * Whether its writes are part of the write hash: a replicated table's only in partition 0, so that the hash of a
     * transaction does not depend on how many partitions there are.
     */
    private final boolean hashed;

    /** Undo records below this are about rows that a truncation has set aside. */
    private long truncatedAt;

    private long updateRecord;

    TableStore(PartitionStore store, AddressSpace space, UndoLog undo, Table table) {
        super(space, store.readAhead(), table, store.buckets());
        this.store = store;
        this.undo = undo;
        hasStrings = layout.stringColumns() > 0;
        hashed = !table.replicated() || store.options().partition() == 0;
        directWrites = new DirectWrites(store, this, space);
        rollback = new TableUndo(this);
    }

    /** The writes of recovery, which put committed rows back. */
    public DirectWrites directWrites() {
        return directWrites;
    }

    /** The hash of a live row with all that it has, for {@link WriteHasher}'s sums. */
    public long rowHash(long row) {
        return hasher.inserted(row);
    }

    /** The term of a deleted row in such a sum. Of the row only the id counts. */
    public long deletedHash(long row) {
        return hasher.deleted(row);
    }

    /** Undoes single writes. */
    TableUndo rollback() {
        return rollback;
    }

    /** A place for a new row, zeroed. Throws MEMORY_LIMIT. */
    public long allocate() {
        return rows.allocate();
    }

    /**
     * Makes the row that was written into an allocated place live, enters it into all indexes and gives it its row id.
     * Throws CONSTRAINT_VIOLATION naming index, columns and key; the place and its strings are freed again then.
     *
     * @param bucket the bucket of its partitioning value; 0 for a replicated table
     */
    public void insert(long row, int bucket) {
        long sequence = nextRowIds[bucket];
        Invariants.check(
                sequence >>> RowLayout.SEQUENCE_BITS == 0, "all row ids of a bucket are used up, bucket", bucket);
        long rowId = (long) bucket << RowLayout.SEQUENCE_BITS | sequence;
        store.beginChange();
        memory.putLong(row, rowId | RowLayout.LIVE);
        reserveForInsert(row);
        int refusing = indexes.insert(row, TableIndexes.ALL);
        if (refusing >= 0) {
            ProcedureException refusal = refusal(row, refusing);
            abandon(row);
            store.endChange();
            throw refusal;
        }
        nextRowIds[bucket] = sequence + 1;
        count++;
        undo.insert(id, row);
        store.endChange();
        if (hashed) {
            store.mixWrite(hasher.inserted(row));
        }
        WriteObserver observer = store.writeObserver();
        if (observer != null) {
            observer.inserted(this, row);
        }
    }

    private void reserveForInsert(long row) {
        try {
            undo.reserve(0);
            indexes.reserve(TableIndexes.ALL);
        } catch (ProcedureException e) {
            abandon(row);
            store.endChange();
            throw e;
        }
    }

    /** The error of a refused row. The procedure may catch it, so the row that stands against it is part of the footprint. */
    private ProcedureException refusal(long row, int index) {
        store.tellRead(this, indexes.opposing(row, index), masks().indexed());
        return indexes.violation(row, index);
    }

    /** Frees an allocated place (and strings written to it) that will not be inserted after all. */
    public void abandon(long row) {
        freeStrings(row);
        memory.putLong(row, 0);
        rows.release(row);
    }

    /** Whether a row has strings that lie outside of it. */
    boolean hasHeapStrings(long row) {
        if (hasStrings) {
            for (int i = 0; i < layout.stringColumns(); i++) {
                if (layout.heapRef(memory, row, layout.stringColumn(i)) != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private void freeStrings(long row) {
        if (hasStrings) {
            for (int i = 0; i < layout.stringColumns(); i++) {
                long ref = layout.heapRef(memory, row, layout.stringColumn(i));
                if (ref != 0) {
                    strings.free(ref);
                }
            }
        }
    }

    /**
     * Must come before columns of a live row are changed: saves the bytes for undo (the whole row, if an index is
     * touched) and tells the write observer. Throws MEMORY_LIMIT.
     *
     * @param from offset in the row of the first byte that may change, the null bitmap included
     * @param length the number of bytes that may change
     * @param touched bit i is set: a key column of the index at position i may change
     */
    public void beginUpdate(long row, int from, int length, long touched) {
        if (touched == 0) {
            undo.reserve(length);
            updateRecord = undo.update(id, row, from, length);
        } else {
            undo.reserve(rowSize);
            indexes.reserve(touched);
            updateRecord = undo.update(id, row, 0, rowSize);
        }
        WriteObserver observer = store.writeObserver();
        if (observer != null) {
            observer.beforeChange(this, row);
        }
    }

    /** Brings indexes up to date. Throws CONSTRAINT_VIOLATION, with the row as it was before the update. */
    public void endUpdate(long row, long touched) {
        long record = updateRecord;
        if (touched != 0) {
            store.beginChange();
            int refusing = indexes.move(row, record + UndoLog.IMAGE, touched);
            if (refusing >= 0) {
                ProcedureException refusal = refusal(row, refusing);
                store.settlement().undoTo(record);
                store.endChange();
                throw refusal;
            }
            undo.setIndexes(record, touched);
            store.endChange();
        }
        if (hashed) {
            store.mixWrite(
                    hasher.updated(row, undo.imageFrom(record), undo.imageLength(record), record + UndoLog.IMAGE));
        }
    }

    /** First of the two steps described above: takes a row out of the indexes whose bits are set. */
    public void unindex(long row, long touched) {
        undo.reserve(0);
        store.beginChange();
        indexes.remove(row, touched);
        undo.index(UndoLog.UNINDEX, id, row, touched);
        store.endChange();
    }

    /**
     * Second of the two steps described above: enters a row into the indexes again. Throws CONSTRAINT_VIOLATION or
     * MEMORY_LIMIT, after which the statement has to be rolled back.
     */
    public void index(long row, long touched) {
        undo.reserve(0);
        indexes.reserve(touched);
        store.beginChange();
        int refusing = indexes.insert(row, touched);
        if (refusing >= 0) {
            ProcedureException refusal = refusal(row, refusing);
            store.endChange();
            throw refusal;
        }
        undo.index(UndoLog.INDEX, id, row, touched);
        store.endChange();
    }

    /** Deletes a live row. */
    public void delete(long row) {
        beforeDelete(row);
        if (hashed) {
            store.mixWrite(hasher.deleted(row));
        }
        deleteRow(row);
    }

    private void beforeDelete(long row) {
        WriteObserver observer = store.writeObserver();
        if (observer != null) {
            observer.beforeChange(this, row);
        }
    }

    private void deleteRow(long row) {
        undo.makeRoom();
        store.beginChange();
        indexes.remove(row, TableIndexes.ALL);
        memory.putLong(row, memory.getLong(row) & ~RowLayout.LIVE);
        count--;
        undo.delete(id, row);
        store.endChange();
    }

    /**
     * Deletes all rows, undoably, in time that does not depend on their number as far as possible: many are set aside as a whole, unless
     * there is no address space for the rows to come.
     */
    public void truncate() {
        if (count == 0) {
            return;
        }
        if (hashed) {
            store.mixWrite(truncationHash());
        }
        if (count <= TRUNCATE_ONE_BY_ONE || !canBeginAnew()) {
            for (long row = first(); row != 0; row = next(row)) {
                beforeDelete(row);
                deleteRow(row);
            }
            return;
        }
        // At the commit, rows that were written before would be looked for among those that are there now.
        directWrites.forgetRowIds();
        undo.makeRoom();
        store.beginChange();
        undo.truncate(id, store.settlement().setAside(detach()));
        truncatedAt = undo.last();
        store.endChange();
    }

    /**
     * Rows that the transaction has inserted before count one by one: their place relative to the truncation matters.
     * The search stops as soon as it has found them all, so one truncation after the other costs no more than a
     * single one.
     */
    private long truncationHash() {
        long hash = 0;
        long others = count;
        for (long record = undo.last(); record != 0 && others > 0; record = undo.before(record)) {
            if (undo.kind(record) == UndoLog.INSERT && undo.tableId(record) == id && isLive(undo.word(record))) {
                hash += hasher.deleted(undo.word(record));
                others--;
            }
        }
        return hash + hasher.truncated(others);
    }

    TableContent detach() {
        TableContent content = new TableContent(rows.detach(), strings.detach(), indexes.detach(), count, truncatedAt);
        count = 0;
        return content;
    }

    /** Puts back what was detached, and returns the strings that were here instead. */
    StringHeap.Detached restore(TableContent content) {
        rows.restore(content.rows());
        indexes.restore(content.indexes());
        count = content.count();
        truncatedAt = content.truncatedAt();
        return strings.exchange(content.strings());
    }

    /**
     * Writes a string column of an allocated row or of one between beginUpdate and endUpdate, copying the bytes. The
     * former string is freed when the transaction commits (or was never there, in an allocated row). Throws
     * MEMORY_LIMIT.
     */
    public void writeString(long row, int column, long ref) {
        int length = Ref.length(ref);
        long oldRef = layout.heapRef(memory, row, column);
        boolean inline = layout.fitsInline(column, length);
        long newRef = inline || length == 0 ? 0 : storeString(ref);
        if ((oldRef | newRef) != 0) {
            if (isLive(row)) {
                undo.string(id, oldRef, newRef);
            } else if (oldRef != 0) {
                strings.free(oldRef);
            }
        }
        if (inline) {
            layout.writeInline(memory, row, column, ref);
        } else {
            layout.writeHeapRef(memory, row, column, newRef);
        }
    }

    private long storeString(long ref) {
        store.beginChange();
        try {
            long stored = strings.store(ref);
            store.endChange();
            return stored;
        } catch (ProcedureException refusal) {
            store.endChange();
            throw refusal;
        }
    }

    /** Throws if rows, indexes, counts or free chains don't agree. For tests and administration: reads everything. */
    public void verify() {
        new TableVerifier(this).verify(undo.isEmpty());
    }

    void freeString(long ref) {
        strings.free(ref);
    }

    /** Whether the undo record is about a row that has been set aside since. */
    boolean setAsideSince(long record) {
        return record < truncatedAt;
    }

    /** The commit of a deletion. */
    void forget(long row) {
        freeStrings(row);
        memory.putLong(row, 0);
        rows.release(row);
        if (count == 0) {
            rows.trimIfEmpty();
        }
    }

    /** Many rows have been freed at once, as by a rollback: gives back memory that is not needed any more. */
    void trim() {
        if (count == 0) {
            rows.trimIfEmpty();
        }
        rows.trimIfMuch();
        strings.trim();
        indexes.trimIfMuch();
    }

    /** The commit of a truncation. */
    void drop(TableContent content) {
        WriteObserver observer = store.writeObserver();
        Runnable free = () -> {
            content.drop();
            store.tables().freed(this);
        };
        if (observer == null || !observer.keeps(this, content.rows().start(), free)) {
            free.run();
        }
        truncatedAt = 0;
    }

    /** Gives all memory back. */
    void drop() {
        directWrites.forgetRowIds();
        dropMemory();
    }
}
