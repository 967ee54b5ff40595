package io.reprise.footprint;

/** Gives each access a number, in the order of their first use. Open addressing over an {@link AccessTable}; confined to one thread. */
final class AccessNumbers {
    /** The number of an access plus one. */
    private int[] slots = new int[64];

    private AccessTable accesses = AccessTable.EMPTY;

    /** The accesses so far. */
    AccessTable accesses() {
        return accesses;
    }

    /** The number of an access, which is new if there was none. */
    int number(int table, int flags, long read, long written) {
        int slot = slot(table, flags, read, written);
        if (slots[slot] == 0) {
            accesses = accesses.with(table, flags, read, written);
            if (2 * accesses.size() > slots.length) {
                grow();
                slot = slot(table, flags, read, written);
            }
            slots[slot] = accesses.size();
        }
        return slots[slot] - 1;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        for (int i = 0; i < accesses.size() - 1; i++) {
            slots[slot(accesses.table(i), accesses.flags(i), accesses.read(i), accesses.written(i))] = i + 1;
        }
    }

    private int slot(int table, int flags, long read, long written) {
        long hash = ((table * 31L + flags) * 31L + read) * 31L + written;
        int slot = (int) (hash * 0x9E3779B97F4A7C15L >>> 40) & slots.length - 1;
        while (slots[slot] != 0 && !accesses.is(slots[slot] - 1, table, flags, read, written)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
