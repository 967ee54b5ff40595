package io.reprise.storage;

/**
 * The writes of the running transaction in order, for the log. A row may be written more than once; its present state
 * is in the row itself, its state before each update in the update's image.
 */
public final class TransactionWrites {
    /** The kind of a write. */
    public enum Kind {
        INSERT,
        UPDATE,
        DELETE,
        TRUNCATE
    }

    /** By the code in the undo log; those of writes are the lowest. */
    private static final Kind[] KINDS = new Kind[UndoLog.TRUNCATE + 1];

    static {
        KINDS[UndoLog.INSERT] = Kind.INSERT;
        KINDS[UndoLog.UPDATE] = Kind.UPDATE;
        KINDS[UndoLog.DELETE] = Kind.DELETE;
        KINDS[UndoLog.TRUNCATE] = Kind.TRUNCATE;
    }

    private final PartitionTables tables;
    private final UndoLog undo;
    private long record;
    private long nextRecord;
    private int code;

    TransactionWrites(PartitionTables tables, UndoLog undo) {
        this.tables = tables;
        this.undo = undo;
    }

    /** Goes back to the beginning. */
    public void rewind() {
        nextRecord = undo.start();
    }

    /** Moves to the next write. Returns whether there is one. */
    public boolean next() {
        long end = undo.end();
        while (nextRecord < end) {
            record = nextRecord;
            nextRecord = undo.after(record);
            code = undo.kind(record);
            if (code <= UndoLog.TRUNCATE) {
                return true;
            }
        }
        return false;
    }

    /** The position of this write in the transaction, to come back to it. */
    public long position() {
        return record;
    }

    /** The kind of this write. */
    public Kind kind() {
        return KINDS[code];
    }

    /** The id of the table that it was made to. */
    public int tableId() {
        return undo.tableId(record);
    }

    /** To which table. */
    public TableStore table() {
        return tables.table(undo.tableId(record));
    }

    /** The row's address; a deleted row can still be read there. Not for TRUNCATE. */
    public long row() {
        return undo.word(record);
    }

    /** UPDATE: the offset in the row at which the changed bytes begin; at least all changed columns are covered. */
    public int from() {
        return from(record);
    }

    /** The same of the UPDATE at a position. */
    public int from(long position) {
        return undo.imageFrom(position);
    }

    /** UPDATE: the number of bytes. */
    public int length() {
        return length(record);
    }

    /** The same of the UPDATE at a position. */
    public int length(long position) {
        return undo.imageLength(position);
    }

    /** UPDATE: the address of a copy of those bytes as they were before. */
    public long image() {
        return image(record);
    }

    /** The same of the UPDATE at a position. */
    public long image(long position) {
        return position + UndoLog.IMAGE;
    }

    /** Whether the write at a position is an UPDATE. */
    public boolean isUpdate(long position) {
        return undo.kind(position) == UndoLog.UPDATE;
    }
}
