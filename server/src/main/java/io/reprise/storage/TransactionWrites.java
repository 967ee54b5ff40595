package io.reprise.storage;

/**
 * The writes of the running transaction in the order in which they were made, for whoever logs them. A row may be written
 * more than once; what it is now is in the row itself, what it was before each update in the update's image.
 */
public final class TransactionWrites {
    /** What a write did. */
    public enum Kind {
        INSERT,
        UPDATE,
        DELETE,
        TRUNCATE
    }

    private final PartitionStore store;
    private final UndoLog undo;
    private long record;
    private long nextRecord;
    private Kind kind;

    TransactionWrites(PartitionStore store, UndoLog undo) {
        this.store = store;
        this.undo = undo;
    }

    /** Goes back to the beginning. */
    public void rewind() {
        nextRecord = undo.start();
    }

    /** Moves to the next write. Returns whether there is one. */
    public boolean next() {
        while (nextRecord < undo.end()) {
            record = nextRecord;
            nextRecord = undo.after(record);
            kind = switch (undo.kind(record)) {
                case UndoLog.INSERT -> Kind.INSERT;
                case UndoLog.UPDATE -> Kind.UPDATE;
                case UndoLog.DELETE -> Kind.DELETE;
                case UndoLog.TRUNCATE -> Kind.TRUNCATE;
                default -> null;
            };
            if (kind != null) {
                return true;
            }
        }
        return false;
    }

    /** Where this write is in the transaction, to come back to it by {@link #moveTo}. */
    public long position() {
        return record;
    }

    /** Goes to a write that {@link #next} has met in this transaction. */
    public void moveTo(long position) {
        nextRecord = position;
        next();
    }

    /** What it did. */
    public Kind kind() {
        return kind;
    }

    /** To which table. */
    public TableStore table() {
        return store.table(undo.tableId(record));
    }

    /** The row's address; a deleted row can still be read there. Not for TRUNCATE. */
    public long row() {
        return undo.word(record);
    }

    /** UPDATE: where in the row the changed bytes begin; at least all changed columns are covered. */
    public int from() {
        return undo.imageFrom(record);
    }

    /** UPDATE: how many bytes. */
    public int length() {
        return undo.imageLength(record);
    }

    /** UPDATE: the address of a copy of those bytes as they were before. */
    public long image() {
        return record + UndoLog.IMAGE;
    }
}
