package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.index.ReadAhead;
import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;
import io.reprise.storage.row.StringHeap;

/**
 * The content of one table in one partition (rows, strings, indexes), and access to it for reading. A row is
 * addressed by its offset in the partition's memory, which does not change while the row lives.
 *
 * <p>A {@link TableStore} adds the ways of writing it. It is a subclass and not a second object, because each access
 * to a row would have to go through one more reference then.
 */
public abstract class TableRows {
    final Memory memory;
    final RowLayout layout;
    final int rowSize;
    final int id;
    final RowSpace rows;
    final StringHeap strings;
    final TableIndexes indexes;
    final WriteHasher hasher;

    /** Made at first use, and again for another definition. */
    private RowMasks masks;

    private Table masksOf;

    /** The next row id of each bucket; a replicated table has only bucket 0. */
    final long[] nextRowIds;

    /** The number of live rows. */
    long count;

    private final AddressSpace space;
    private final MemoryAccount rowAccount;
    private final MemoryAccount stringAccount;

    /** Nothing has been taken if MEMORY_LIMIT is thrown. */
    TableRows(AddressSpace space, ReadAhead readAhead, Table table, Buckets buckets) {
        this.space = space;
        memory = space.memory();
        id = table.id();
        layout = RowLayout.of(table);
        rowSize = layout.size();
        rowAccount = new MemoryAccount("table " + table.name() + " (rows)");
        stringAccount = new MemoryAccount("table " + table.name() + " (strings)");
        space.requireRegions(regions(table), rowAccount);
        rows = new RowSpace(space, rowAccount, rowSize);
        strings = new StringHeap(space, stringAccount);
        indexes = new TableIndexes(space, readAhead, table, layout, rows);
        hasher = new WriteHasher(memory, layout, id);
        nextRowIds = new long[table.replicated() ? 1 : buckets.count()];
    }

    /** Regions of address space: for rows, for strings, and for indexes. */
    private int regions(Table of) {
        return 2 + TableIndexes.regions(of, layout);
    }

    /** Whether there is address space for another table like this one, for it to leave all that it has and begin anew. */
    final boolean canBeginAnew() {
        return space.hasRegions(regions(table()), rowAccount);
    }

    /** Its definition. */
    public final Table table() {
        return indexes.table();
    }

    /** The table's id, for those who need it for each row. */
    public final int id() {
        return id;
    }

    /** The pieces of a row, for footprints. */
    final RowMasks masks() {
        if (masksOf != table()) {
            masksOf = table();
            masks = new RowMasks(masksOf, layout, memory);
        }
        return masks;
    }

    /** The layout of a row. */
    public final RowLayout layout() {
        return layout;
    }

    /** The hash index at that position of {@link Table#indexes}. */
    public final HashIndex hashIndex(int position) {
        return indexes.hash(position);
    }

    /** The ordered index at that position of {@link Table#indexes}. */
    public final OrderedIndex orderedIndex(int position) {
        return indexes.ordered(position);
    }

    /** The index at that position of {@link Table#indexes}. */
    public final RowIndex rowIndex(int position) {
        return indexes.index(position);
    }

    /** The number of live rows. */
    public final long count() {
        return count;
    }

    /** The number of buckets it can have rows in; a replicated table has one. */
    public final int buckets() {
        return nextRowIds.length;
    }

    /** The number that the next row of the bucket gets. */
    public final long nextRowId(int bucket) {
        return nextRowIds[bucket];
    }

    /** Scan: the first place of a row; the next is at {@code + layout().size()}; see {@link #scanEnd}, {@link #isLive}. */
    public final long scanStart() {
        return rows.start();
    }

    /** Scan: the end of the last place. */
    public final long scanEnd() {
        return rows.end();
    }

    /** Whether a live row is in this place. */
    public final boolean isLive(long row) {
        return (memory.getLong(row) & RowLayout.LIVE) != 0;
    }

    /** The first live row, or 0. */
    public final long first() {
        return liveFrom(scanStart());
    }

    /** The live row after this one, or 0. */
    public final long next(long row) {
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

    /** The id of a row in its table: bucket and number in the bucket; it stays while the row lives. */
    public final long rowId(long row) {
        return memory.getLong(row) & RowLayout.ROW_ID_MASK;
    }

    /** Reads a string column: a Ref to bytes in the row or in the string heap, valid until the row's column changes. */
    public final long readString(long row, int column) {
        return layout.readString(memory, row, column);
    }

    /** A hash of what the table holds, whatever the order, the places and the ids of its rows. */
    public final long contentHash() {
        long hash = count;
        for (long row = first(); row != 0; row = next(row)) {
            hash += hasher.content(row);
        }
        return hash;
    }

    /** The memory use of the table. */
    public final MemoryUse memoryUse() {
        return indexes.memoryUse(rowAccount.bytes(), count * rowSize, stringAccount.bytes(), strings.bytesInUse());
    }

    /** Gives all memory back. */
    final void dropMemory() {
        rows.drop();
        strings.drop();
        indexes.drop();
    }
}
