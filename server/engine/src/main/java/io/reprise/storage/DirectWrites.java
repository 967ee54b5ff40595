package io.reprise.storage;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.index.RowIdIndex;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;
import java.util.BitSet;
import java.util.function.LongSupplier;

/**
 * Writes of committed rows past transactions, for recovery and followers: row ids are given, nothing can be undone, and nothing is hashed.
 * The partition's {@link WriteObserver} is told, so a follower can be swept for a snapshot while it applies. After an exception the
 * table may be half changed, and the partition must not be used. Owned by the partition's thread.
 *
 * <p><b>Load</b>: {@link #append} for each row, and an {@link IndexBuild} beside it. <b>Replay</b>: {@link #insert},
 * {@link #delete}, {@link #truncate}, and {@link #beginUpdate}, writing of columns, {@link #endUpdate}.
 */
public final class DirectWrites {
    private final PartitionStore store;
    private final TableStore table;
    private final AddressSpace space;
    private final Memory memory;
    private final RowSpace rows;
    private final TableIndexes indexes;
    private final long[] nextRowIds;

    private final PlacesAhead placesAhead;

    /** Rows by their ids; null until the first request. */
    private RowIdIndex byRowId;

    DirectWrites(PartitionStore store, TableStore table, AddressSpace space) {
        this.store = store;
        this.table = table;
        this.space = space;
        this.memory = space.memory();
        this.rows = table.rows;
        this.indexes = table.indexes;
        this.nextRowIds = table.nextRowIds;
        placesAhead = new PlacesAhead(store, rows, this);
    }

    /** A row id's bucket. */
    public static int bucket(long rowId) {
        return (int) (rowId >>> RowLayout.SEQUENCE_BITS);
    }

    /** A row id's number in its bucket. */
    public static long number(long rowId) {
        return rowId & (1L << RowLayout.SEQUENCE_BITS) - 1;
    }

    /** The row id with this number in the bucket. */
    public static long rowId(int bucket, long number) {
        return (long) bucket << RowLayout.SEQUENCE_BITS | number;
    }

    /** Marks all numbers of the bucket below this one as given out. */
    public void raiseNextRowId(int bucket, long number) {
        nextRowIds[bucket] = Math.max(nextRowIds[bucket], number);
    }

    /** Sets the number that the next row of a bucket gets. The bucket has the rows of a rebuilding. */
    public void setNextRowId(int bucket, long number) {
        nextRowIds[bucket] = number;
    }

    /** Forgets which row ids were given out, for an image that says so anew. The table is empty. */
    public void forgetNextRowIds() {
        java.util.Arrays.fill(nextRowIds, 0);
    }

    private void makeLive(long row, long rowId) {
        memory.putLong(row, rowId | RowLayout.LIVE);
        raiseNextRowId(bucket(rowId), number(rowId) + 1);
    }

    /**
     * Makes a row that was written into an allocated place live, with the row id that it had, and leaves it to an {@link
     * IndexBuild} to enter it into indexes.
     */
    public void append(long row, long rowId) {
        makeLive(row, rowId);
        table.count++;
    }

    /**
     * Makes a row that was written into an allocated place live, with the row id that it had. Throws {@link
     * DuplicateRowException}.
     */
    public void insert(long row, long rowId) {
        // Without memory the place does not become a row that is in no index.
        indexes.reserve(TableIndexes.ALL);
        makeLive(row, rowId);
        check(row, indexes.insert(row, TableIndexes.ALL));
        inserted(row);
    }

    private void inserted(long row) {
        if (byRowId != null) {
            byRowId.insert(row);
        }
        table.count++;
        WriteObserver observer = store.writeObserver();
        if (observer != null) {
            observer.inserted(table, row);
        }
    }

    /** Must come before columns of a live row are changed that are in no index. */
    public void beforeChange(long row) {
        WriteObserver observer = store.writeObserver();
        if (observer != null) {
            observer.beforeChange(table, row);
        }
    }

    /**
     * The same for a row that lies elsewhere as it will lie here, its header with the row id included, and that has no strings
     * outside of it. Returns its address here.
     */
    public long insertCopy(Memory source, long from) {
        long row = copy(source, from);
        insert(row, rowId(source, from));
        return row;
    }

    /**
     * The same where the hash of the primary key is known, and the insertion was {@linkplain #expectInsertions expected}.
     *
     * @param hashed the position of its index
     */
    public long insertCopy(Memory source, long from, int hashed, int hash) {
        long row = copy(source, from);
        long rowId = rowId(source, from);
        raiseNextRowId(bucket(rowId), number(rowId) + 1);
        check(row, indexes.insert(row, hashed, hash));
        inserted(row);
        return row;
    }

    /** Places for rows that another thread writes; {@link #occupy} and {@link #enter} make them the table's. */
    public PlacesAhead placesAhead() {
        return placesAhead;
    }

    /**
     * So many rows, their headers included, have been written into {@linkplain #placesAhead places ahead} one behind the other, and are
     * the table's from now on. The numbers that they use up are told by {@link #raiseNextRowId}.
     */
    public void occupy(long first, long howMany) {
        Invariants.check(
                store.writeObserver() == null, "rows were written ahead while a snapshot is made, table", table.id());
        long end = first + howMany * rows.rowSize();
        placesAhead.occupy(first, end);
        table.count += howMany;
        if (byRowId != null) {
            for (long row = first; row < end; row += rows.rowSize()) {
                byRowId.insert(row);
            }
        }
    }

    /** Forgets all places if every one is free. */
    void trimIfEmpty() {
        if (table.count == 0) {
            rows.trimIfEmpty();
        }
    }

    /** Frees places that lie together, none of them used: those in the midst of the table by moving its last rows there. */
    void freePlaces(long from, long to) {
        long free = from;
        while (free < to && to < rows.end() && moveLastTo(free)) {
            free += rows.rowSize();
        }
        rows.giveBack(free, to);
    }

    private boolean moveLastTo(long place) {
        long last = rows.end() - rows.rowSize();
        if (!table.isLive(last) || !canReserve()) {
            return false;
        }
        indexes.remove(last, TableIndexes.ALL);
        if (byRowId != null) {
            byRowId.remove(last);
        }
        memory.copy(last, place, rows.rowSize());
        memory.putLong(last, 0);
        rows.release(last);
        check(place, indexes.insert(place, TableIndexes.ALL));
        enterRowId(place);
        return true;
    }

    /** Without memory now, the index is built again when it is needed, and fails there, if at all. */
    private void enterRowId(long row) {
        if (byRowId != null) {
            try {
                byRowId.insert(row);
            } catch (ProcedureException e) {
                forgetRowIds();
            }
        }
    }

    private boolean canReserve() {
        try {
            indexes.reserve(TableIndexes.ALL);
            return true;
        } catch (ProcedureException e) {
            // There is no memory for it: the place is a free one like others.
            return false;
        }
    }

    /**
     * Enters a row that has been {@linkplain #occupy occupied} into the indexes. Throws {@link DuplicateRowException}.
     *
     * @param hashed the position of the index of which the hash is known, and the insertion {@linkplain #expectInsertions expected}; or -1
     */
    public void enter(long row, int hashed, int hash) {
        check(row, indexes.insert(row, hashed, hash));
    }

    private long copy(Memory source, long from) {
        long row = rows.take();
        memory.copyFrom(source, from, row, rows.rowSize());
        return row;
    }

    private static long rowId(Memory source, long row) {
        return source.getLong(row) & RowLayout.ROW_ID_MASK;
    }

    /**
     * Announces insertions: their indexes grow in one go as far as possible. Throws MEMORY_LIMIT.
     *
     * @param likely the number that will probably follow them, before {@link #finishReplay}
     */
    public void expectInsertions(int count, long likely) {
        indexes.expectRows(count, likely);
    }

    /** Gives back what indexes have for rows that were likely to come. */
    public void trimIndexes() {
        indexes.trim();
    }

    /** Gives back the memory of places at the end that were {@linkplain #placesAhead given away} and are free now. */
    public void trimPlaces() {
        rows.trim();
    }

    /** Gives back what only replay has needed. */
    public void finishReplay() {
        forgetRowIds();
        trimIndexes();
    }

    private void check(long row, int refusing) {
        if (refusing >= 0) {
            throw new DuplicateRowException(indexes.violation(row, refusing).getMessage());
        }
    }

    /** Deletes a live row; its place is free at once. */
    public void delete(long row) {
        beforeChange(row);
        if (byRowId != null) {
            byRowId.remove(row);
        }
        indexes.remove(row, TableIndexes.ALL);
        table.count--;
        table.forget(row);
    }

    /**
     * Must come before columns of a live row are changed, instead of {@link #beforeChange}. Until {@link #endUpdate} the row is not live, so
     * that a string that is replaced is freed at once.
     *
     * @param touched bit i is set: a key column of the index at position i may change
     */
    public void beginUpdate(long row, long touched) {
        beforeChange(row);
        if (touched != 0) {
            indexes.remove(row, touched);
        }
        memory.putLong(row, memory.getLong(row) & ~RowLayout.LIVE);
    }

    /** The columns are changed. Throws {@link DuplicateRowException}. */
    public void endUpdate(long row, long touched) {
        memory.putLong(row, memory.getLong(row) | RowLayout.LIVE);
        if (touched != 0) {
            indexes.reserve(touched);
            check(row, indexes.insert(row, touched));
        }
    }

    /** Deletes all rows of the given buckets; a replicated table has one bucket, 0. */
    public void truncate(BitSet buckets) {
        if (!beginsAnew(buckets)) {
            for (long row = table.first(); row != 0; row = table.next(row)) {
                if (!placesAhead.cover(row) && buckets.get(bucket(table.rowId(row)))) {
                    delete(row);
                }
            }
        }
    }

    /**
     * The same without a pass over all rows.
     *
     * @param listed gives the addresses of the rows of these buckets; 0 at the end
     */
    public void truncate(BitSet buckets, LongSupplier listed) {
        if (!beginsAnew(buckets)) {
            for (long row = listed.getAsLong(); row != 0; row = listed.getAsLong()) {
                delete(row);
            }
        }
    }

    /**
     * The same in a replay, by the ids of the rows. It takes a pass over all rows if the buckets have given out more ids than the table
     * has rows.
     */
    public void truncateInReplay(BitSet buckets) {
        long ids = 0;
        for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
            ids += nextRowIds[bucket];
        }
        if (ids > table.count()) {
            truncate(buckets);
        } else if (ids > 0 && !beginsAnew(buckets)) {
            for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
                deleteAll(bucket);
            }
        }
    }

    private void deleteAll(int bucket) {
        long next = nextRowIds[bucket];
        for (long number = 0; number < next; number++) {
            long row = find(rowId(bucket, number));
            if (row != 0) {
                delete(row);
            }
        }
    }

    /** Leaves all that the table has, if all of its buckets are to be empty. Returns false if it can't, or must not. */
    private boolean beginsAnew(BitSet buckets) {
        if (coversAll(buckets) && table.canBeginAnew()) {
            forgetRowIds();
            TableContent content = table.detach();
            if (store.writeObserver() != null) {
                table.drop(content);
                return true;
            }
            content.dropAllButRows();
            placesAhead.retire(content.rows());
            return true;
        }
        return false;
    }

    private boolean coversAll(BitSet buckets) {
        for (int bucket = 0; bucket < nextRowIds.length; bucket++) {
            if (!buckets.get(bucket) && (nextRowIds.length == 1 || store.owns(bucket))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Finds a row by its id: its address, or 0. Only replay asks, about tables without a primary key, so the index for it
     * is built when the first question comes, and kept until {@link #forgetRowIds}.
     */
    public long find(long rowId) {
        if (byRowId == null) {
            byRowId = new RowIdIndex(
                    space,
                    MemoryAccount.unlimited("table " + table.table().name() + " (row ids, while the log is replayed)"),
                    rows);
            store.countRowIdIndexes(1);
            for (long row = table.first(); row != 0; row = table.next(row)) {
                if (!placesAhead.cover(row)) {
                    byRowId.insert(row);
                }
            }
        }
        return byRowId.find(rowId);
    }

    /** Gives back the memory of the index that {@link #find} has built. */
    public void forgetRowIds() {
        if (byRowId != null) {
            byRowId.drop();
            byRowId = null;
            store.countRowIdIndexes(-1);
        }
    }

    /** Takes over a write of a transaction that was run again between replayed data records, and commits. */
    void follow(TransactionWrites.Kind kind, long row) {
        if (byRowId == null) {
            return;
        }
        switch (kind) {
            case INSERT -> enterRowId(row);
            case DELETE -> byRowId.remove(row);
            case TRUNCATE -> forgetRowIds();
            case UPDATE -> {
                // The row keeps its id.
            }
        }
    }
}
