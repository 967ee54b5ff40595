package io.reprise.runtime.memory;

/** A set of addresses above 0. Owned by one thread. */
public final class AddressSet {
    private static final int LEAST = 64;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Open addressing, at most half full; a power of two. */
    private long[] slots = new long[LEAST];

    private int count;

    /** Adds an address. Returns false if it is there. */
    public boolean add(long address) {
        if (2 * count >= slots.length) {
            grow();
        }
        int slot = slot(address);
        if (slots[slot] == address) {
            return false;
        }
        slots[slot] = address;
        count++;
        return true;
    }

    /** Whether an address is there. */
    public boolean contains(long address) {
        return count > 0 && slots[slot(address)] == address;
    }

    /** The address's slot, or the free one that it would have. */
    private int slot(long address) {
        int slot = (int) (address * GOLDEN >>> Long.numberOfLeadingZeros(slots.length - 1L));
        while (slots[slot] != 0 && slots[slot] != address) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] before = slots;
        slots = new long[2 * before.length];
        for (long address : before) {
            if (address != 0) {
                slots[slot(address)] = address;
            }
        }
    }
}
