package io.reprise.id;

import java.util.Arrays;

/** Some of the buckets. Mutable, and used again; owned by whoever owns what it belongs to. */
public final class BucketSet {
    private final long[] bits = new long[Buckets.COUNT / Long.SIZE];

    /** Adds a bucket. */
    public void add(int bucket) {
        bits[bucket >>> 6] |= 1L << bucket;
    }

    /** Whether the bucket is one of them. */
    public boolean contains(int bucket) {
        return (bits[bucket >>> 6] >>> bucket & 1) != 0;
    }

    /** Removes all. */
    public void clear() {
        Arrays.fill(bits, 0);
    }
}
