package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.storage.row.RowLayout;
import io.reprise.storage.row.RowSpace;

/** Finds rows by their row ids. Not one of a table's indexes: made for a while by who needs it, and dropped. */
public final class RowIdIndex {
    private final Memory memory;
    private final RowSpace rows;
    private final LinearTable table;

    /** An empty index over the rows in the given space. */
    public RowIdIndex(AddressSpace space, MemoryAccount account, RowSpace rows) {
        memory = space.memory();
        this.rows = rows;
        table = new LinearTable(space, account);
    }

    private long rowId(long row) {
        return memory.getLong(row) & RowLayout.ROW_ID_MASK;
    }

    /** Enters a row. Throws MEMORY_LIMIT, if its memory counts. */
    public void insert(long row) {
        table.reserve();
        table.insert(HashIndex.hash(rowId(row)), rows.number(row));
    }

    /** Takes a row out. */
    public void remove(long row) {
        if (!table.remove(HashIndex.hash(rowId(row)), rows.number(row))) {
            throw new IllegalStateException("row " + row + " is not in the index of row ids");
        }
    }

    /** The address of the row with this id, or 0. */
    public long find(long rowId) {
        int hash = HashIndex.hash(rowId);
        long bucket = table.bucketFor(hash);
        int bytes = BucketChains.BUCKET;
        while (true) {
            long slot = 0;
            for (int at = 0; at < bytes; at += Long.BYTES) {
                slot = memory.getLong(bucket + at);
                if ((int) (slot >>> 32) == hash && (int) slot > 0) {
                    long row = rows.address((int) slot - 1);
                    if (rowId(row) == rowId) {
                        return row;
                    }
                }
            }
            if ((int) slot >= 0) {
                return 0;
            }
            bucket = table.overflowBucket(slot);
            bytes = BucketChains.OVERFLOW;
        }
    }

    /** Gives its memory back. */
    public void drop() {
        table.drop();
    }
}
