package io.reprise.log.physiological;

import io.reprise.storage.TableStore;
import io.reprise.storage.TransactionWrites;
import java.util.Arrays;

/**
 * A transaction's writes by table and row, in the order in which each was first written. Rows are known by their address,
 * which no other row gets before the transaction has ended.
 *
 * <p>Each write is a node. The first one of a row is the row's head: it has the row's state and, through the list of its
 * table, the next head. The nodes of a row are chained. Arrays are kept for the next transaction, unless they have become
 * very long. Owned by the partition's thread.
 */
final class NetWrites {
    /** State of a row: it was inserted in this transaction. */
    static final int BORN = 1;

    /** State: it has been deleted. */
    static final int DEAD = 2;

    /** State: it was there before and has gone with a truncation. */
    static final int TRUNCATED = 4;

    /** State: it is there now with a unique key that it did not have before. */
    static final int REKEYED = 8;

    private static final int LEAST_SLOTS = 64;
    private static final int LEAST_NODES = 32;
    private static final int MOST_KEPT = 1 << 16;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long[] rows = new long[LEAST_NODES];
    private long[] positions = new long[LEAST_NODES];
    private int[] nextOfRow = new int[LEAST_NODES];
    private int[] lastOfRow = new int[LEAST_NODES];
    private int[] nextHead = new int[LEAST_NODES];
    private byte[] states = new byte[LEAST_NODES];
    private int count;

    /** Heads by address: node + 1, 0 for empty; open addressing. The first {@link #slotCount} are in use. */
    private int[] slots = new int[LEAST_SLOTS];

    private int slotCount = LEAST_SLOTS;
    private int heads;

    private TableStore[] tables = new TableStore[8];
    private int[] firstHead = new int[8];
    private int[] lastHead = new int[8];
    private boolean[] truncated = new boolean[8];
    private boolean[] dead = new boolean[8];

    /** By table, the range of a row's bytes that updates have saved, taken together. */
    private int[] updatedFrom = new int[8];

    private int[] updatedTo = new int[8];
    private int tableCount;

    /** By table id: the index of the table + 1; 0 for those that nothing was written to. */
    private int[] indexes = new int[16];

    /** Takes in a transaction's writes. */
    void collect(TransactionWrites writes) {
        clear();
        while (writes.next()) {
            int table = table(writes);
            TransactionWrites.Kind kind = writes.kind();
            if (kind == TransactionWrites.Kind.UPDATE) {
                int from = writes.from();
                updatedFrom[table] = Math.min(updatedFrom[table], from);
                updatedTo[table] = Math.max(updatedTo[table], from + writes.length());
                add(table, writes, 0);
            } else if (kind == TransactionWrites.Kind.INSERT) {
                add(table, writes, BORN);
            } else if (kind == TransactionWrites.Kind.DELETE) {
                dead[table] = true;
                add(table, writes, DEAD);
            } else {
                truncate(table);
            }
        }
    }

    private void clear() {
        if (rows.length > MOST_KEPT) {
            rows = new long[LEAST_NODES];
            growTo(LEAST_NODES);
            slots = new int[LEAST_SLOTS];
        } else {
            Arrays.fill(slots, 0, slotCount, 0);
        }
        slotCount = LEAST_SLOTS;
        count = 0;
        heads = 0;
        for (int i = 0; i < tableCount; i++) {
            indexes[tables[i].id()] = 0;
            // A table that is dropped must not be kept alive.
            tables[i] = null;
        }
        tableCount = 0;
    }

    private void growTo(int nodes) {
        rows = Arrays.copyOf(rows, nodes);
        positions = Arrays.copyOf(positions, nodes);
        nextOfRow = Arrays.copyOf(nextOfRow, nodes);
        lastOfRow = Arrays.copyOf(lastOfRow, nodes);
        nextHead = Arrays.copyOf(nextHead, nodes);
        states = Arrays.copyOf(states, nodes);
    }

    private int table(TransactionWrites writes) {
        int id = writes.tableId();
        if (id < indexes.length && indexes[id] != 0) {
            return indexes[id] - 1;
        }
        addTable(writes.table());
        return tableCount - 1;
    }

    private void addTable(TableStore table) {
        if (table.id() >= indexes.length) {
            indexes = Arrays.copyOf(indexes, Math.max(table.id() + 1, 2 * indexes.length));
        }
        indexes[table.id()] = tableCount + 1;
        if (tableCount == tables.length) {
            tables = Arrays.copyOf(tables, 2 * tableCount);
            firstHead = Arrays.copyOf(firstHead, 2 * tableCount);
            lastHead = Arrays.copyOf(lastHead, 2 * tableCount);
            truncated = Arrays.copyOf(truncated, 2 * tableCount);
            dead = Arrays.copyOf(dead, 2 * tableCount);
            updatedFrom = Arrays.copyOf(updatedFrom, 2 * tableCount);
            updatedTo = Arrays.copyOf(updatedTo, 2 * tableCount);
        }
        tables[tableCount] = table;
        firstHead[tableCount] = -1;
        lastHead[tableCount] = -1;
        dead[tableCount] = false;
        updatedFrom[tableCount] = Integer.MAX_VALUE;
        updatedTo[tableCount] = 0;
        truncated[tableCount++] = false;
    }

    private void add(int table, TransactionWrites writes, int state) {
        int node = count++;
        if (node == rows.length) {
            growTo(2 * node);
        }
        long row = writes.row();
        rows[node] = row;
        positions[node] = writes.position();
        nextOfRow[node] = -1;
        int slot = slot(row);
        int head = slots[slot] - 1;
        if (head < 0) {
            addHead(table, node, slot, state);
            return;
        }
        nextOfRow[lastOfRow[head]] = node;
        lastOfRow[head] = node;
        states[head] |= (byte) state;
    }

    private void addHead(int table, int node, int slot, int state) {
        slots[slot] = node + 1;
        states[node] = (byte) state;
        lastOfRow[node] = node;
        nextHead[node] = -1;
        if (firstHead[table] < 0) {
            firstHead[table] = node;
        } else {
            nextHead[lastHead[table]] = node;
        }
        lastHead[table] = node;
        if (++heads * 2 > slotCount) {
            growSlots();
        }
    }

    /** The slot of a row's head, or the empty one where it would be. */
    private int slot(long row) {
        int slot = (int) (row * GOLDEN >>> 40) & slotCount - 1;
        while (slots[slot] != 0 && rows[slots[slot] - 1] != row) {
            slot = slot + 1 & slotCount - 1;
        }
        return slot;
    }

    private void growSlots() {
        Arrays.fill(slots, 0, slotCount, 0);
        slotCount *= 2;
        if (slotCount > slots.length) {
            slots = new int[slotCount];
        }
        for (int table = 0; table < tableCount; table++) {
            for (int head = firstHead[table]; head >= 0; head = nextHead[head]) {
                slots[slot(rows[head])] = head + 1;
            }
        }
    }

    private void truncate(int table) {
        truncated[table] = true;
        dead[table] = true;
        for (int head = firstHead[table]; head >= 0; head = nextHead[head]) {
            states[head] = (byte) ((states[head] & BORN) != 0 ? BORN | DEAD : TRUNCATED);
        }
    }

    /** How many tables were written to. */
    int tableCount() {
        return tableCount;
    }

    TableStore tableAt(int index) {
        return tables[index];
    }

    /** Whether the table was truncated as a whole. */
    boolean isTruncated(int index) {
        return truncated[index];
    }

    /** Whether rows of the table may have gone. */
    boolean anyDead(int index) {
        return dead[index];
    }

    /** Where in a row the first byte is that an update may have changed. */
    int updatedFrom(int index) {
        return updatedFrom[index];
    }

    /** Where in a row the last byte ends that an update may have changed. */
    int updatedTo(int index) {
        return updatedTo[index];
    }

    /** The first row of the table that was written, as its head, or -1. */
    int firstHead(int index) {
        return firstHead[index];
    }

    /** The next one, or -1. */
    int nextHead(int head) {
        return nextHead[head];
    }

    /** The row's address. */
    long row(int head) {
        return rows[head];
    }

    int state(int head) {
        return states[head];
    }

    void addState(int head, int state) {
        states[head] |= (byte) state;
    }

    /** The next write of the same row, or -1. The head is the first. */
    int nextOfRow(int node) {
        return nextOfRow[node];
    }

    /** Where the write is in {@link TransactionWrites}. */
    long position(int node) {
        return positions[node];
    }
}
