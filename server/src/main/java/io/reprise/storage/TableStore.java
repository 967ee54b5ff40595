package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;
import io.reprise.storage.row.StringHeap;
import java.util.List;

/**
 * One table's rows and indexes in one partition. A row is addressed by its offset in the partition's memory, which does
 * not change while the row lives. All writes are undone by the partition's undo log when the transaction rolls back.
 *
 * <p><b>Insert</b>: {@link #allocate}, write every column and the null bitmap, {@link #insert}. <b>Update</b>: {@link
 * #beginUpdate}, write the changed columns, {@link #endUpdate}. <b>Delete</b>: {@link #delete}. A freed row is given out
 * again only after the transaction has ended.
 *
 * <p><b>Updating unique keys of several rows</b> (UPDATE t SET id = id + 1) would meet keys that only exist until the
 * statement is through. So: for each row {@link #unindex}, then beginUpdate and endUpdate with no indexes; when all rows
 * are changed, for each row {@link #index}, which throws if there are equal keys now.
 *
 * <p><b>Memory</b>: what needs more of it (allocate, insert, writeString, beginUpdate) throws MEMORY_LIMIT when the
 * partition's limit is reached, before it has changed anything; deleting and undoing never does.
 *
 * <p>A column that is set to NULL keeps no value: its bytes have to be zeroed (fixed types) or the empty string written,
 * so that equal rows have equal bytes.
 */
public final class TableStore {
    /** Up to so many rows are deleted one by one by TRUNCATE; more are set aside as a whole. */
    private static final int TRUNCATE_ONE_BY_ONE = 1000;

    private final PartitionStore store;
    private final Memory memory;
    private final UndoLog undo;
    private final RowLayout layout;
    private final int rowSize;
    private final RowSpace rows;
    private final StringHeap strings;
    private final MemoryAccount rowAccount;
    private final MemoryAccount stringAccount;
    private final TableIndexes indexes;
    private final WriteHasher hasher;
    private final int id;
    private final boolean hasStrings;

    /**
     * Whether its writes are part of the write hash: a replicated table's only in partition 0, so that the hash of a
     * transaction does not depend on how many partitions there are.
     */
    private final boolean hashed;

    /** The next row id of each bucket; a replicated table has only bucket 0. */
    private final long[] nextRowIds;

    private final DirectWrites directWrites;

    private long count;

    /** Undo records below this are about rows that a truncation has set aside. */
    private long truncatedAt;

    /** While a rollback is under way: the undo record of the first truncation that it has undone. */
    private long restoredAt;

    private long updateRecord;

    TableStore(PartitionStore store, AddressSpace space, UndoLog undo, Table table) {
        this.store = store;
        this.memory = space.memory();
        this.undo = undo;
        this.id = table.id();
        layout = RowLayout.of(table);
        rowSize = layout.size();
        hasStrings = layout.stringColumns() > 0;
        rowAccount = new MemoryAccount("table " + table.name() + " (rows)");
        stringAccount = new MemoryAccount("table " + table.name() + " (strings)");
        rows = new RowSpace(space, rowAccount, rowSize);
        strings = new StringHeap(space, stringAccount);
        indexes = new TableIndexes(space, store.readAhead(), table, layout, rows);
        hasher = new WriteHasher(memory, layout);
        hashed = !table.replicated() || store.options().partition() == 0;
        nextRowIds = new long[table.replicated() ? 1 : Buckets.COUNT];
        directWrites = new DirectWrites(store, this, space, rows, indexes, nextRowIds);
    }

    public Table table() {
        return indexes.table();
    }

    /** The table's id, for those who need it for each row. */
    public int id() {
        return id;
    }

    public RowLayout layout() {
        return layout;
    }

    /** How recovery puts rows back that were committed before. */
    public DirectWrites directWrites() {
        return directWrites;
    }

    /** The number that the next row of the bucket gets. */
    public long nextRowId(int bucket) {
        return nextRowIds[bucket];
    }

    void changeCount(long difference) {
        count += difference;
    }

    /** The hash index at that position of {@link Table#indexes}. */
    public HashIndex hashIndex(int position) {
        return indexes.hash(position);
    }

    /** The ordered index at that position of {@link Table#indexes}. */
    public OrderedIndex orderedIndex(int position) {
        return indexes.ordered(position);
    }

    /** The index at that position of {@link Table#indexes}. */
    public RowIndex rowIndex(int position) {
        return indexes.index(position);
    }

    /** How many live rows there are. */
    public long count() {
        return count;
    }

    /** Scan: the first place of a row; the next is at {@code + layout().size()}; see {@link #scanEnd}, {@link #isLive}. */
    public long scanStart() {
        return rows.start();
    }

    /** Scan: the end of the last place. */
    public long scanEnd() {
        return rows.end();
    }

    /** Whether a live row is in this place. */
    public boolean isLive(long row) {
        return (memory.getLong(row) & RowLayout.LIVE) != 0;
    }

    /** The id of a row in its table: bucket and number in the bucket; it stays while the row lives. */
    public long rowId(long row) {
        return memory.getLong(row) & RowLayout.ROW_ID_MASK;
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
        long rowId = (long) bucket << RowLayout.SEQUENCE_BITS | sequence;
        memory.putLong(row, rowId | RowLayout.LIVE);
        reserveForInsert(row);
        int refusing = indexes.insert(row, TableIndexes.ALL);
        if (refusing >= 0) {
            ProcedureException refusal = indexes.violation(row, refusing);
            abandon(row);
            throw refusal;
        }
        nextRowIds[bucket] = sequence + 1;
        count++;
        undo.insert(id, row);
        if (hashed) {
            store.mixWrite(hasher.inserted(id, row));
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
            throw e;
        }
    }

    /** Frees an allocated place (and strings written to it) that will not be inserted after all. */
    public void abandon(long row) {
        freeStrings(row);
        memory.putLong(row, 0);
        rows.release(row);
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
     * @param length how many bytes may change
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
            int refusing = indexes.move(row, record + UndoLog.IMAGE, touched);
            if (refusing >= 0) {
                ProcedureException refusal = indexes.violation(row, refusing);
                store.settlement().undoTo(record);
                throw refusal;
            }
            undo.setIndexes(record, touched);
        }
        if (hashed) {
            store.mixWrite(hasher.updated(id, row, undo.imageFrom(record), undo.imageLength(record)));
        }
    }

    /** First of the two steps described above: takes a row out of the indexes whose bits are set. */
    public void unindex(long row, long touched) {
        undo.reserve(0);
        indexes.remove(row, touched);
        undo.index(UndoLog.UNINDEX, id, row, touched);
    }

    /**
     * Second of the two steps described above: enters a row into the indexes again. Throws CONSTRAINT_VIOLATION or
     * MEMORY_LIMIT, after which the statement has to be rolled back.
     */
    public void index(long row, long touched) {
        undo.reserve(0);
        indexes.reserve(touched);
        int refusing = indexes.insert(row, touched);
        if (refusing >= 0) {
            throw indexes.violation(row, refusing);
        }
        undo.index(UndoLog.INDEX, id, row, touched);
    }

    /** Deletes a live row. */
    public void delete(long row) {
        beforeDelete(row);
        if (hashed) {
            store.mixWrite(hasher.deleted(id, row));
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
        indexes.remove(row, TableIndexes.ALL);
        memory.putLong(row, memory.getLong(row) & ~RowLayout.LIVE);
        count--;
        undo.delete(id, row);
    }

    /** Deletes all rows, undoably, in time that does not depend on their number as far as possible. */
    public void truncate() {
        if (count == 0) {
            return;
        }
        if (hashed) {
            store.mixWrite(hasher.truncated(id, count));
        }
        if (count <= TRUNCATE_ONE_BY_ONE) {
            for (long row = first(); row != 0; row = next(row)) {
                beforeDelete(row);
                deleteRow(row);
            }
            return;
        }
        undo.truncate(id, store.settlement().setAside(detach()));
        truncatedAt = undo.last();
    }

    TableContent detach() {
        TableContent content = new TableContent(rows.detach(), strings.detach(), indexes.detach(), count, truncatedAt);
        count = 0;
        return content;
    }

    /** Reads a string column: a Ref to bytes in the row or in the string heap, valid until the row's column changes. */
    public long readString(long row, int column) {
        return layout.readString(memory, row, column);
    }

    /**
     * Writes a string column of an allocated row or of one between beginUpdate and endUpdate, copying the bytes. What
     * was there before is freed when the transaction commits (or was never there, in an allocated row). Throws
     * MEMORY_LIMIT.
     */
    public void writeString(long row, int column, long ref) {
        int length = Ref.length(ref);
        long oldRef = layout.heapRef(memory, row, column);
        boolean inline = layout.fitsInline(column, length);
        long newRef = inline || length == 0 ? 0 : strings.store(ref);
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

    /** Whether a ref given by {@link #readString} points into the row itself (and not into the string heap). */
    public boolean pointsIntoRow(long row, long ref) {
        long address = Ref.address(ref);
        return address >= row && address < row + rowSize;
    }

    /** A hash of what the table holds, whatever the order, the places and the ids of its rows. */
    public long contentHash() {
        long hash = count;
        for (long row = first(); row != 0; row = next(row)) {
            hash += hasher.content(row);
        }
        return hash;
    }

    /** What the table takes. */
    public MemoryUse memoryUse() {
        long indexBytes = 0;
        long entries = 0;
        for (int i = 0; i < indexes.count(); i++) {
            indexBytes += indexes.index(i).bytesInUse();
            entries += indexes.index(i).size();
        }
        return new MemoryUse(
                rowAccount.bytes(),
                count * rowSize,
                stringAccount.bytes(),
                strings.bytesInUse(),
                indexes.account().bytes(),
                indexBytes,
                entries);
    }

    /** Throws if rows, indexes, counts or free chains don't agree. For tests and administration: reads everything. */
    public void verify() {
        new TableVerifier(this, rows, strings, memory).verify(undo.isEmpty());
    }

    /** The first live row, or 0. */
    public long first() {
        return liveFrom(scanStart());
    }

    /** The live row after this one, or 0. */
    public long next(long row) {
        return liveFrom(row + rowSize);
    }

    private long liveFrom(long place) {
        for (long row = place; row < scanEnd(); row += rowSize) {
            if (isLive(row)) {
                return row;
            }
        }
        return 0;
    }

    /** Scratch space of the partition. */
    long scratch(int bytes) {
        return store.scratch(bytes);
    }

    void expectRows(long rowsToCome) {
        indexes.expectRows(rowsToCome);
    }

    void enterAppended(long from, long to) {
        indexes.enter(from, to);
    }

    /** See {@link PartitionStore#changeIndexes}. */
    void changeIndexes(Table newTable) {
        indexes.change(newTable, this);
    }

    /** Copies all rows of a table of another layout, with their row ids. Throws, half filled, if it can't. */
    void copyFrom(TableStore other, List<ColumnSource> sources) {
        TableCopy copy = new TableCopy(other, this, memory, sources);
        for (long row = other.first(); row != 0; row = other.next(row)) {
            long place = allocate();
            copy.columns(row, place);
            memory.putLong(place, memory.getLong(row) & ~RowLayout.SNAPSHOT_BITS);
            reserveForInsert(place);
            int refusing = indexes.insert(place, TableIndexes.ALL);
            if (refusing >= 0) {
                throw indexes.violation(place, refusing);
            }
            count++;
        }
        System.arraycopy(other.nextRowIds, 0, nextRowIds, 0, nextRowIds.length);
    }

    void undoInsert(long row) {
        indexes.remove(row, TableIndexes.ALL);
        long header = memory.getLong(row);
        nextRowIds[(int) ((header & RowLayout.ROW_ID_MASK) >>> RowLayout.SEQUENCE_BITS)] =
                header & (1L << RowLayout.SEQUENCE_BITS) - 1;
        count--;
        abandon(row);
    }

    void undoDelete(long row) {
        memory.putLong(row, memory.getLong(row) | RowLayout.LIVE);
        count++;
        undoUnindex(row, TableIndexes.ALL);
    }

    void undoUpdate(long row, int from, int length, long image, long touched) {
        indexes.moveBack(row, image, touched);
        long header = memory.getLong(row);
        memory.copy(image, row + from, length);
        if (from < RowLayout.HEADER) {
            memory.putLong(row, header);
        }
    }

    void undoIndex(long row, long touched) {
        indexes.remove(row, touched);
    }

    void undoUnindex(long row, long touched) {
        indexes.insert(row, touched);
    }

    /** A new string of an undone update. One that was written after a truncation has gone with the heap it was in. */
    void undoString(long record, long ref) {
        if (restoredAt == 0 || record < restoredAt) {
            strings.free(ref);
        }
    }

    /** The rollback that has undone a truncation is through. */
    void undone() {
        restoredAt = 0;
    }

    void undoTruncate(long record, TableContent content) {
        restoredAt = record;
        rows.restore(content.rows());
        strings.restore(content.strings());
        indexes.restore(content.indexes());
        count = content.count();
        truncatedAt = content.truncatedAt();
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

    /** The commit of a truncation. */
    void drop(TableContent content) {
        WriteObserver observer = store.writeObserver();
        if (observer == null || !observer.keeps(this, content.rows().start(), content::drop)) {
            content.drop();
        }
        truncatedAt = 0;
    }

    /** Gives all memory back. */
    void drop() {
        directWrites.forgetRowIds();
        rows.drop();
        strings.drop();
        indexes.drop();
    }
}
