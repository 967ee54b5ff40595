package io.reprise.recovery.closure;

import io.reprise.id.Buckets;
import io.reprise.storage.row.RowLayout;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The pieces of rows that a recovery needs: whole buckets, buckets of single tables, and single rows. Past a limit, single rows become
 * buckets of their tables. Open addressing; confined to one thread.
 */
final class NeededRows {
    private static final int FEW = 1024;

    private final int mostRows;
    private final BitSet buckets = new BitSet();

    /** By table and bucket, plus one. */
    private final LongSet tableBuckets = new LongSet();

    /** By bucket, the number of its single rows. */
    private int[] rowsIn = new int[64];

    /** By bucket, whether it has a table that is needed whole. */
    private final BitSet coarsened = new BitSet();

    private int[] tables = new int[FEW];

    /** A row plus one; 0: free. */
    private long[] rows = new long[FEW];

    /** 0: not needed any more. */
    private long[] masks = new long[FEW];

    private int used;
    private int needed;

    NeededRows(int mostRows) {
        this.mostRows = mostRows;
    }

    static int bucketOf(long row) {
        return (int) (row >>> RowLayout.SEQUENCE_BITS);
    }

    void addBucket(int bucket) {
        buckets.set(bucket);
    }

    boolean hasBucket(int bucket) {
        return buckets.get(bucket);
    }

    /** Whether anything of a bucket is needed. */
    boolean touches(int bucket) {
        return buckets.get(bucket) || coarsened.get(bucket) || bucket < rowsIn.length && rowsIn[bucket] > 0;
    }

    /** Whether anything at all is needed. */
    boolean isEmpty() {
        return buckets.isEmpty() && coarsened.isEmpty() && needed == 0;
    }

    /** The pieces of a row that are needed. */
    long mask(int table, long row) {
        if (isWhole(table, row)) {
            return -1;
        }
        int slot = slot(table, row);
        return rows[slot] == 0 ? 0 : masks[slot];
    }

    private boolean isWhole(int table, long row) {
        int bucket = bucketOf(row);
        return buckets.get(bucket) || coarsened.get(bucket) && tableBuckets.has(key(table, bucket));
    }

    void add(int table, long row, long mask) {
        if (mask == 0 || isWhole(table, row)) {
            return;
        }
        int slot = slot(table, row);
        if (rows[slot] == 0) {
            if (2 * (used + 1) > rows.length) {
                makeRoom();
                add(table, row, mask);
                return;
            }
            tables[slot] = table;
            rows[slot] = row + 1;
            used++;
        }
        if (masks[slot] == 0) {
            count(bucketOf(row), 1);
        }
        masks[slot] |= mask;
    }

    void remove(int table, long row, long mask) {
        int slot = slot(table, row);
        if (rows[slot] != 0 && masks[slot] != 0) {
            masks[slot] &= ~mask;
            if (masks[slot] == 0) {
                count(bucketOf(row), -1);
            }
        }
    }

    private void count(int bucket, int difference) {
        if (bucket >= rowsIn.length) {
            rowsIn = Arrays.copyOf(rowsIn, Math.max(bucket + 1, 2 * rowsIn.length));
        }
        rowsIn[bucket] += difference;
        needed += difference;
    }

    /** Another schema begins: pieces mean something else, so each row is needed whole. */
    void wholeRows() {
        for (int i = 0; i < rows.length; i++) {
            if (masks[i] != 0) {
                masks[i] = -1;
            }
        }
    }

    private void makeRoom() {
        if (needed >= mostRows) {
            coarsen();
            return;
        }
        int[] oldTables = tables;
        long[] oldRows = rows;
        long[] oldMasks = masks;
        int capacity = 4 * needed > rows.length ? 2 * rows.length : rows.length;
        tables = new int[capacity];
        rows = new long[capacity];
        masks = new long[capacity];
        used = 0;
        for (int i = 0; i < oldRows.length; i++) {
            if (oldMasks[i] != 0) {
                int slot = slot(oldTables[i], oldRows[i] - 1);
                tables[slot] = oldTables[i];
                rows[slot] = oldRows[i];
                masks[slot] = oldMasks[i];
                used++;
            }
        }
    }

    private void coarsen() {
        for (int i = 0; i < rows.length; i++) {
            if (masks[i] != 0) {
                int bucket = bucketOf(rows[i] - 1);
                tableBuckets.add(key(tables[i], bucket));
                coarsened.set(bucket);
            }
        }
        Arrays.fill(rows, 0);
        Arrays.fill(masks, 0);
        Arrays.fill(rowsIn, 0);
        used = 0;
        needed = 0;
    }

    private static long key(int table, int bucket) {
        return (long) table << 16 | bucket;
    }

    private int slot(int table, long row) {
        int slot = (int) Buckets.mix(table, row) & rows.length - 1;
        while (rows[slot] != 0 && !(rows[slot] == row + 1 && tables[slot] == table)) {
            slot = slot + 1 & rows.length - 1;
        }
        return slot;
    }

    int rows() {
        return needed;
    }

    int wholeBuckets() {
        return buckets.cardinality();
    }

    int wholeTableBuckets() {
        return tableBuckets.size();
    }
}
