package io.reprise.execution;

import io.reprise.id.Buckets;
import java.util.Arrays;

/** Which partition holds which bucket. Immutable. */
public final class BucketMap {
    private final int[] partitionOf;
    private final int partitions;

    private BucketMap(int[] partitionOf, int partitions) {
        this.partitionOf = partitionOf;
        this.partitions = partitions;
    }

    /**
     * Deals the buckets to so many partitions, a stretch to each: consecutive partitioning values, which lie the golden
     * ratio apart, are spread more evenly over stretches than over every n-th bucket.
     */
    public static BucketMap dealt(int partitions) {
        if (partitions < 1 || partitions > Buckets.COUNT) {
            throw new IllegalArgumentException("there can be 1 to " + Buckets.COUNT + " partitions, not " + partitions);
        }
        int[] map = new int[Buckets.COUNT];
        Arrays.setAll(map, bucket -> bucket * partitions / Buckets.COUNT);
        return new BucketMap(map, partitions);
    }

    /** The partition that holds the bucket. */
    public int partition(int bucket) {
        return partitionOf[bucket];
    }

    /** How many partitions there are. */
    public int partitions() {
        return partitions;
    }

    /** The buckets of a partition, in order. */
    public int[] buckets(int partition) {
        int[] buckets = new int[Buckets.COUNT];
        int count = 0;
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            if (partitionOf[bucket] == partition) {
                buckets[count++] = bucket;
            }
        }
        return Arrays.copyOf(buckets, count);
    }
}
