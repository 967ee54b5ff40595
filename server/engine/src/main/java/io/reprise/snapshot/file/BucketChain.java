package io.reprise.snapshot.file;

import java.util.Arrays;

/**
 * Rows of one bucket that wait in {@link BucketBuffers} for their block: a chain of chunks, and in it groups of rows of one table
 * after the other, in the order in which they came. A group begins whenever a row is of another table than the one before.
 */
final class BucketChain {
    /** Rows that are saved before they change come in any order of tables; a block must not be all heads of groups. */
    static final int MOST_GROUPS = 512;

    private static final int FEW_GROUPS = 4;

    final int partition;
    final int bucket;
    int firstChunk;
    int lastChunk;
    int usedInLast;
    int bytes;
    int rows;

    private int groups;
    private int[] tables = new int[FEW_GROUPS];
    private int[] rowsOfGroup = new int[FEW_GROUPS];
    private int[] bytesOfGroup = new int[FEW_GROUPS];
    private long lastSequence;

    BucketChain(int partition, int bucket) {
        this.partition = partition;
        this.bucket = bucket;
    }

    int groups() {
        return groups;
    }

    int table(int group) {
        return tables[group];
    }

    int rows(int group) {
        return rowsOfGroup[group];
    }

    int bytes(int group) {
        return bytesOfGroup[group];
    }

    /** Whether a row of this table would begin a group that there is no place for. */
    boolean isFullFor(int table) {
        return groups == MOST_GROUPS && tables[groups - 1] != table;
    }

    /** The next row is of this table. Returns its number less that of the row before in its group. */
    long begin(int table, long sequence) {
        if (groups == 0 || tables[groups - 1] != table) {
            beginGroup(table);
        }
        long step = sequence - lastSequence;
        lastSequence = sequence;
        return step;
    }

    private void beginGroup(int table) {
        if (groups == tables.length) {
            tables = Arrays.copyOf(tables, 2 * groups);
            rowsOfGroup = Arrays.copyOf(rowsOfGroup, 2 * groups);
            bytesOfGroup = Arrays.copyOf(bytesOfGroup, 2 * groups);
        }
        tables[groups] = table;
        rowsOfGroup[groups] = 0;
        bytesOfGroup[groups] = 0;
        groups++;
        lastSequence = 0;
    }

    /** The row has been appended, with so many bytes. */
    void end(int rowBytes) {
        rows++;
        rowsOfGroup[groups - 1]++;
        bytesOfGroup[groups - 1] += rowBytes;
    }

    /** All has gone into a block. */
    void clear() {
        bytes = 0;
        rows = 0;
        groups = 0;
        lastSequence = 0;
    }
}
