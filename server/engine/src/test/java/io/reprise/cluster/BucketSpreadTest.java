package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

final class BucketSpreadTest {
    private static long[] loads(int[] partitionOf, long[] load, int partitions, SortedMap<Integer, Integer> goals) {
        long[] sums = new long[partitions];
        for (int bucket = 0; bucket < load.length; bucket++) {
            sums[goals.getOrDefault(bucket, partitionOf[bucket])] += load[bucket];
        }
        return sums;
    }

    @Test
    void shouldMoveTheMostLoadedBucketsThatHelp() {
        int[] partitionOf = {0, 0, 0, 0, 1, 1, 1, 1};
        long[] load = {50, 30, 10, 10, 0, 0, 0, 0};

        SortedMap<Integer, Integer> goals = BucketSpread.plan(partitionOf, load, 2);

        assertThat(goals).containsExactly(java.util.Map.entry(0, 1));
    }

    @Test
    void shouldLeaveAHotBucketAndMoveTheOthersAway() {
        int[] partitionOf = {0, 0, 0, 1, 2};
        long[] load = {100, 20, 20, 10, 10};

        SortedMap<Integer, Integer> goals = BucketSpread.plan(partitionOf, load, 3);

        assertThat(goals).containsOnlyKeys(1, 2);
        assertThat(loads(partitionOf, load, 3, goals)).containsExactly(100, 30, 30);
    }

    @Test
    void shouldSpreadBucketsWithoutLoadByTheirNumber() {
        int[] partitionOf = new int[64];

        SortedMap<Integer, Integer> goals = BucketSpread.plan(partitionOf, new long[64], 4);

        long[] each = new long[64];
        Arrays.fill(each, 1);
        assertThat(loads(partitionOf, each, 4, goals)).containsExactly(16, 16, 16, 16);
    }

    @Test
    void shouldMoveNothingAfterItsOwnPlan() {
        int[] partitionOf = new int[256];
        long[] load = new long[256];
        for (int bucket = 0; bucket < 256; bucket++) {
            partitionOf[bucket] = bucket / 64;
            load[bucket] = (bucket * 7919L) % 1000 * (bucket < 64 ? 5 : 1);
        }

        SortedMap<Integer, Integer> goals = BucketSpread.plan(partitionOf, load, 4);
        goals.forEach((bucket, partition) -> partitionOf[bucket] = partition);

        assertThat(goals).isNotEmpty();
        assertThat(BucketSpread.plan(partitionOf, load, 4)).isEmpty();
    }
}
