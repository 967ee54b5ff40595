package io.reprise.storage;

import io.reprise.catalog.Table;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.memory.AddressSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The tables of one partition by their catalog ids, and how their definitions change: made, rebuilt with other columns or
 * indexes, dropped. Changes come between transactions only, so nothing of them is in the undo log.
 */
public final class PartitionTables {
    private final PartitionStore store;
    private final AddressSpace space;
    private final UndoLog undo;
    private TableStore[] byId = new TableStore[16];

    private int changes;

    /** Dropped tables of whose rows an observer still needs some: their last ones, or those that a truncation has left. */
    private final List<TableStore> kept = new ArrayList<>();

    PartitionTables(PartitionStore store, AddressSpace space, UndoLog undo) {
        this.store = store;
        this.space = space;
        this.undo = undo;
    }

    /** The table with this catalog id. */
    TableStore table(int tableId) {
        TableStore table = tableId < byId.length ? byId[tableId] : null;
        if (table == null) {
            throw new IllegalArgumentException("partition " + store.options().partition() + " has no table " + tableId);
        }
        return table;
    }

    boolean contains(int tableId) {
        return tableId >= 0 && tableId < byId.length && byId[tableId] != null;
    }

    /** The number of changes of tables or their definitions. */
    public int changes() {
        return changes;
    }

    /** Checks that redo has written no rows ahead of their turn. */
    void requireNoPlacesAhead() {
        forEach(table -> Invariants.check(
                !table.directWrites().placesAhead().areLeft(), "a snapshot begins with rows ahead, table", table.id()));
    }

    /** By ascending ids. */
    void forEach(Consumer<TableStore> action) {
        for (TableStore table : byId) {
            if (table != null) {
                action.accept(table);
            }
        }
    }

    /** Makes an empty table. */
    TableStore create(Table table) {
        requireNoTransaction();
        if (contains(table.id())) {
            throw new IllegalArgumentException("table " + table.id() + " exists already");
        }
        TableStore created = new TableStore(store, space, undo, table);
        if (table.id() >= byId.length) {
            byId = Arrays.copyOf(byId, Math.max(table.id() + 1, 2 * byId.length));
        }
        byId[table.id()] = created;
        changes++;
        return created;
    }

    /** Drops a table and gives its memory back. */
    void drop(int tableId) {
        requireNoTransaction();
        TableStore table = table(tableId);
        byId[tableId] = null;
        changes++;
        discard(table);
    }

    /**
     * The first half of a change of a table's indexes, of rows that stay as they are: makes the new ones beside those in use, so that
     * a change of several partitions can be given up when one of them refuses. {@link #install(IndexVersion)} or {@link
     * #discard(IndexVersion)} it. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT, and nothing has changed then.
     */
    public IndexVersion prepareIndexes(Table newTable) {
        requireNoTransaction();
        TableStore table = table(newTable.id());
        return table.indexes.prepare(newTable, table);
    }

    /**
     * Takes indexes into use that were prepared, or were in use before, and returns those that were instead. Compiled statements
     * hold indexes, so they have to be made again, unless these are their own again.
     */
    public IndexVersion install(IndexVersion version) {
        requireNoTransaction();
        changes++;
        return table(version.table().id()).indexes.exchange(version);
    }

    /** Frees indexes that are not in use. */
    public void discard(IndexVersion version) {
        table(version.table().id()).indexes.discard(version);
    }

    /**
     * The first half of a change of a table's columns, or of a division among the partitions: makes the new table beside the old one,
     * which stays in use. {@link #install(TableStore)} or {@link #discard(TableStore)} it. Rows keep their ids. Throws CONSTRAINT_VIOLATION or MEMORY_LIMIT
     * (there has to be room for both), and nothing has changed then.
     *
     * @param newTable with the id of the table that it replaces
     * @param sources for each of its columns where the values come from; a NOT NULL column must not get NULL
     */
    public TableStore prepareRebuild(Table newTable, List<ColumnSource> sources) {
        requireNoTransaction();
        TableStore before = table(newTable.id());
        TableStore after = new TableStore(store, space, undo, newTable);
        store.begin(0);
        try {
            new TableCopy(before, after, store, sources).run();
        } catch (ProcedureException e) {
            after.drop();
            throw e;
        }
        return after;
    }

    /** Puts a prepared table, or one that was replaced, in the place of the one that has its id, and returns that. */
    public TableStore install(TableStore table) {
        requireNoTransaction();
        TableStore before = table(table.id());
        byId[table.id()] = table;
        changes++;
        return before;
    }

    /** Frees a table that is not installed. */
    public void discard(TableStore table) {
        kept.add(table);
        Runnable free = () -> {
            table.drop();
            freed(table);
        };
        WriteObserver observer = store.writeObserver();
        if (observer == null || !observer.keeps(table, table.scanStart(), free)) {
            free.run();
        }
    }

    /** Some of what was kept of a table has been freed: with the last of it, it is no dropped one any more that takes memory. */
    void freed(TableStore table) {
        if (table.memoryUse().total() == 0) {
            kept.remove(table);
        }
    }

    private void requireNoTransaction() {
        if (!undo.isEmpty()) {
            throw new IllegalStateException("tables are changed between transactions only");
        }
    }

    /** The bytes of all tables, the kept ones included. */
    long bytesTaken() {
        long bytes = 0;
        for (TableStore table : byId) {
            bytes += table == null ? 0 : table.memoryUse().total();
        }
        for (TableStore table : kept) {
            bytes += table.memoryUse().total();
        }
        return bytes;
    }
}
