package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;

/**
 * Looks many rows up by the hashes of their keys, so that memory is waited for once and not for each of them: first all buckets are
 * read in a loop that does nothing else, then the rows' places are searched for in them, then all rows are read. Between two loads
 * there are so few instructions that the processor has as many under way as it can.
 *
 * <p>A hash is no proof: {@link HashIndex#holds} tells whether the row has the key.
 *
 * <p>Owned by the partition's thread. Reused.
 */
public final class HashLookups {
    private final Memory memory;
    private final HashIndex[] indexes;
    private final long[] buckets;
    private final int[] hashes;
    private final long[] rows;
    private int count;

    /** Takes the values read, so that the compiler can't leave the reading out. */
    @SuppressWarnings("UnusedVariable")
    private long read;

    /** For up to so many rows at a time. */
    public HashLookups(Memory memory, int most) {
        this.memory = memory;
        indexes = new HashIndex[most];
        buckets = new long[most];
        hashes = new int[most];
        rows = new long[most];
    }

    /** Forgets all keys. */
    public void clear() {
        count = 0;
    }

    /** A row with a key of this {@linkplain HashIndex#hashOf hash} is to be found. */
    public void find(HashIndex index, int hash) {
        add(index, index.bucketFor(hash), hash);
    }

    /** A row with a key of this hash is going to be inserted: there is none to be found, only the bucket is read. */
    public void insert(HashIndex index, int hash) {
        add(null, index.bucketFor(hash), hash);
    }

    private void add(HashIndex index, long bucket, int hash) {
        indexes[count] = index;
        buckets[count] = bucket;
        hashes[count] = hash;
        count++;
    }

    /** Whether no more keys can be taken. */
    public boolean isFull() {
        return count == rows.length;
    }

    /** The number of keys. */
    public int count() {
        return count;
    }

    /** Reads the buckets and the first lines of the rows. */
    public void run() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum ^= memory.getLong(buckets[i]);
        }
        for (int i = 0; i < count; i++) {
            HashIndex index = indexes[i];
            rows[i] = index == null ? 0 : index.rowIn(buckets[i], hashes[i]);
        }
        for (int i = 0; i < count; i++) {
            if (rows[i] != 0) {
                sum ^= memory.getLong(rows[i]) ^ memory.getLong(rows[i] + indexes[i].secondLine());
            }
        }
        read ^= sum;
    }

    /** A row with the i-th key's hash, or 0: it isn't in its bucket, or it was not to be found. */
    public long row(int i) {
        return rows[i];
    }
}
