package io.reprise.recovery.closure;

import io.reprise.id.Buckets;

/** A set of numbers from 0. Open addressing. */
final class LongSet {
    /** A number plus one; 0: free. */
    private long[] slots = new long[64];

    private int size;

    boolean has(long number) {
        return slots[slot(slots, number + 1)] != 0;
    }

    void add(long number) {
        int slot = slot(slots, number + 1);
        if (slots[slot] != 0) {
            return;
        }
        slots[slot] = number + 1;
        size++;
        if (2 * size > slots.length) {
            long[] more = new long[2 * slots.length];
            for (long value : slots) {
                if (value != 0) {
                    more[slot(more, value)] = value;
                }
            }
            slots = more;
        }
    }

    int size() {
        return size;
    }

    private static int slot(long[] in, long value) {
        int slot = (int) Buckets.mix(1, value) & in.length - 1;
        while (in[slot] != 0 && in[slot] != value) {
            slot = slot + 1 & in.length - 1;
        }
        return slot;
    }
}
