package io.reprise.storage.index;

import io.reprise.runtime.memory.Memory;

/**
 * Rows of a partition that are going to be looked up by hash, to be brought into the processor's cache together. A
 * missing row costs as much as a hundred instructions or more, first its bucket and then the row itself. The
 * processor fetches a dozen at a time if it only comes across them: it looks some hundreds of instructions ahead, and
 * never past a jump that it can't foresee.
 *
 * <p>So an announced key's bucket is read at once and nothing else is done. When all keys are known, or the next
 * lookup comes, {@link #fetch} computes the rows' addresses in one loop and reads them in another that does nothing
 * else. The values read have no meaning. A bucket that has moved in the meantime does no harm: addresses of this
 * memory can always be read.
 *
 * <p>Owned by the partition's thread.
 */
public final class ReadAhead {
    /** The most words of a row that can be asked for. */
    public static final int MOST_WORDS = 8;

    private static final int CAPACITY = 64;

    private final Memory memory;
    private final HashIndex[] indexes = new HashIndex[CAPACITY];
    private final long[] buckets = new long[CAPACITY];
    private final int[] hashes = new int[CAPACITY];
    private final long[] words = new long[CAPACITY];
    private final long[] places = new long[CAPACITY * MOST_WORDS];
    private int announced;

    /** Takes the values read, so that the compiler can't leave the reading out. */
    @SuppressWarnings("UnusedVariable")
    private long read;

    /** Nothing announced. */
    public ReadAhead(Memory memory) {
        this.memory = memory;
    }

    /** Before a lookup: fetches the announced rows, if any. */
    void fetchIfPending() {
        if (announced != 0) {
            fetch();
        }
    }

    /**
     * Announces a key, by its bucket and hash.
     *
     * @param rowWords the words of the row that will be read: bit i stands for the one at offset 8 * i
     */
    void announce(HashIndex index, long bucket, int hash, long rowWords) {
        read ^= memory.getLong(bucket);
        int at = announced;
        indexes[at] = index;
        buckets[at] = bucket;
        hashes[at] = hash;
        words[at] = rowWords;
        announced = at + 1;
        if (at + 1 == CAPACITY) {
            fetch();
        }
    }

    /** Begins to bring one word into the cache. */
    void touch(long address) {
        read ^= memory.getLong(address);
    }

    /** Begins to bring the rows of all announced keys into the cache. Returns how many of their words it has read. */
    public int fetch() {
        int count = 0;
        for (int i = 0; i < announced; i++) {
            long row = indexes[i].rowIn(buckets[i], hashes[i]);
            if (row != 0) {
                int end = Math.min(count + MOST_WORDS, places.length);
                for (long left = words[i]; left != 0 && count < end; left &= left - 1) {
                    places[count++] = row + 8L * Long.numberOfTrailingZeros(left);
                }
            }
        }
        announced = 0;
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum ^= memory.getLong(places[i]);
        }
        read ^= sum;
        return count;
    }
}
