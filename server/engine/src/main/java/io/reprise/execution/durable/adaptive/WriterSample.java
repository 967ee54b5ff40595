package io.reprise.execution.durable.adaptive;

import java.util.Arrays;

/**
 * An index of the last writers of a sample of rows: for each, the replay time of the chain of commands that makes the row's value again.
 * The sample is consistent: a row is in it or not, by its hash. When the index is full the sample is halved. Confined to one thread.
 */
final class WriterSample {
    private final int capacity;
    private final long[] keys;
    private final float[] chains;
    private long mask;
    private int size;

    /** A sample of at most so many rows, a power of two. */
    WriterSample(int capacity) {
        this.capacity = capacity;
        keys = new long[2 * capacity];
        chains = new float[2 * capacity];
    }

    /** The key of a row by its {@linkplain LoggingTables#hash hash}; 0 is no row's. */
    static long key(long hash) {
        return hash | 1;
    }

    boolean isSampled(long key) {
        return (key >>> 32 & mask) == 0;
    }

    /** The chain of a sampled row; negative if it was not written. */
    float chain(long key) {
        int slot = slot(key);
        return keys[slot] == 0 ? -1 : chains[slot];
    }

    void put(long key, float chain) {
        int slot = slot(key);
        if (keys[slot] == 0) {
            if (size == capacity) {
                halve();
                if (isSampled(key)) {
                    put(key, chain);
                }
                return;
            }
            keys[slot] = key;
            size++;
        }
        chains[slot] = chain;
    }

    private int slot(long key) {
        int slot = (int) (key >>> 1) & keys.length - 1;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = slot + 1 & keys.length - 1;
        }
        return slot;
    }

    private void halve() {
        long[] oldKeys = keys.clone();
        float[] oldChains = chains.clone();
        mask = mask << 1 | 1;
        Arrays.fill(keys, 0);
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0 && isSampled(oldKeys[i])) {
                put(oldKeys[i], oldChains[i]);
            }
        }
    }

    /** The rows in the index. */
    int size() {
        return size;
    }

    /** A snapshot has all values, so chains begin anew. */
    void clear() {
        Arrays.fill(keys, 0);
        size = 0;
    }
}
