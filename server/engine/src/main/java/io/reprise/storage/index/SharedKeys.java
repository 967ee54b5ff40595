package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;

/**
 * Keeps the rows of a {@link HashIndex} whose keys several can have. Up to {@link #MOST_TOGETHER} with equal hashes
 * lie together in a chain of the table; of more, the table has only their number and they are in a {@link BTree} of
 * key words and row id. So a key with few rows costs about as much as a unique one, and a key with a million rows no
 * more than a million keys. They stay there until they are all gone, lest they move to and fro.
 */
final class SharedKeys {
    /** The most rows with equal hashes that lie in the table itself. */
    static final int MOST_TOGETHER = 16;

    private final Memory memory;
    private final ReadAhead readAhead;
    private final RowSpace rows;
    private final KeyLayout layout;
    private final LinearTable table;
    private final BTree many;
    private final long[] together = new long[MOST_TOGETHER];

    SharedKeys(Memory memory, ReadAhead readAhead, RowSpace rows, KeyLayout layout, LinearTable table, BTree many) {
        this.memory = memory;
        this.readAhead = readAhead;
        this.rows = rows;
        this.layout = layout;
        this.table = table;
        this.many = many;
    }

    /** Starts iterating over the rows with this key. */
    void open(IndexKey key, int hash, IndexCursor cursor) {
        int count = table.collect(hash, together);
        if (count == 1 && BucketChains.isElsewhere(together[0])) {
            openTree(many, layout, key, cursor);
            return;
        }
        fetchTogether(count);
        for (int i = 0; i < count; i++) {
            long row = rows.address(BucketChains.row(together[i]));
            if (layout.matches(memory, row, key)) {
                cursor.add(row, rowId(row));
            }
        }
    }

    /** Starts iterating over the rows with this key that are in the tree. */
    static void openTree(BTree many, KeyLayout layout, IndexKey key, IndexCursor cursor) {
        int columns = layout.columns();
        cursor.openRange(many, key, columns, true, key, columns, true, false);
        if (layout.inexact()) {
            cursor.verify(layout, key);
        }
    }

    /** Brings rows into the cache that are compared one after the other then. */
    private void fetchTogether(int count) {
        for (int i = 0; count > 1 && i < count; i++) {
            readAhead.touch(rows.address(BucketChains.row(together[i])) + layout.lastOffset());
        }
    }

    /** Enters a row. The key is lost. */
    void insert(IndexKey key, int hash, long row) {
        int count = table.collect(hash, together);
        if (count == 1 && BucketChains.isElsewhere(together[0])) {
            many.insert(key, rowId(row), row);
            int elsewhere = BucketChains.countElsewhere(together[0]);
            table.replace(together[0], BucketChains.elsewhere(hash, elsewhere + 1));
        } else if (count < MOST_TOGETHER) {
            table.insert(hash, rows.number(row));
        } else {
            many.insert(key, rowId(row), row);
            for (int i = 0; i < count; i++) {
                long other = rows.address(BucketChains.row(together[i]));
                table.removeEntry(together[i]);
                layout.encode(memory, other, key);
                many.insert(key, rowId(other), other);
            }
            table.insertEntry(BucketChains.elsewhere(hash, count + 1));
        }
    }

    /** Takes out a row that is not in the table itself. Returns whether it was there. */
    boolean removeElsewhere(IndexKey key, int hash, long row) {
        if (table.collect(hash, together) != 1
                || !BucketChains.isElsewhere(together[0])
                || !many.remove(key, rowId(row), row)) {
            return false;
        }
        int left = BucketChains.countElsewhere(together[0]) - 1;
        if (left == 0) {
            table.removeEntry(together[0]);
        } else {
            table.replace(together[0], BucketChains.elsewhere(hash, left));
        }
        return true;
    }

    private long rowId(long row) {
        return memory.getLong(row) & RowLayout.ROW_ID_MASK;
    }
}
