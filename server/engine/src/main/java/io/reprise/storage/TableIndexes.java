package io.reprise.storage;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.index.OrderedIndex;
import io.reprise.storage.index.ReadAhead;
import io.reprise.storage.index.RowIndex;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;

/**
 * A table's indexes, kept up to date together: either all of them take a change or none does. The set of indexes that
 * a change touches is a word with bit i set for the index at position i; {@link #ALL} stands for all of them.
 */
final class TableIndexes {
    static final long ALL = -1L;

    private final AddressSpace space;
    private final Memory memory;
    private final RowLayout layout;
    private final RowSpace rows;
    private final ReadAhead readAhead;
    private final MemoryAccount account;
    private Table table;
    private RowIndex[] indexes;
    private HashIndex[] hashIndexes;
    private OrderedIndex[] orderedIndexes;

    TableIndexes(AddressSpace space, ReadAhead readAhead, Table table, RowLayout layout, RowSpace rows) {
        this.space = space;
        this.memory = space.memory();
        this.layout = layout;
        this.rows = rows;
        this.readAhead = readAhead;
        account = new MemoryAccount("table " + table.name() + " (indexes)");
        take(
                table,
                table.indexes().stream()
                        .map(definition -> make(table, definition))
                        .toArray(RowIndex[]::new));
    }

    /** The number of regions of address space that the indexes of a definition take. */
    static int regions(Table table, RowLayout layout) {
        int regions = 0;
        for (Index definition : table.indexes()) {
            regions += RowIndex.regions(definition, KeyLayout.of(table, layout, definition));
        }
        return regions;
    }

    private RowIndex make(Table of, Index definition) {
        KeyLayout keys = KeyLayout.of(of, layout, definition);
        return switch (definition.kind()) {
            case HASH -> new HashIndex(space, readAhead, account, rows, keys, definition);
            case ORDERED -> new OrderedIndex(space, account, rows, keys, definition);
        };
    }

    private void take(Table newTable, RowIndex[] newIndexes) {
        if (newIndexes.length > Long.SIZE) {
            throw new IllegalArgumentException("table " + newTable.name() + " has more than 64 indexes");
        }
        table = newTable;
        indexes = newIndexes;
        hashIndexes = new HashIndex[newIndexes.length];
        orderedIndexes = new OrderedIndex[newIndexes.length];
        for (int i = 0; i < newIndexes.length; i++) {
            switch (newIndexes[i]) {
                case HashIndex hash -> hashIndexes[i] = hash;
                case OrderedIndex ordered -> orderedIndexes[i] = ordered;
            }
        }
    }

    Table table() {
        return table;
    }

    RowIndex index(int position) {
        return indexes[position];
    }

    HashIndex hash(int position) {
        return hashIndexes[position];
    }

    OrderedIndex ordered(int position) {
        return orderedIndexes[position];
    }

    MemoryAccount account() {
        return account;
    }

    /** The memory use of a table with these indexes. */
    MemoryUse memoryUse(long rowBytes, long rowBytesInUse, long stringBytes, long stringBytesInUse) {
        long inUse = 0;
        long entries = 0;
        for (RowIndex index : indexes) {
            inUse += index.bytesInUse();
            entries += index.size();
        }
        return new MemoryUse(rowBytes, rowBytesInUse, stringBytes, stringBytesInUse, account.bytes(), inUse, entries);
    }

    private static boolean touches(long touched, int position) {
        return (touched >>> position & 1) != 0;
    }

    /** Makes sure that the next insertion of a row finds the memory it may need. Throws MEMORY_LIMIT. */
    void reserve(long touched) {
        for (int i = 0; i < indexes.length; i++) {
            if (touches(touched, i)) {
                indexes[i].reserve();
            }
        }
    }

    /** Enters a row. Returns -1, or the position of the index that refuses it; it is in none of them then. */
    int insert(long row, long touched) {
        for (int i = 0; i < indexes.length; i++) {
            if (touches(touched, i) && indexes[i].insert(row) != 0) {
                remove(row, touched & (1L << i) - 1);
                return i;
            }
        }
        return -1;
    }

    /**
     * The same for all indexes, where the hash of the primary key is known, whose index was {@linkplain #expectRows told} of the row;
     * others are reserved memory for.
     *
     * @param hashed the position of its index
     */
    int insert(long row, int hashed, int hash) {
        for (int i = 0; i < indexes.length; i++) {
            if (i != hashed) {
                indexes[i].reserve();
            }
            long existing = i == hashed ? hashIndexes[i].insertHashed(hash, row) : indexes[i].insert(row);
            if (existing != 0) {
                remove(row, (1L << i) - 1);
                return i;
            }
        }
        return -1;
    }

    /** Takes a row out. */
    void remove(long row, long touched) {
        for (int i = 0; i < indexes.length; i++) {
            if (touches(touched, i)) {
                indexes[i].remove(row, row);
            }
        }
    }

    /**
     * Moves the entries of a changed row to its new keys.
     *
     * @param image the row as it was before
     * @return -1, or the position of the index that refuses it; all entries are as before then
     */
    int move(long row, long image, long touched) {
        for (int i = 0; i < indexes.length; i++) {
            if (touches(touched, i) && !indexes[i].sameKey(row, image)) {
                indexes[i].remove(row, image);
                if (indexes[i].insert(row) != 0) {
                    indexes[i].insertImage(row, image);
                    moveBack(row, image, touched & (1L << i) - 1);
                    return i;
                }
            }
        }
        return -1;
    }

    /** Moves the entries of a changed row back to its old keys; the row itself is still changed. */
    void moveBack(long row, long image, long touched) {
        for (int i = 0; i < indexes.length; i++) {
            if (touches(touched, i) && !indexes[i].sameKey(row, image)) {
                indexes[i].remove(row, row);
                indexes[i].insertImage(row, image);
            }
        }
    }

    /** The error for a row that the index at this position refuses. */
    ProcedureException violation(long row, int position) {
        Index index = indexes[position].definition();
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int column : index.columns()) {
            String separator = columns.isEmpty() ? "" : ", ";
            columns.append(separator).append(table.columns().get(column).name());
            values.append(separator)
                    .append(ValueText.of(
                            memory, layout, table.columns().get(column).type(), row, column));
        }
        return new ProcedureException(
                ErrorCode.CONSTRAINT_VIOLATION,
                "Table " + table.name() + " already has a row with (" + columns + ") = (" + values + "), which "
                        + (index.primaryKey() ? "its primary key " : "unique index ") + index.name() + " forbids",
                new ErrorSubject(ErrorSubject.Kind.UNIQUE, table.name(), "", index.name()));
    }

    /** The row that stands against a row which the index has refused. */
    long opposing(long row, int position) {
        return indexes[position].insert(row);
    }

    /**
     * Makes the indexes of a changed definition, beside those in use: the same where their definitions are but for their
     * position, the others built from the rows. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT, and nothing has changed then.
     */
    IndexVersion prepare(Table newTable, TableRows liveRows) {
        IndexVersion prepared =
                new IndexVersion(newTable, new RowIndex[newTable.indexes().size()]);
        for (Index definition : newTable.indexes()) {
            RowIndex kept = sameAs(definition);
            if (kept != null) {
                prepared.indexes()[definition.position()] = kept;
                continue;
            }
            try {
                space.requireRegions(RowIndex.regions(definition, KeyLayout.of(newTable, layout, definition)), account);
                RowIndex index = make(newTable, definition);
                prepared.indexes()[definition.position()] = index;
                build(index, liveRows.scanStart(), liveRows.scanEnd());
            } catch (ProcedureException e) {
                discard(prepared);
                throw e;
            }
        }
        return prepared;
    }

    /** Takes a version into use, and returns the one that was. */
    IndexVersion exchange(IndexVersion version) {
        IndexVersion before = current();
        version.table().indexes().forEach(definition -> version.indexes()[definition.position()].redefine(definition));
        take(version.table(), version.indexes());
        return before;
    }

    /** Frees what a version that is not in use has for itself. */
    void discard(IndexVersion version) {
        version.dropAllBut(current());
    }

    private IndexVersion current() {
        return new IndexVersion(table, indexes);
    }

    private RowIndex sameAs(Index definition) {
        for (RowIndex index : indexes) {
            Index old = index.definition();
            if (old.name().equals(definition.name())
                    && old.columns().equals(definition.columns())
                    && old.unique() == definition.unique()
                    && old.kind() == definition.kind()) {
                return index;
            }
        }
        return null;
    }

    /** So many more rows will come, and probably so many after them: see {@link RowIndex#expectRows}. Throws MEMORY_LIMIT. */
    void expectRows(long count, long likely) {
        for (RowIndex index : indexes) {
            index.expectRows(count, likely);
        }
    }

    /** Gives back room for rows that did not come. */
    void trim() {
        for (RowIndex index : indexes) {
            index.trim();
        }
    }

    /** Gives back memory that is not needed any more, where it is much. */
    void trimIfMuch() {
        for (RowIndex index : indexes) {
            index.trimIfMuch();
        }
    }

    /** Enters the live rows in a range of places, index after index. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT. */
    void enter(long from, long to) {
        for (RowIndex index : indexes) {
            build(index, from, to);
        }
    }

    private void build(RowIndex index, long from, long to) {
        int rowSize = layout.size();
        for (long row = from; row < to; row += rowSize) {
            if ((memory.getLong(row) & RowLayout.LIVE) == 0) {
                continue;
            }
            index.reserve();
            if (index.insert(row) != 0) {
                throw duplicate(index.definition(), row);
            }
        }
    }

    private ProcedureException duplicate(Index index, long row) {
        StringBuilder key = new StringBuilder();
        for (int column : index.columns()) {
            key.append(key.isEmpty() ? "" : ", ")
                    .append(table.columns().get(column).name())
                    .append(" = ")
                    .append(ValueText.of(
                            memory, layout, table.columns().get(column).type(), row, column));
        }
        return new ProcedureException(
                ErrorCode.CONSTRAINT_VIOLATION,
                "Unique index " + index.name() + " can't be made: table " + table.name()
                        + " has more than one row with " + key,
                new ErrorSubject(ErrorSubject.Kind.UNIQUE, table.name(), "", index.name()));
    }

    RowIndex.Content[] detach() {
        RowIndex.Content[] contents = new RowIndex.Content[indexes.length];
        for (int i = 0; i < indexes.length; i++) {
            contents[i] = indexes[i].detach();
        }
        return contents;
    }

    void restore(RowIndex.Content[] contents) {
        for (int i = 0; i < indexes.length; i++) {
            indexes[i].restore(contents[i]);
        }
    }

    void drop() {
        for (RowIndex index : indexes) {
            index.drop();
        }
    }
}
