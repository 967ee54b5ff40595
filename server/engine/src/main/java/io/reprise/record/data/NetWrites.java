package io.reprise.record.data;

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

    private static final int ROW = 0;
    private static final int POSITION = 1;

    private static final int NEXT_OF_ROW = 0;
    private static final int LAST_OF_ROW = 1;
    private static final int NEXT_HEAD = 2;
    private static final int STATE = 3;

    /** Of each node: the row's address, and the write's position. */
    private long[] nodes = new long[2 * LEAST_NODES];

    /** Of each node the next of its row, or -1. Of heads besides: the last one, if there are several; the table's next head; the state. */
    private int[] links = new int[4 * LEAST_NODES];

    private int count;

    /** Heads by address: node + 1, 0 for empty; open addressing. The first {@link #slotCount} are in use. */
    private int[] slots = new int[LEAST_SLOTS];

    private int slotCount = LEAST_SLOTS;
    private int heads;

    /** By table id. */
    private TableWrites[] byId = new TableWrites[16];

    /** Those of this transaction, in the order in which they were first written. */
    private TableWrites[] tables = new TableWrites[8];

    private int tableCount;
    private long collection;

    /** Takes in a transaction's writes. */
    void collect(TransactionWrites writes) {
        clear();
        while (writes.next()) {
            TableWrites table = table(writes.tableId());
            TransactionWrites.Kind kind = writes.kind();
            if (kind == TransactionWrites.Kind.UPDATE) {
                int from = writes.from();
                table.updated(from, from + writes.length());
                add(table, writes, 0);
            } else if (kind == TransactionWrites.Kind.INSERT) {
                add(table, writes, BORN);
            } else if (kind == TransactionWrites.Kind.DELETE) {
                table.dead = true;
                add(table, writes, DEAD);
            } else {
                truncate(table);
            }
        }
    }

    private void clear() {
        if (nodes.length > 2 * MOST_KEPT) {
            nodes = new long[2 * LEAST_NODES];
            links = new int[4 * LEAST_NODES];
            slots = new int[LEAST_SLOTS];
        } else {
            Arrays.fill(slots, 0, slotCount, 0);
        }
        slotCount = LEAST_SLOTS;
        count = 0;
        heads = 0;
        tableCount = 0;
        collection++;
    }

    private TableWrites table(int id) {
        TableWrites table = id < byId.length ? byId[id] : null;
        return table != null && table.isOf(collection) ? table : begin(id);
    }

    private TableWrites begin(int id) {
        if (id >= byId.length) {
            byId = Arrays.copyOf(byId, Math.max(id + 1, 2 * byId.length));
        }
        TableWrites table = byId[id];
        if (table == null) {
            table = new TableWrites(id);
            byId[id] = table;
        }
        table.begin(collection);
        if (tableCount == tables.length) {
            tables = Arrays.copyOf(tables, 2 * tableCount);
        }
        // Most transactions write to the same tables as the one before.
        if (tables[tableCount] != table) {
            tables[tableCount] = table;
        }
        tableCount++;
        return table;
    }

    private void add(TableWrites table, TransactionWrites writes, int state) {
        int node = count++;
        if (2 * node == nodes.length) {
            nodes = Arrays.copyOf(nodes, 4 * node);
            links = Arrays.copyOf(links, 8 * node);
        }
        long row = writes.row();
        nodes[2 * node + ROW] = row;
        nodes[2 * node + POSITION] = writes.position();
        links[4 * node + NEXT_OF_ROW] = -1;
        int slot = slot(row);
        int head = slots[slot] - 1;
        if (head < 0) {
            slots[slot] = node + 1;
            addHead(table, node, state);
        } else {
            int last = links[4 * head + NEXT_OF_ROW] < 0 ? head : links[4 * head + LAST_OF_ROW];
            links[4 * last + NEXT_OF_ROW] = node;
            links[4 * head + LAST_OF_ROW] = node;
            links[4 * head + STATE] |= state;
        }
    }

    private void addHead(TableWrites table, int node, int state) {
        links[4 * node + NEXT_HEAD] = -1;
        links[4 * node + STATE] = state;
        int last = table.lastHead;
        if (last < 0) {
            table.firstHead = node;
        } else {
            links[4 * last + NEXT_HEAD] = node;
        }
        table.lastHead = node;
        if (++heads * 2 > slotCount) {
            growSlots();
        }
    }

    /** The slot of a row's head, or the empty one where it would be. */
    private int slot(long row) {
        int slot = (int) (row * GOLDEN >>> 40) & slotCount - 1;
        while (slots[slot] != 0 && nodes[2 * (slots[slot] - 1) + ROW] != row) {
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
        for (int i = 0; i < tableCount; i++) {
            for (int head = tables[i].firstHead; head >= 0; head = nextHead(head)) {
                slots[slot(row(head))] = head + 1;
            }
        }
    }

    private void truncate(TableWrites table) {
        table.truncated = true;
        table.dead = true;
        for (int head = table.firstHead; head >= 0; head = nextHead(head)) {
            links[4 * head + STATE] = (state(head) & BORN) != 0 ? BORN | DEAD : TRUNCATED;
        }
    }

    /** The number of written tables. */
    int tableCount() {
        return tableCount;
    }

    TableWrites tableAt(int index) {
        return tables[index];
    }

    /** The next row of the table that was written, as its head, or -1. */
    int nextHead(int head) {
        return links[4 * head + NEXT_HEAD];
    }

    /** The row's address. */
    long row(int head) {
        return nodes[2 * head + ROW];
    }

    int state(int head) {
        return links[4 * head + STATE];
    }

    void addState(int head, int state) {
        links[4 * head + STATE] |= state;
    }

    /** The next write of the same row, or -1. The head is the first. */
    int nextOfRow(int node) {
        return links[4 * node + NEXT_OF_ROW];
    }

    /** The write's place in {@link TransactionWrites}. */
    long position(int node) {
        return nodes[2 * node + POSITION];
    }
}
