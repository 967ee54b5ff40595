package io.reprise.footprint;

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

    /** Begins a footprint. */
    void begin(long id) {
        transactionId = id;
        coarse = false;
        size = 0;
    }

    void makeCoarse() {
        coarse = true;
        size = 0;
    }

    /** Adds an element of a row that has none yet. */
    void put(int table, int newFlags, long row, long reads, long writes) {
        if (size == rows.length) {
            grow();
        }
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
}
