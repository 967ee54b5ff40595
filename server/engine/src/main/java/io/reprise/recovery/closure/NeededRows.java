package io.reprise.recovery.closure;

import io.reprise.storage.row.RowLayout;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The pieces of rows that a recovery needs: whole buckets, buckets of single tables, and single rows. Past a limit, single rows become
 * buckets of their tables. Confined to one thread.
 *
 * <p>Row ids are dense, so eight neighbours of a bucket share an entry of an open-addressing table: one key, and a cache line of masks.
 */
final class NeededRows {
    private static final int FEW = 128;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Rows of a group, as a power of two. */
    private static final int GROUP_BITS = 3;

    private static final int GROUP = 1 << GROUP_BITS;

    private final int mostGroups;
    private final BitSet buckets = new BitSet();

    /** By table and bucket, plus one. */
    private final LongSet tableBuckets = new LongSet();

    /** By bucket, the number of its single rows. */
    private int[] rowsIn = new int[64];

    /** By bucket, whether it has a table that is needed whole. */
    private final BitSet coarsened = new BitSet();

    private int[] tables = new int[FEW];

    /** The first row of a group, divided by the group's size, plus one; 0: free. */
    private long[] groups = new long[FEW];

    /** By slot and row of the group; 0: not needed. */
    private long[] masks = new long[FEW * GROUP];

    private int used;
    private int needed;

    /** Follows about so many rows singly, fewer if they are scattered. */
    NeededRows(int mostRows) {
        mostGroups = mostRows >> GROUP_BITS;
    }

    static int bucketOf(long row) {
        return (int) (row >>> RowLayout.SEQUENCE_BITS);
    }

    /** A slot of a table whose length is a power of two. */
    static int spread(long key, int length) {
        return (int) (key * GOLDEN >>> 1 + Integer.numberOfLeadingZeros(length) + (Long.SIZE - Integer.SIZE));
    }

    void addBucket(int bucket) {
        buckets.set(bucket);
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
        int bucket = bucketOf(row);
        if (bucket >= rowsIn.length || rowsIn[bucket] == 0) {
            return 0;
        }
        int slot = slot(table, row >>> GROUP_BITS);
        return groups[slot] == 0 ? 0 : masks[place(slot, row)];
    }

    private static int place(int slot, long row) {
        return slot << GROUP_BITS | (int) row & GROUP - 1;
    }

    private boolean isWhole(int table, long row) {
        int bucket = bucketOf(row);
        return buckets.get(bucket) || coarsened.get(bucket) && tableBuckets.has(key(table, bucket));
    }

    void add(int table, long row, long mask) {
        if (mask == 0 || isWhole(table, row)) {
            return;
        }
        long group = row >>> GROUP_BITS;
        int slot = slot(table, group);
        if (groups[slot] == 0) {
            if (2 * (used + 1) > groups.length) {
                makeRoom();
                add(table, row, mask);
                return;
            }
            tables[slot] = table;
            groups[slot] = group + 1;
            used++;
        }
        int place = place(slot, row);
        if (masks[place] == 0) {
            count(bucketOf(row), 1);
        }
        masks[place] |= mask;
    }

    void remove(int table, long row, long mask) {
        int bucket = bucketOf(row);
        if (bucket >= rowsIn.length || rowsIn[bucket] == 0) {
            return;
        }
        int slot = slot(table, row >>> GROUP_BITS);
        if (groups[slot] == 0) {
            return;
        }
        int place = place(slot, row);
        if (masks[place] != 0) {
            masks[place] &= ~mask;
            if (masks[place] == 0) {
                count(bucket, -1);
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
        for (int i = 0; i < masks.length; i++) {
            if (masks[i] != 0) {
                masks[i] = -1;
            }
        }
    }

    /** Drops groups without needed rows; if few of them are dropped, the table grows, or rows become buckets of tables. */
    private void makeRoom() {
        int left = 0;
        for (int slot = 0; slot < groups.length; slot++) {
            left += isNeeded(slot) ? 1 : 0;
        }
        if (left >= mostGroups) {
            coarsen();
            return;
        }
        int[] oldTables = tables;
        long[] oldGroups = groups;
        long[] oldMasks = masks;
        int capacity = 4 * left > oldGroups.length ? 2 * oldGroups.length : oldGroups.length;
        tables = new int[capacity];
        groups = new long[capacity];
        masks = new long[capacity << GROUP_BITS];
        used = left;
        for (int old = 0; old < oldGroups.length; old++) {
            if (isNeeded(oldMasks, old)) {
                int slot = slot(oldTables[old], oldGroups[old] - 1);
                tables[slot] = oldTables[old];
                groups[slot] = oldGroups[old];
                System.arraycopy(oldMasks, old << GROUP_BITS, masks, slot << GROUP_BITS, GROUP);
            }
        }
    }

    private boolean isNeeded(int slot) {
        return groups[slot] != 0 && isNeeded(masks, slot);
    }

    private static boolean isNeeded(long[] of, int slot) {
        long any = 0;
        for (int i = slot << GROUP_BITS; i < slot + 1 << GROUP_BITS; i++) {
            any |= of[i];
        }
        return any != 0;
    }

    private void coarsen() {
        for (int slot = 0; slot < groups.length; slot++) {
            if (isNeeded(slot)) {
                int bucket = bucketOf(groups[slot] - 1 << GROUP_BITS);
                tableBuckets.add(key(tables[slot], bucket));
                coarsened.set(bucket);
            }
        }
        Arrays.fill(groups, 0);
        Arrays.fill(masks, 0);
        Arrays.fill(rowsIn, 0);
        used = 0;
        needed = 0;
    }

    private static long key(int table, int bucket) {
        return (long) table << 16 | bucket;
    }

    private int slot(int table, long group) {
        int slot = spread(group + (long) table * 0xBF58476D1CE4E5B9L, groups.length);
        while (groups[slot] != 0 && !(groups[slot] == group + 1 && tables[slot] == table)) {
            slot = slot + 1 & groups.length - 1;
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
