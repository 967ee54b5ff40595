package io.reprise.cluster;

import io.reprise.execution.BucketMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The place of a bucket in the map. The streams of partitions decide it; the map follows them, and clients follow the map.
 *
 * @param bucket the bucket
 * @param partition the partition that has it, as far as the map knows
 * @param goal the partition that is to have it
 */
public record BucketPlace(int bucket, int partition, int goal) {
    /** Whether it is to move. */
    public boolean isMoving() {
        return goal != partition;
    }

    /** The same place with another goal. */
    BucketPlace toward(int newGoal) {
        return new BucketPlace(bucket, partition, newGoal);
    }

    /** The place behind a move. A goal that was given up meanwhile is not taken up again. */
    private BucketPlace at(int newPartition) {
        return new BucketPlace(bucket, newPartition, isMoving() ? goal : newPartition);
    }

    /** The map with goals of buckets. */
    static PartitionMap move(PartitionMap map, SortedMap<Integer, Integer> goals, BucketMap dealt) {
        SortedMap<Integer, BucketPlace> places = new TreeMap<>();
        map.buckets().forEach(place -> places.put(place.bucket(), place));
        goals.forEach((bucket, goal) -> {
            if (bucket < 0 || bucket >= dealt.count()) {
                throw new MapOperation.RefusedException(
                        "there is no bucket " + bucket + ": they are numbered from 0 to " + (dealt.count() - 1));
            }
            if (goal < 0 || goal >= map.partitions().size()) {
                throw new MapOperation.RefusedException("there is no partition " + goal
                        + ": they are numbered from 0 to " + (map.partitions().size() - 1));
            }
            BucketPlace now = places.get(bucket);
            if (now != null) {
                places.put(bucket, now.toward(goal));
            } else if (dealt.partition(bucket) != goal) {
                places.put(bucket, new BucketPlace(bucket, dealt.partition(bucket), goal));
            }
        });
        return map.withBuckets(new ArrayList<>(places.values()));
    }

    /** The map behind moves from a partition. Buckets that it has elsewhere stay there. */
    static PartitionMap moved(PartitionMap map, int from, SortedMap<Integer, Integer> to) {
        List<BucketPlace> places = new ArrayList<>();
        for (BucketPlace place : map.buckets()) {
            Integer now = place.partition() == from ? to.get(place.bucket()) : null;
            places.add(now == null ? place : place.at(now));
        }
        return map.withBuckets(places);
    }
}
