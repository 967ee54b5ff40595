package io.reprise.id;

import java.util.Arrays;

/** A mutable, reusable set of buckets that remembers the order in which the first ones were added, and grows to the highest. */
public final class BucketSet {
    /** The number of buckets that it can list. */
    public static final int MOST_LISTED = 64;

    private long[] bits = new long[Buckets.DEFAULT.count() / Long.SIZE];
    private final int[] listed = new int[MOST_LISTED];
    private int size;

    /** Adds a bucket, unless it is there already. */
    public void add(int bucket) {
        if (contains(bucket)) {
            return;
        }
        if (bucket >>> 6 >= bits.length) {
            bits = Arrays.copyOf(bits, Integer.highestOneBit(bucket >>> 6) << 1);
        }
        bits[bucket >>> 6] |= 1L << bucket;
        if (size < MOST_LISTED) {
            listed[size] = bucket;
        }
        size++;
    }

    /** The number of buckets. */
    public int size() {
        return size;
    }

    /** Whether {@link #get} has all of them. */
    public boolean isListed() {
        return size <= MOST_LISTED;
    }

    /** The bucket that was added at this place, from 0 and below {@link #MOST_LISTED}. */
    public int get(int index) {
        return listed[index];
    }

    /** Whether the bucket is in the set. */
    public boolean contains(int bucket) {
        return bucket >>> 6 < bits.length && (bits[bucket >>> 6] >>> bucket & 1) != 0;
    }

    /** Removes all. A set of few buckets, as nearly all are, costs a store for each. */
    public void clear() {
        if (isListed()) {
            for (int i = 0; i < size; i++) {
                bits[listed[i] >>> 6] = 0;
            }
        } else {
            Arrays.fill(bits, 0);
        }
        size = 0;
    }
}
