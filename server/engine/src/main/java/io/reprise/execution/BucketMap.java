package io.reprise.execution;

import io.reprise.id.Buckets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SortedMap;

/** The partition of each bucket. Immutable. A transaction reads one map, when it is routed. */
public final class BucketMap {
    private final Buckets buckets;
    private final int shift;
    private final int[] partitionOf;
    private final int partitions;

    /** By partition, the hash of its buckets. */
    private final long[] hashes;

    private BucketMap(Buckets buckets, int[] partitionOf, int partitions) {
        this.buckets = buckets;
        this.shift = buckets.shift();
        this.partitionOf = partitionOf;
        this.partitions = partitions;
        hashes = new long[partitions];
        Arrays.setAll(hashes, partition -> hash(bucketSet(partition)));
    }

    /** Deals 1,024 buckets. */
    public static BucketMap dealt(int partitions) {
        return dealt(Buckets.DEFAULT, partitions);
    }

    /**
     * Deals the buckets to so many partitions, a stretch to each: consecutive partitioning values, which lie the golden
     * ratio apart, are spread more evenly over stretches than over every n-th bucket.
     */
    public static BucketMap dealt(Buckets buckets, int partitions) {
        int count = buckets.count();
        if (partitions < 1 || partitions > count) {
            throw new IllegalArgumentException(
                    "a database with " + count + " buckets can have 1 to " + count + " partitions, not " + partitions);
        }
        int[] map = new int[count];
        Arrays.setAll(map, bucket -> (int) ((long) bucket * partitions / count));
        return new BucketMap(buckets, map, partitions);
    }

    /** This map with some buckets at other partitions. */
    public BucketMap with(SortedMap<Integer, Integer> partitionByBucket) {
        int[] map = partitionOf.clone();
        partitionByBucket.forEach((bucket, partition) -> map[bucket] = partition);
        return new BucketMap(buckets, map, partitions);
    }

    /** The database's buckets. */
    public Buckets buckets() {
        return buckets;
    }

    /** The number of buckets. */
    public int count() {
        return partitionOf.length;
    }

    /** The bucket of a partitioning value. */
    public int bucketOf(long value) {
        return Buckets.of(value, shift);
    }

    /** A hash of a set of buckets. */
    public static long hash(BitSet buckets) {
        long hash = 0;
        for (long word : buckets.toLongArray()) {
            hash = Buckets.mix(hash, word);
        }
        return hash;
    }

    /** The hash of a partition's buckets. */
    public long hashOf(int partition) {
        return hashes[partition];
    }

    /** The partition that holds the bucket. */
    public int partition(int bucket) {
        return partitionOf[bucket];
    }

    /** The number of partitions. */
    public int partitions() {
        return partitions;
    }

    /** The buckets of a partition, in order. */
    public int[] buckets(int partition) {
        int[] owned = new int[partitionOf.length];
        int count = 0;
        for (int bucket = 0; bucket < partitionOf.length; bucket++) {
            if (partitionOf[bucket] == partition) {
                owned[count++] = bucket;
            }
        }
        return Arrays.copyOf(owned, count);
    }

    /** The same as a set. */
    public BitSet bucketSet(int partition) {
        BitSet owned = new BitSet(partitionOf.length);
        for (int bucket = 0; bucket < partitionOf.length; bucket++) {
            owned.set(bucket, partitionOf[bucket] == partition);
        }
        return owned;
    }
}
