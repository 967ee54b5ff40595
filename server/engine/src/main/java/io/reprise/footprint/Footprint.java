package io.reprise.footprint;

import io.reprise.id.Buckets;
import java.util.Arrays;

/**
 * A transaction's rows in one partition, one element for each row: table, row id, flags, and the pieces that were read and written. In the
 * order of their accesses, then of row ids. Reused; confined to one thread.
 */
public final class Footprint {
    private static final int FEW = 64;

    private long transactionId;
    private boolean coarse;
    private int size;
    private int[] tables = new int[FEW];
    private byte[] flags = new byte[FEW];
    private long[] rows = new long[FEW];
    private long[] read = new long[FEW];
    private long[] written = new long[FEW];

    /** Open addressing over the elements: an element plus one. */
    private int[] slots = new int[4 * FEW];

    /** Whether the slots hold the elements. */
    private boolean indexed;

    /** Begins a footprint. */
    void begin(long id) {
        transactionId = id;
        coarse = false;
        clear();
    }

    private void clear() {
        if (indexed) {
            Arrays.fill(slots, 0);
            indexed = false;
        }
        size = 0;
    }

    void makeCoarse() {
        coarse = true;
        clear();
    }

    /** Adds an access to a row; accesses of one row are united. */
    void add(int table, int newFlags, long row, long reads, long writes) {
        indexed = true;
        int slot = slot(table, row);
        int element = slots[slot] - 1;
        if (element >= 0) {
            flags[element] |= (byte) newFlags;
            read[element] |= reads;
            written[element] |= writes;
            return;
        }
        if (size == rows.length) {
            grow();
            slot = slot(table, row);
        }
        append(table, newFlags, row, reads, writes);
        slots[slot] = size;
    }

    /** Adds an element of a row that has none yet. */
    void put(int table, int newFlags, long row, long reads, long writes) {
        if (size == rows.length) {
            grow();
        }
        append(table, newFlags, row, reads, writes);
    }

    private int slot(int table, long row) {
        int slot = (int) Buckets.mix(table, row) & slots.length - 1;
        while (slots[slot] != 0 && !(rows[slots[slot] - 1] == row && tables[slots[slot] - 1] == table)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private void append(int table, int newFlags, long row, long reads, long writes) {
        tables[size] = table;
        flags[size] = (byte) newFlags;
        rows[size] = row;
        read[size] = reads;
        written[size] = writes;
        size++;
    }

    private void grow() {
        int more = 2 * size;
        tables = Arrays.copyOf(tables, more);
        flags = Arrays.copyOf(flags, more);
        rows = Arrays.copyOf(rows, more);
        read = Arrays.copyOf(read, more);
        written = Arrays.copyOf(written, more);
        slots = new int[4 * more];
        for (int i = 0; indexed && i < size; i++) {
            slots[slot(tables[i], rows[i])] = i + 1;
        }
    }

    /** Brings the elements into their order. Nothing is added behind that. */
    void sort() {
        for (int root = size / 2 - 1; root >= 0; root--) {
            sink(root, size);
        }
        for (int end = size - 1; end > 0; end--) {
            swap(0, end);
            sink(0, end);
        }
    }

    private void sink(int from, int end) {
        int root = from;
        for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && compare(child, child + 1) < 0) {
                child++;
            }
            if (compare(root, child) >= 0) {
                return;
            }
            swap(root, child);
            root = child;
        }
    }

    private int compare(int a, int b) {
        int difference = Integer.compare(tables[a], tables[b]);
        if (difference == 0) {
            difference = Byte.compare(flags[a], flags[b]);
        }
        if (difference == 0) {
            difference = Long.compareUnsigned(read[a], read[b]);
        }
        if (difference == 0) {
            difference = Long.compareUnsigned(written[a], written[b]);
        }
        return difference == 0 ? Long.compare(rows[a], rows[b]) : difference;
    }

    private void swap(int a, int b) {
        int table = tables[a];
        tables[a] = tables[b];
        tables[b] = table;
        byte flag = flags[a];
        flags[a] = flags[b];
        flags[b] = flag;
        swap(rows, a, b);
        swap(read, a, b);
        swap(written, a, b);
    }

    private static void swap(long[] of, int a, int b) {
        long kept = of[a];
        of[a] = of[b];
        of[b] = kept;
    }

    /** The transaction. */
    public long transactionId() {
        return transactionId;
    }

    /** Whether the rows are not known. */
    public boolean isCoarse() {
        return coarse;
    }

    /** The number of elements. */
    public int size() {
        return size;
    }

    /** The table's id. */
    public int table(int element) {
        return tables[element];
    }

    /** Flags of {@link AccessTable}. */
    public int flags(int element) {
        return flags[element];
    }

    /** The row's id with its bucket. */
    public long row(int element) {
        return rows[element];
    }

    /** The pieces that were read, or whose old content matters. */
    public long read(int element) {
        return read[element];
    }

    /** The pieces that have another content since. */
    public long written(int element) {
        return written[element];
    }

    /** Whether the elements of this and the one before have the same access. */
    boolean continues(int element) {
        return element > 0
                && tables[element] == tables[element - 1]
                && flags[element] == flags[element - 1]
                && read[element] == read[element - 1]
                && written[element] == written[element - 1];
    }
}
