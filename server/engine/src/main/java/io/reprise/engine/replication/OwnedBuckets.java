package io.reprise.engine.replication;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import io.reprise.recovery.replay.BucketMove;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The buckets that a partition has at a place of its stream, and where those are that have left it. The MOVE records of the stream
 * change it, so each replica and each replay has the same buckets at the same place.
 *
 * <pre>
 *  4 words, each 8: bit b is set if the partition has bucket b | 4 buckets that have left it, each: 4 bucket, 4 partition; big-endian
 * </pre>
 */
final class OwnedBuckets {
    private final BitSet owned = new BitSet();
    private final NavigableMap<Integer, Integer> gone = new TreeMap<>();
    private long hash;

    /** The buckets of a partition. */
    OwnedBuckets(BitSet first) {
        owned.or(first);
        hash = BucketMap.hash(owned);
    }

    /** Whether the partition has the bucket. */
    boolean has(int bucket) {
        return owned.get(bucket);
    }

    /** The number of buckets. */
    int count() {
        return owned.cardinality();
    }

    /** The lowest bucket; -1 if there is none. */
    int first() {
        return owned.nextSetBit(0);
    }

    /** A hash of the buckets, as {@link BucketMap#hash} makes it. */
    long hash() {
        return hash;
    }

    /**
     * Whether the partition has all buckets that a transaction of this partition alone may touch. One that is not confined to buckets has to
     * have been routed by a map with the same buckets of the partition.
     */
    boolean hasAllOf(Execution execution, int partition) {
        int bucket = execution.bucket();
        if (bucket >= 0) {
            return owned.get(bucket);
        }
        BucketSet several = execution.buckets();
        if (several == null) {
            return execution.map() == null || execution.map().hashOf(partition) == hash;
        }
        for (int i = 0; i < Math.min(several.size(), BucketSet.MOST_LISTED); i++) {
            if (!owned.get(several.get(i))) {
                return false;
            }
        }
        return several.isListed() || hasAllOf(several, execution.map().count());
    }

    private boolean hasAllOf(BucketSet several, int count) {
        for (int bucket = owned.nextClearBit(0); bucket < count; bucket = owned.nextClearBit(bucket + 1)) {
            if (several.contains(bucket)) {
                return false;
            }
        }
        return true;
    }

    /** A copy of the buckets. */
    BitSet now() {
        return (BitSet) owned.clone();
    }

    /** The partition that a bucket was moved to; null if it never was here, or is. */
    Integer goneTo(int bucket) {
        return gone.get(bucket);
    }

    /** A copy of the buckets that have left, and of the partitions to which they went. */
    NavigableMap<Integer, Integer> gone() {
        return new TreeMap<>(gone);
    }

    /** The stream has come to a move. */
    void moved(BucketMove move) {
        BitSet buckets = move.buckets();
        if (move.comes()) {
            owned.or(buckets);
            buckets.stream().forEach(bucket -> gone.remove(bucket));
        } else {
            owned.andNot(buckets);
            buckets.stream().forEach(bucket -> gone.put(bucket, move.other()));
        }
        hash = BucketMap.hash(owned);
    }

    int bytes() {
        return 2 * Integer.BYTES + Long.BYTES * owned.toLongArray().length + 2 * Integer.BYTES * gone.size();
    }

    void encode(ByteBuffer to) {
        long[] words = owned.toLongArray();
        to.putInt(words.length);
        for (long word : words) {
            to.putLong(word);
        }
        to.putInt(gone.size());
        gone.forEach((bucket, partition) -> to.putInt(bucket).putInt(partition));
    }

    void decode(ByteBuffer from) {
        long[] words = new long[from.getInt()];
        for (int i = 0; i < words.length; i++) {
            words[i] = from.getLong();
        }
        owned.clear();
        owned.or(BitSet.valueOf(words));
        hash = BucketMap.hash(owned);
        gone.clear();
        for (int left = from.getInt(); left > 0; left--) {
            gone.put(from.getInt(), from.getInt());
        }
    }
}
