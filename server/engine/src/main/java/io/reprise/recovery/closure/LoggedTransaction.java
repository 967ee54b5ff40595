package io.reprise.recovery.closure;

import io.reprise.footprint.AccessTable;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * A transaction of a log with its footprint, of all its partitions together. Without a footprint, or with a coarse one in any partition, it
 * is coarse: it may have touched all rows of its buckets.
 *
 * <p>It has arrays of its own, or is the view of an entry of {@link LoggedTransactions}. A view changes with the next entry, and
 * {@link #copy} keeps what it shows.
 */
public final class LoggedTransaction {
    private long id;

    /** Of {@link LoggedTransactions}. */
    private byte state;

    private int firstBucket;
    private int bucketCount;
    private int[] buckets = {};

    private int parts = 1;
    private int partsTold;
    private int first;
    private int size;
    private int[] tables = {};
    private byte[] flags = {};
    private long[] rows = {};
    private long[] read = {};
    private long[] written = {};

    /** A view. */
    LoggedTransaction() {}

    /**
     * A transaction without a footprint.
     *
     * @param data whether it is logged as data
     * @param buckets its buckets; null if it may have touched any
     */
    public LoggedTransaction(long id, boolean data, int[] buckets) {
        this.id = id;
        state = (byte) ((data ? LoggedTransactions.DATA : 0) | (buckets == null ? LoggedTransactions.UNCONFINED : 0));
        if (buckets != null) {
            this.buckets = buckets.clone();
            bucketCount = buckets.length;
        }
    }

    void show(long ofId, byte ofState, int ofParts, int told) {
        id = ofId;
        state = ofState;
        parts = ofParts;
        partsTold = told;
    }

    void showBuckets(int[] of, int begin, int count) {
        buckets = of;
        firstBucket = begin;
        bucketCount = count;
    }

    void showRows(int[] ofTables, byte[] ofFlags, long[] ofRows, long[] reads, long[] writes, int begin, int count) {
        tables = ofTables;
        flags = ofFlags;
        rows = ofRows;
        read = reads;
        written = writes;
        first = begin;
        size = count;
    }

    /** The same transaction with arrays of its own. */
    public LoggedTransaction copy() {
        LoggedTransaction copy = new LoggedTransaction();
        copy.show(id, state, parts, partsTold);
        copy.showBuckets(Arrays.copyOfRange(buckets, firstBucket, firstBucket + bucketCount), 0, bucketCount);
        int end = first + size;
        copy.showRows(
                Arrays.copyOfRange(tables, first, end),
                Arrays.copyOfRange(flags, first, end),
                Arrays.copyOfRange(rows, first, end),
                Arrays.copyOfRange(read, first, end),
                Arrays.copyOfRange(written, first, end),
                0,
                size);
        return copy;
    }

    void addTo(LoggedTransactions list) {
        list.add(id, state, parts, partsTold, buckets, firstBucket, bucketCount);
        list.addRows(tables, flags, rows, read, written, first, size);
    }

    /** Adds a row. Not for a view. */
    public LoggedTransaction add(int table, int flag, long row, long reads, long writes) {
        state |= LoggedTransactions.TOLD;
        if ((flag & AccessTable.PARTS) != 0) {
            parts = AccessTable.ofParts(table);
            return this;
        }
        if ((flag & AccessTable.REPLICATED) != 0) {
            state |= LoggedTransactions.REPLICATED;
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
        LoggedTransaction as = new LoggedTransaction();
        as.show(id, (byte) (state | LoggedTransactions.DATA), parts, partsTold);
        as.showBuckets(Arrays.copyOfRange(buckets, firstBucket, firstBucket + bucketCount), 0, bucketCount);
        for (int i = 0; i < size; i++) {
            if (written(i) != 0) {
                as.add(table(i), flags(i), row(i), 0, written(i));
            }
        }
        as.state = (byte) (state | LoggedTransactions.DATA);
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
            if (deleted(i) || !inserted(i) && (written(i) & indexed.applyAsLong(table(i))) != 0) {
                gone = gone == null ? new LoggedTransaction(id, isData(), ownBuckets()) : gone;
                gone.add(table(i), flags(i), row(i), 0, written(i));
            }
        }
        return gone;
    }

    private int[] ownBuckets() {
        return isConfined() ? Arrays.copyOfRange(buckets, firstBucket, firstBucket + bucketCount) : null;
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

    private boolean has(byte flag) {
        return (state & flag) != 0;
    }

    /** Whether it is logged as data. */
    public boolean isData() {
        return has(LoggedTransactions.DATA);
    }

    /** Whether its rows are not known. */
    public boolean isCoarse() {
        return (state & (LoggedTransactions.COARSE | LoggedTransactions.TOLD)) != LoggedTransactions.TOLD
                || partsTold > 0 && partsTold < parts;
    }

    /** Whether the log has a footprint of it, coarse or not. */
    public boolean isTold() {
        return has(LoggedTransactions.TOLD);
    }

    /** Whether it wrote a replicated table. */
    public boolean isReplicated() {
        return has(LoggedTransactions.REPLICATED);
    }

    /** Whether it was confined to buckets. */
    public boolean isConfined() {
        return !has(LoggedTransactions.UNCONFINED);
    }

    /** The number of its buckets. */
    public int bucketCount() {
        return bucketCount;
    }

    /** One of its buckets. */
    public int bucket(int number) {
        return buckets[firstBucket + number];
    }

    /** The number of its rows. */
    public int size() {
        return size;
    }

    /** The table's id. */
    public int table(int element) {
        return tables[first + element];
    }

    /** Flags of {@link AccessTable}. */
    public int flags(int element) {
        return flags[first + element];
    }

    /** The row's id with its bucket. */
    public long row(int element) {
        return rows[first + element];
    }

    /** The bucket of a row's id. */
    public static int bucketOf(long row) {
        return NeededRows.bucketOf(row);
    }

    /** The pieces that it read. */
    public long read(int element) {
        return read[first + element];
    }

    /** The pieces that it changed. */
    public long written(int element) {
        return written[first + element];
    }

    /** Whether it inserted the row. */
    public boolean inserted(int element) {
        return (flags(element) & AccessTable.INSERT) != 0;
    }

    /** Whether it deleted the row. */
    public boolean deleted(int element) {
        return (flags(element) & AccessTable.DELETE) != 0;
    }
}
