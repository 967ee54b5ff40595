package io.reprise.footprint;

import java.util.Arrays;

/**
 * The accesses that a partition's rows are told with, by number: table, flags, and the pieces of a row that are read and written. Immutable;
 * {@link #with} makes another one, so a chunk that was handed over keeps its table. A table and the one made from it first may share arrays.
 *
 * <p>A piece is a bit of a mask. The owner of the tables gives the bits their meaning; rows of one table share it.
 */
public final class AccessTable {
    /** The flag of a row that the transaction changed. */
    public static final int UPDATE = 1;

    /** The flag of a row that the transaction inserted. */
    public static final int INSERT = 2;

    /** The flag of a row that the transaction deleted. */
    public static final int DELETE = 4;

    /** The flag of a write to a replicated table, told without its row. */
    public static final int REPLICATED = 8;

    /**
     * The flag of an element that is no row: {@link #ofParts} of its table is the number of partitions that have a footprint of the
     * transaction.
     */
    public static final int PARTS = 16;

    /** No table has such an id. */
    private static final int PARTS_BASE = 1 << 30;

    static final int FLAGS = 31;

    private static final int FEW = 16;

    static final AccessTable EMPTY = new AccessTable(new int[0], new byte[0], new long[0], new long[0], 0);

    private final int[] tables;
    private final byte[] flags;
    private final long[] read;
    private final long[] written;
    private final int size;

    /** Whether the arrays' places behind this table's accesses belong to another table. */
    private boolean extended;

    private AccessTable(int[] tables, byte[] flags, long[] read, long[] written, int size) {
        this.tables = tables;
        this.flags = flags;
        this.read = read;
        this.written = written;
        this.size = size;
    }

    /** The table of an element with {@link #PARTS}. */
    public static int tableOfParts(int count) {
        return PARTS_BASE + count;
    }

    /** The number of partitions that an element with {@link #PARTS} tells. */
    public static int ofParts(int table) {
        return table - PARTS_BASE;
    }

    /** The same accesses and another one behind them. Called by one thread. */
    AccessTable with(int table, int newFlags, long reads, long writes) {
        boolean shares = size < tables.length && !extended;
        int room = shares ? tables.length : Math.max(FEW, 2 * size);
        AccessTable more = new AccessTable(
                shares ? tables : Arrays.copyOf(tables, room),
                shares ? flags : Arrays.copyOf(flags, room),
                shares ? read : Arrays.copyOf(read, room),
                shares ? written : Arrays.copyOf(written, room),
                size + 1);
        extended |= shares;
        more.tables[size] = table;
        more.flags[size] = (byte) newFlags;
        more.read[size] = reads;
        more.written[size] = writes;
        return more;
    }

    int size() {
        return size;
    }

    int table(int access) {
        return tables[access];
    }

    int flags(int access) {
        return flags[access];
    }

    long read(int access) {
        return read[access];
    }

    long written(int access) {
        return written[access];
    }

    boolean is(int access, int table, int otherFlags, long reads, long writes) {
        return tables[access] == table
                && flags[access] == otherFlags
                && read[access] == reads
                && written[access] == writes;
    }

    /** The order of two accesses: by table, flags, pieces read, pieces written. */
    int compare(int a, int b) {
        int difference = Integer.compare(tables[a], tables[b]);
        if (difference == 0) {
            difference = Byte.compare(flags[a], flags[b]);
        }
        if (difference == 0) {
            difference = Long.compareUnsigned(read[a], read[b]);
        }
        return difference == 0 ? Long.compareUnsigned(written[a], written[b]) : difference;
    }
}
