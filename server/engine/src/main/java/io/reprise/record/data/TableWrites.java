package io.reprise.record.data;

/**
 * The writes of a transaction to one table, as {@link NetWrites} finds them. Kept for the table's id from one transaction to the next; the
 * table itself may be dropped meanwhile. Owned by the partition's thread.
 */
final class TableWrites {
    private final int id;

    /** The collection that used it last. */
    private long collection;

    /** The first and the last row that was written, as heads, or -1. */
    int firstHead;

    int lastHead;

    /** Whether the table was truncated as a whole. */
    boolean truncated;

    /** Whether rows of the table may have gone. */
    boolean dead;

    /** The range of a row's bytes that updates have saved, taken together. */
    int updatedFrom;

    int updatedTo;

    TableWrites(int id) {
        this.id = id;
    }

    int id() {
        return id;
    }

    boolean isOf(long otherCollection) {
        return collection == otherCollection;
    }

    void begin(long newCollection) {
        collection = newCollection;
        firstHead = -1;
        lastHead = -1;
        truncated = false;
        dead = false;
        updatedFrom = Integer.MAX_VALUE;
        updatedTo = 0;
    }

    void updated(int from, int to) {
        updatedFrom = Math.min(updatedFrom, from);
        updatedTo = Math.max(updatedTo, to);
    }
}
