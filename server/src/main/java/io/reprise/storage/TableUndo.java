package io.reprise.storage;

import io.reprise.storage.row.RowLayout;

/**
 * Takes back what the running transaction has done to a table, write by write, the last one first; {@link Settlement} says
 * which. Never needs memory, so it never fails.
 */
final class TableUndo {
    private final TableStore table;

    /** While a rollback is under way: the undo record of the first truncation that it has undone. */
    private long restoredAt;

    TableUndo(TableStore table) {
        this.table = table;
    }

    void insert(long row) {
        table.indexes.remove(row, TableIndexes.ALL);
        long rowId = table.rowId(row);
        table.nextRowIds[DirectWrites.bucket(rowId)] = DirectWrites.number(rowId);
        table.count--;
        table.abandon(row);
    }

    void delete(long row) {
        table.memory.putLong(row, table.memory.getLong(row) | RowLayout.LIVE);
        table.count++;
        unindex(row, TableIndexes.ALL);
    }

    void update(long row, int from, int length, long image, long touched) {
        table.indexes.moveBack(row, image, touched);
        long header = table.memory.getLong(row);
        table.memory.copy(image, row + from, length);
        if (from < RowLayout.HEADER) {
            table.memory.putLong(row, header);
        }
    }

    void index(long row, long touched) {
        table.indexes.remove(row, touched);
    }

    void unindex(long row, long touched) {
        table.indexes.insert(row, touched);
    }

    void truncate(long record, TableContent content) {
        restoredAt = record;
        table.restore(content);
    }

    /** A new string of an undone update. One that was written after a truncation has gone with the heap it was in. */
    void string(long record, long ref) {
        if (restoredAt == 0 || record < restoredAt) {
            table.strings.free(ref);
        }
    }

    /** The rollback that has undone a truncation is through. */
    void end() {
        restoredAt = 0;
    }
}
