package io.reprise.snapshot.file;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;

/**
 * A snapshot's content of a table, bucket by bucket: counted while it is written, kept in the manifest, and counted
 * again while it is read.
 *
 * <p>The hash of a bucket is the sum of its rows' hashes, so that it doesn't depend on their order.
 */
public final class TableContents {
    private final int id;
    private final String name;
    private final boolean replicated;
    private final long[] nextRowIds;
    private final long[] rows;
    private final long[] hashes;
    private long total;

    /** Nothing of a table. A replicated one has all its rows in bucket 0. */
    public TableContents(int id, String name, boolean replicated, Buckets buckets) {
        this(id, name, replicated, replicated ? 1 : buckets.count());
    }

    private TableContents(int id, String name, boolean replicated, int count) {
        this.id = id;
        this.name = name;
        this.replicated = replicated;
        nextRowIds = new long[count];
        rows = new long[count];
        hashes = new long[count];
    }

    /** The table's id. */
    public int id() {
        return id;
    }

    /** The table's name. */
    public String name() {
        return name;
    }

    /** Whether each partition has all of it. */
    public boolean replicated() {
        return replicated;
    }

    /** The number of buckets it can have rows in. */
    public int buckets() {
        return rows.length;
    }

    /** The number that the next row of the bucket gets. */
    public long nextRowId(int bucket) {
        return nextRowIds[bucket];
    }

    /** The number of the bucket's rows. */
    public long rows(int bucket) {
        return rows[bucket];
    }

    /** The hash of the bucket's rows. */
    public long hash(int bucket) {
        return hashes[bucket];
    }

    /** The number of rows. */
    public long totalRows() {
        return total;
    }

    /** Sets the number that the next row of the bucket gets. */
    public void nextRowId(int bucket, long number) {
        nextRowIds[bucket] = number;
    }

    /** Counts rows. */
    void add(int bucket, long count, long hash) {
        rows[bucket] += count;
        hashes[bucket] += hash;
        total += count;
    }

    /** The hash of one row. */
    static long hash(Memory memory, long image, int length, long rowId) {
        return Buckets.mix(Buckets.mix(0, memory.hash(image, length)), rowId);
    }

    /** A table of which nothing has been counted yet. */
    TableContents emptyCopy() {
        return new TableContents(id, name, replicated, rows.length);
    }
}
