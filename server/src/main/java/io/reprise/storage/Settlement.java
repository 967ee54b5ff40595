package io.reprise.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of the running transaction's writes: made permanent or undone. Reads the {@link UndoLog} and has the tables
 * do it; also keeps what truncated tables held until then.
 */
final class Settlement {
    private final PartitionTables tables;
    private final UndoLog undo;
    private final List<TableContent> setAside = new ArrayList<>();

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

    /** At commit: frees what was deleted or replaced. */
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
        if (!setAside.isEmpty()) {
            dropSetAside();
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
     * Undoes and removes all records from this one on. New strings are freed only when all rows are as they were: until
     * then, indexes may have to read them to find entries.
     */
    void undoTo(long firstRecord) {
        boolean anyString = false;
        for (long record = undo.last(); record >= firstRecord; record = undo.before(record)) {
            anyString |= undo.kind(record) == UndoLog.STRING;
            undo(record);
        }
        for (long record = undo.last(); anyString && record >= firstRecord; record = undo.before(record)) {
            if (undo.kind(record) == UndoLog.STRING && undo.secondWord(record) != 0) {
                table(record).rollback().string(record, undo.secondWord(record));
            }
        }
        while (undo.last() >= firstRecord) {
            if (undo.kind(undo.last()) == UndoLog.TRUNCATE) {
                table(undo.last()).rollback().end();
            }
            undo.removeLast();
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
            case UndoLog.INSERT -> table.insert(row);
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
            case UndoLog.TRUNCATE -> table.truncate(record, setAside.removeLast());
            default -> throw new IllegalStateException("the undo log has a record of kind " + kind);
        }
    }
}
