package io.reprise.recovery.closure;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.Footprint;
import java.util.Arrays;

/**
 * Transactions of a log with their footprints, and changes of the catalog, in flat arrays. Entries are read through one view, so a pass over
 * them makes no objects. Confined to one thread.
 *
 * <p>The rows of an entry stand together. A footprint of another partition of the same transaction moves the rows behind all others first.
 */
public final class LoggedTransactions {
    private static final int FEW = 256;

    static final byte DATA = 1;
    static final byte TOLD = 2;
    static final byte COARSE = 4;
    static final byte REPLICATED = 8;
    static final byte CATALOG_CHANGE = 16;
    static final byte UNCONFINED = 32;

    private int count;
    private long[] ids = new long[FEW];
    private byte[] states = new byte[FEW];
    private int[] parts = new int[FEW];
    private int[] partsTold = new int[FEW];

    /** By entry, the first of its rows, and their number. */
    private int[] begins = new int[FEW];

    private int[] sizes = new int[FEW];

    /** By entry, the end of its buckets. */
    private int[] bucketEnds = new int[FEW];

    private int[] buckets = new int[FEW];

    private int rowCount;
    private int[] tables = new int[FEW];
    private byte[] flags = new byte[FEW];
    private long[] rows = new long[FEW];
    private long[] read = new long[FEW];
    private long[] written = new long[FEW];

    /** Open addressing by transaction id: an entry plus one. Empty until an id is looked for. */
    private int[] slots = {};

    private long least = Long.MAX_VALUE;
    private final LoggedTransaction view = new LoggedTransaction();

    /** No transactions. */
    public LoggedTransactions() {}

    /** Forgets all entries and keeps the memory. */
    public void clear() {
        count = 0;
        rowCount = 0;
        least = Long.MAX_VALUE;
        slots = new int[0];
    }

    /** The number of entries. */
    public int size() {
        return count;
    }

    /** Adds a transaction without a footprint. Its buckets are null if it may have touched any. */
    void add(long id, boolean data, int[] ofBuckets, int bucketCount) {
        byte state = (byte) ((data ? DATA : 0) | (ofBuckets == null ? UNCONFINED : 0));
        add(id, state, ofBuckets, 0, bucketCount);
    }

    private void add(long id, byte state, int[] ofBuckets, int firstBucket, int bucketCount) {
        begin(id, state);
        int end = bucketEnds[count - 1];
        if (bucketCount > 0) {
            if (end + bucketCount > buckets.length) {
                buckets = Arrays.copyOf(buckets, 2 * (end + bucketCount));
            }
            System.arraycopy(ofBuckets, firstBucket, buckets, end, bucketCount);
            bucketEnds[count - 1] = end + bucketCount;
        }
        least = Math.min(least, id);
    }

    /** Adds a change of the catalog. */
    public void addCatalogChange() {
        begin(0, CATALOG_CHANGE);
    }

    private void begin(long id, byte state) {
        if (count == ids.length) {
            int more = 2 * count;
            ids = Arrays.copyOf(ids, more);
            states = Arrays.copyOf(states, more);
            parts = Arrays.copyOf(parts, more);
            partsTold = Arrays.copyOf(partsTold, more);
            begins = Arrays.copyOf(begins, more);
            sizes = Arrays.copyOf(sizes, more);
            bucketEnds = Arrays.copyOf(bucketEnds, more);
        }
        ids[count] = id;
        states[count] = state;
        parts[count] = 1;
        partsTold[count] = 0;
        begins[count] = rowCount;
        sizes[count] = 0;
        bucketEnds[count] = count == 0 ? 0 : bucketEnds[count - 1];
        count++;
    }

    /** Adds a copy of a transaction with its rows. */
    public void add(LoggedTransaction transaction) {
        transaction.addTo(this);
    }

    /** Adds a transaction of these properties. Its rows follow by {@link #addRows}. */
    void add(long id, byte state, int ofParts, int told, int[] ofBuckets, int firstBucket, int bucketCount) {
        add(id, state, ofBuckets, firstBucket, bucketCount);
        parts[count - 1] = ofParts;
        partsTold[count - 1] = told;
    }

    /** Adds rows to the last transaction. */
    void addRows(int[] ofTables, byte[] ofFlags, long[] ofRows, long[] reads, long[] writes, int first, int size) {
        for (int i = first; i < first + size; i++) {
            put(ofTables[i], ofFlags[i], ofRows[i], reads[i], writes[i]);
        }
        sizes[count - 1] += size;
    }

    /** The first entry of a transaction; -1: none. No entry is added afterwards. */
    int find(long id) {
        if (slots.length == 0) {
            index();
        }
        int slot = slot(id);
        while (slots[slot] != 0 && ids[slots[slot] - 1] != id) {
            slot = slot + 1 & slots.length - 1;
        }
        return slots[slot] - 1;
    }

    private void index() {
        slots = new int[4 * Integer.highestOneBit(Math.max(1, count))];
        for (int entry = 0; entry < count; entry++) {
            if ((states[entry] & CATALOG_CHANGE) == 0) {
                int slot = slot(ids[entry]);
                while (slots[slot] != 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = entry + 1;
            }
        }
    }

    private int slot(long id) {
        return NeededRows.spread(id, slots.length);
    }

    /** The least id of a transaction. */
    long least() {
        return least;
    }

    /** Adds the footprint of one of a transaction's partitions. */
    void tell(int first, Footprint footprint) {
        int entry = isElsewhere(first, footprint) ? first + 1 : first;
        states[entry] |= (byte) (TOLD | (footprint.isCoarse() ? COARSE : 0));
        partsTold[entry]++;
        if (begins[entry] + sizes[entry] != rowCount) {
            moveBehindAll(entry);
        }
        for (int i = 0; i < footprint.size(); i++) {
            int flag = footprint.flags(i);
            if ((flag & AccessTable.PARTS) != 0) {
                parts[entry] = AccessTable.ofParts(footprint.table(i));
            } else if ((flag & AccessTable.REPLICATED) != 0) {
                states[entry] |= REPLICATED;
            } else {
                put(footprint.table(i), flag, footprint.row(i), footprint.read(i), footprint.written(i));
                sizes[entry]++;
            }
        }
    }

    /** Whether a transaction has another entry for its changes elsewhere, and the footprint is of a partition there. */
    private boolean isElsewhere(int entry, Footprint footprint) {
        if (entry + 1 == count || ids[entry + 1] != ids[entry]) {
            return false;
        }
        for (int i = 0; i < footprint.size(); i++) {
            if ((footprint.flags(i) & (AccessTable.PARTS | AccessTable.REPLICATED)) == 0) {
                return hasBucket(entry + 1, NeededRows.bucketOf(footprint.row(i)));
            }
        }
        return false;
    }

    private boolean hasBucket(int entry, int bucket) {
        for (int i = bucketEnds[entry - 1]; i < bucketEnds[entry]; i++) {
            if (buckets[i] == bucket) {
                return true;
            }
        }
        return false;
    }

    private void moveBehindAll(int entry) {
        int begin = begins[entry];
        int size = sizes[entry];
        begins[entry] = rowCount;
        for (int i = begin; i < begin + size; i++) {
            put(tables[i], flags[i], rows[i], read[i], written[i]);
        }
    }

    private void put(int table, int flag, long row, long reads, long writes) {
        if (rowCount == rows.length) {
            int more = 2 * rowCount;
            tables = Arrays.copyOf(tables, more);
            flags = Arrays.copyOf(flags, more);
            rows = Arrays.copyOf(rows, more);
            read = Arrays.copyOf(read, more);
            written = Arrays.copyOf(written, more);
        }
        tables[rowCount] = table;
        flags[rowCount] = (byte) flag;
        rows[rowCount] = row;
        read[rowCount] = reads;
        written[rowCount] = writes;
        rowCount++;
    }

    /** A transaction, until the next call; null for a change of the catalog. */
    public LoggedTransaction at(int entry) {
        if ((states[entry] & CATALOG_CHANGE) != 0) {
            return null;
        }
        view.show(ids[entry], states[entry], parts[entry], partsTold[entry]);
        int firstBucket = entry == 0 ? 0 : bucketEnds[entry - 1];
        view.showBuckets(buckets, firstBucket, bucketEnds[entry] - firstBucket);
        view.showRows(tables, flags, rows, read, written, begins[entry], sizes[entry]);
        return view;
    }
}
