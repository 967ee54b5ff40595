package io.reprise.cluster;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The plan by which the load of buckets is spread over partitions with few moves: the most loaded bucket that helps goes from the most
 * loaded partition to the least loaded one, as long as that makes them more even. Equal loads have equal plans.
 */
public final class BucketSpread {
    /** Partitions whose loads differ by less than this part of the mean are even. */
    private static final double TOLERANCE = 0.05;

    private final int[] partitionOf;
    private final long[] load;
    private final long[] ofPartition;
    private final SortedMap<Integer, Integer> goals = new TreeMap<>();

    private BucketSpread(int[] partitionOf, long[] load, int partitions) {
        this.partitionOf = partitionOf;
        this.load = load;
        ofPartition = new long[partitions];
        for (int bucket = 0; bucket < load.length; bucket++) {
            ofPartition[partitionOf[bucket]] += load[bucket];
        }
    }

    /**
     * The goals of the buckets that are to move.
     *
     * @param partitionOf the partition of each bucket
     * @param load the load of each bucket; if none has any, each counts as much as the others
     */
    public static SortedMap<Integer, Integer> plan(int[] partitionOf, long[] load, int partitions) {
        long[] counted = load.clone();
        if (Arrays.stream(load).sum() == 0) {
            Arrays.fill(counted, 1);
        }
        BucketSpread spread = new BucketSpread(partitionOf.clone(), counted, partitions);
        for (int moves = 0; moves < load.length && spread.move(); moves++) {
            continue;
        }
        spread.goals.entrySet().removeIf(goal -> partitionOf[goal.getKey()] == goal.getValue());
        return spread.goals;
    }

    private boolean move() {
        int most = 0;
        int least = 0;
        long all = 0;
        for (int partition = 0; partition < ofPartition.length; partition++) {
            most = ofPartition[partition] > ofPartition[most] ? partition : most;
            least = ofPartition[partition] < ofPartition[least] ? partition : least;
            all += ofPartition[partition];
        }
        long difference = ofPartition[most] - ofPartition[least];
        int moved = difference <= TOLERANCE * all / ofPartition.length ? -1 : best(most, difference);
        if (moved < 0) {
            return false;
        }
        ofPartition[most] -= load[moved];
        ofPartition[least] += load[moved];
        partitionOf[moved] = least;
        goals.put(moved, least);
        return true;
    }

    /** The most loaded bucket that does not make the other partition the more loaded one, or -1. */
    private int best(int partition, long difference) {
        int best = -1;
        for (int bucket = 0; bucket < load.length; bucket++) {
            if (partitionOf[bucket] == partition
                    && load[bucket] > 0
                    && 2 * load[bucket] <= difference
                    && (best < 0 || load[bucket] > load[best])) {
                best = bucket;
            }
        }
        return best;
    }
}
