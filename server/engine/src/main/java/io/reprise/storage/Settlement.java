package io.reprise.storage;

import io.reprise.storage.row.StringHeap;
import java.util.ArrayList;
import java.util.List;

/**
 * Settles the running transaction's writes: makes them permanent or undoes them. Reads the {@link UndoLog} and has
 * the tables do it; also keeps the content of truncated tables until then.
 *
 * <p>Until the transaction ends, nothing is freed that a query may have seen: results refer to strings in the heap
 * without copying them. So a return to a savepoint undoes and frees no strings.
 */
final class Settlement {
    /** With fewer rows and strings freed at once, their memory stays for later ones. */
    private static final int MANY = 256;

    private final PartitionTables tables;
    private final UndoLog undo;
    private final List<TableContent> setAside = new ArrayList<>();

    /** Heaps of undone truncations: strings written between the truncation and its undoing. */
    private final List<StringHeap.Detached> undoneHeaps = new ArrayList<>();

    Settlement(PartitionTables tables, UndoLog undo) {
        this.tables = tables;
        this.undo = undo;
    }

    private TableStore table(long record) {
        return tables.table(undo.tableId(record));
    }

    /** Keeps a truncated table's content until the transaction ends. Returns where. */
    int setAside(TableContent content) {
        setAside.add(content);
        return setAside.size() - 1;
    }

    /** At commit: frees what was deleted, replaced, or undone. */
    void free() {
        for (long record = undo.start(); record < undo.end(); record = undo.after(record)) {
            int kind = undo.kind(record);
            if (kind == UndoLog.DELETE || kind == UndoLog.STRING) {
                TableStore table = table(record);
                if (!table.setAsideSince(record)) {
                    if (kind == UndoLog.DELETE) {
                        table.forget(undo.word(record));
                    } else if (undo.word(record) != 0) {
                        table.freeString(undo.word(record));
                    }
                }
            }
        }
        if (undo.hasUndone()) {
            freeUndone();
        }
        if (!setAside.isEmpty()) {
            dropSetAside();
        }
    }

    /** The last one first, so that the places of rows at a table's end are as if they had never been taken. */
    private void freeUndone() {
        int freed = 0;
        for (long record = undo.last(); record != 0; record = undo.before(record)) {
            int kind = undo.kind(record);
            if (kind == UndoLog.UNDONE_TRUNCATE
                    || UndoLog.isUndone(kind) && !table(record).setAsideSince(record)) {
                freeUndone(record);
                freed++;
            }
        }
        undoneHeaps.clear();
        trimAfter(freed);
    }

    private void freeUndone(long record) {
        switch (undo.kind(record)) {
            case UndoLog.UNDONE_INSERT -> table(record).abandon(undo.word(record));
            case UndoLog.UNDONE_STRING -> table(record).freeString(undo.word(record));
            default -> undoneHeaps.get((int) undo.word(record)).drop();
        }
    }

    private void dropSetAside() {
        for (long record = undo.start(); record < undo.end(); record = undo.after(record)) {
            if (undo.kind(record) == UndoLog.TRUNCATE) {
                table(record).drop(setAside.get((int) undo.word(record)));
            }
        }
        setAside.clear();
    }

    /**
     * Undoes all and frees at once what was written, because the transaction ends. New strings are freed only when all rows are as they
     * were: until then, indexes may have to read them to find entries.
     */
    void undoAll() {
        undoTo(undo.start());
        undoneHeaps.clear();
    }

    /** The same from this record on, when the write itself has failed, so that no reader can have seen the bytes. */
    void undoTo(long firstRecord) {
        int truncationsBefore = setAside.size();
        boolean anyString = false;
        int freed = 0;
        for (long record = undo.last(); record >= firstRecord; record = undo.before(record)) {
            int kind = undo.kind(record);
            anyString |= kind == UndoLog.STRING;
            if (kind == UndoLog.INSERT) {
                long row = undo.word(record);
                table(record).rollback().insert(row);
                table(record).abandon(row);
                freed++;
            } else if (kind == UndoLog.TRUNCATE) {
                undoTruncation(record).drop();
            } else if (UndoLog.isUndone(kind)) {
                freeUndone(record);
                freed++;
            } else {
                undo(record);
            }
        }
        for (long record = undo.last(); anyString && record >= firstRecord; record = undo.before(record)) {
            if (undo.kind(record) == UndoLog.STRING
                    && undo.secondWord(record) != 0
                    && !table(record).rollback().isGone(record)) {
                table(record).freeString(undo.secondWord(record));
                freed++;
            }
        }
        undo.removeFrom(firstRecord);
        endTruncations(truncationsBefore);
        trimAfter(freed);
    }

    /**
     * Undoes all records from this one on, for a return to a savepoint: notes in their place what is to be freed when the transaction ends.
     */
    void returnTo(long firstRecord) {
        int truncationsBefore = setAside.size();
        int freed = 0;
        for (long record = undo.last(); record >= firstRecord; record = undo.before(record)) {
            int kind = undo.kind(record);
            if (kind == UndoLog.INSERT) {
                long row = undo.word(record);
                TableStore table = table(record);
                table.rollback().insert(row);
                if (!table.hasHeapStrings(row)) {
                    table.abandon(row);
                    freed++;
                }
            } else if (kind == UndoLog.TRUNCATE) {
                undoneHeaps.add(undoTruncation(record));
            } else if (!UndoLog.isUndone(kind)) {
                undo(record);
            }
        }
        note(firstRecord);
        endTruncations(truncationsBefore);
        trimAfter(freed);
    }

    /** Each record is read before others are written in its place. The last heap that was set aside is that of the first truncation. */
    private void note(long firstRecord) {
        long end = undo.end();
        int heap = undoneHeaps.size();
        undo.removeFrom(firstRecord);
        long next;
        for (long record = firstRecord; record < end; record = next) {
            next = undo.after(record);
            int kind = undo.kind(record);
            if (kind == UndoLog.TRUNCATE) {
                undo.undone(UndoLog.UNDONE_TRUNCATE, undo.tableId(record), --heap);
            } else if (kind == UndoLog.UNDONE_TRUNCATE) {
                undo.undone(kind, undo.tableId(record), undo.word(record));
            } else if (kind != UndoLog.SAVEPOINT && !table(record).rollback().isGone(record)) {
                note(record, kind);
            }
        }
    }

    private void note(long record, int kind) {
        int tableId = undo.tableId(record);
        long word = undo.word(record);
        if (UndoLog.isUndone(kind)) {
            undo.undone(kind, tableId, word);
        } else if (kind == UndoLog.INSERT && table(record).hasHeapStrings(word)) {
            undo.undone(UndoLog.UNDONE_INSERT, tableId, word);
        } else if (kind == UndoLog.STRING && undo.secondWord(record) != 0) {
            undo.undone(UndoLog.UNDONE_STRING, tableId, undo.secondWord(record));
        }
    }

    private StringHeap.Detached undoTruncation(long record) {
        return table(record).rollback().truncate(record, setAside.removeLast());
    }

    private void endTruncations(int before) {
        if (setAside.size() < before) {
            tables.forEach(table -> table.rollback().end());
        }
    }

    private void trimAfter(int freed) {
        if (freed >= MANY) {
            tables.forEach(TableStore::trim);
        }
    }

    private void undo(long record) {
        int kind = undo.kind(record);
        if (kind == UndoLog.STRING || kind == UndoLog.SAVEPOINT) {
            // STRING is undone in a second pass, SAVEPOINT needs nothing.
            return;
        }
        TableUndo table = table(record).rollback();
        long row = undo.word(record);
        switch (kind) {
            case UndoLog.DELETE -> table.delete(row);
            case UndoLog.UPDATE ->
                table.update(
                        row,
                        undo.imageFrom(record),
                        undo.imageLength(record),
                        record + UndoLog.IMAGE,
                        undo.imageIndexes(record));
            case UndoLog.INDEX -> table.index(row, undo.secondWord(record));
            case UndoLog.UNINDEX -> table.unindex(row, undo.secondWord(record));
            default -> throw new IllegalStateException("the undo log has a record of kind " + kind);
        }
    }
}
