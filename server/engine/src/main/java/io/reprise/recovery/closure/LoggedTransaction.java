package io.reprise.recovery.closure;

import io.reprise.footprint.AccessTable;
import io.reprise.footprint.Footprint;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * A transaction of a log with its footprint, of all its partitions together. Without a footprint, or with a coarse one in any partition, it
 * is coarse: it may have touched all rows of its buckets.
 */
public final class LoggedTransaction {
    private final long id;
    private final boolean data;

    /** Null if it was not confined to buckets. */
    private final int[] buckets;

    private boolean told;
    private int parts = 1;
    private int partsTold;
    private boolean coarse;
    private boolean replicated;
    private int size;
    private int[] tables = {};
    private byte[] flags = {};
    private long[] rows = {};
    private long[] read = {};
    private long[] written = {};

    /**
     * A transaction without a footprint.
     *
     * @param data whether it is logged as data
     * @param buckets its buckets; null if it may have touched any
     */
    public LoggedTransaction(long id, boolean data, int[] buckets) {
        this.id = id;
        this.data = data;
        this.buckets = buckets == null ? null : buckets.clone();
    }

    /** Adds the footprint of one of its partitions. */
    void add(Footprint footprint) {
        told = true;
        partsTold++;
        coarse |= footprint.isCoarse();
        for (int i = 0; i < footprint.size(); i++) {
            add(footprint.table(i), footprint.flags(i), footprint.row(i), footprint.read(i), footprint.written(i));
        }
    }

    /** Adds a row. */
    public LoggedTransaction add(int table, int flag, long row, long reads, long writes) {
        told = true;
        if ((flag & AccessTable.PARTS) != 0) {
            parts = AccessTable.ofParts(table);
            return this;
        }
        if ((flag & AccessTable.REPLICATED) != 0) {
            replicated = true;
            return this;
        }
        if (size == rows.length) {
            grow();
        }
        tables[size] = table;
        flags[size] = (byte) flag;
        rows[size] = row;
        read[size] = reads;
        written[size] = writes;
        size++;
        return this;
    }

    /** The same transaction as if it had been logged as data: it reads nothing. */
    LoggedTransaction asData() {
        LoggedTransaction as = new LoggedTransaction(id, true, buckets);
        as.told = told;
        as.parts = parts;
        as.partsTold = partsTold;
        as.coarse = coarse;
        as.replicated = replicated;
        for (int i = 0; i < size; i++) {
            if (written[i] != 0) {
                as.add(tables[i], flags[i], rows[i], 0, written[i]);
            }
        }
        return as;
    }

    /**
     * The same transaction with nothing but the rows that a search may not find behind it: those that it deleted, and those whose indexed
     * columns it changed. A coarse one is returned as it is. Null if there are none.
     *
     * @param indexed by table, the pieces by which a search finds a row
     */
    public LoggedTransaction onlyGone(IntToLongFunction indexed) {
        if (isCoarse()) {
            return this;
        }
        LoggedTransaction gone = null;
        for (int i = 0; i < size; i++) {
            if (deleted(i) || !inserted(i) && (written[i] & indexed.applyAsLong(tables[i])) != 0) {
                gone = gone == null ? new LoggedTransaction(id, data, buckets) : gone;
                gone.add(tables[i], flags[i], rows[i], 0, written[i]);
            }
        }
        return gone;
    }

    private void grow() {
        int more = Math.max(8, 2 * size);
        tables = Arrays.copyOf(tables, more);
        flags = Arrays.copyOf(flags, more);
        rows = Arrays.copyOf(rows, more);
        read = Arrays.copyOf(read, more);
        written = Arrays.copyOf(written, more);
    }

    /** Its id. */
    public long id() {
        return id;
    }

    /** Whether it is logged as data. */
    public boolean isData() {
        return data;
    }

    /** Whether its rows are not known. */
    public boolean isCoarse() {
        return coarse || !told || partsTold > 0 && partsTold < parts;
    }

    /** Whether the log has a footprint of it, coarse or not. */
    public boolean isTold() {
        return told;
    }

    /** Whether it wrote a replicated table. */
    public boolean isReplicated() {
        return replicated;
    }

    /** Whether it was confined to buckets. */
    public boolean isConfined() {
        return buckets != null;
    }

    /** The number of its buckets. */
    public int bucketCount() {
        return buckets.length;
    }

    /** One of its buckets. */
    public int bucket(int number) {
        return buckets[number];
    }

    /** The number of its rows. */
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

    /** The pieces that it read. */
    public long read(int element) {
        return read[element];
    }

    /** The pieces that it changed. */
    public long written(int element) {
        return written[element];
    }

    /** Whether it inserted the row. */
    public boolean inserted(int element) {
        return (flags[element] & AccessTable.INSERT) != 0;
    }

    /** Whether it deleted the row. */
    public boolean deleted(int element) {
        return (flags[element] & AccessTable.DELETE) != 0;
    }
}
