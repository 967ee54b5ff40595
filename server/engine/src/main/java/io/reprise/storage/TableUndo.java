package io.reprise.storage;

import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.StringHeap;

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

    /** The row is in no index any more and not live; its place and its strings are still taken. */
    void insert(long row) {
        table.indexes.remove(row, TableIndexes.ALL);
        long rowId = table.rowId(row);
        table.nextRowIds[DirectWrites.bucket(rowId)] = DirectWrites.number(rowId);
        table.count--;
        table.memory.putLong(row, 0);
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

    /** Returns the strings that were written since the truncation. */
    StringHeap.Detached truncate(long record, TableContent content) {
        restoredAt = record;
        return table.restore(content);
    }

    /** Whether what the undone record has written was written after a truncation that is undone too, and has gone with all that was. */
    boolean isGone(long record) {
        return restoredAt != 0 && record > restoredAt;
    }

    /** The rollback that has undone a truncation is through. */
    void end() {
        restoredAt = 0;
    }
}
