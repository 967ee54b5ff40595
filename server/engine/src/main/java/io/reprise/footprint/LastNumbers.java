package io.reprise.footprint;

import io.reprise.id.Buckets;
import java.util.Arrays;

/** The last row number of each table and bucket in a record; 0 at first. Open addressing, reused. */
final class LastNumbers {
    private static final int FEW = 256;

    /** Table and bucket, plus one. */
    private long[] keys = new long[FEW];

    private long[] numbers = new long[FEW];
    private int size;

    void clear() {
        if (size > 0) {
            Arrays.fill(keys, 0);
            size = 0;
        }
    }

    long get(int table, int bucket) {
        int slot = slot(keys, key(table, bucket));
        return keys[slot] == 0 ? 0 : numbers[slot];
    }

    /** Whether a number is known. */
    boolean has(int table, int bucket) {
        return keys[slot(keys, key(table, bucket))] != 0;
    }

    void put(int table, int bucket, long number) {
        long key = key(table, bucket);
        int slot = slot(keys, key);
        if (keys[slot] == 0) {
            if (2 * ++size > keys.length) {
                grow();
                slot = slot(keys, key);
            }
            keys[slot] = key;
        }
        numbers[slot] = number;
    }

    private void grow() {
        long[] newKeys = new long[2 * keys.length];
        long[] newNumbers = new long[newKeys.length];
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                int slot = slot(newKeys, keys[i]);
                newKeys[slot] = keys[i];
                newNumbers[slot] = numbers[i];
            }
        }
        keys = newKeys;
        numbers = newNumbers;
    }

    private static long key(int table, int bucket) {
        return ((long) table << 16 | bucket) + 1;
    }

    private static int slot(long[] in, long key) {
        int slot = (int) Buckets.mix(0, key) & in.length - 1;
        while (in[slot] != 0 && in[slot] != key) {
            slot = slot + 1 & in.length - 1;
        }
        return slot;
    }
}
