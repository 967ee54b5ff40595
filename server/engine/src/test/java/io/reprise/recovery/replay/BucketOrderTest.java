package io.reprise.recovery.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.id.BucketSet;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A schedule by buckets, with partitions that are driven by hand. */
final class BucketOrderTest {
    private static final int DEPTH = 4;

    /** A work that notes its number when it runs. */
    private static final class Noted extends EngineWork {
        private final int number;
        private final List<Integer> ran;

        Noted(int number, List<Integer> ran) {
            super("noted");
            this.number = number;
            this.ran = ran;
        }

        @Override
        public void run(Partition partition, Execution execution) {
            ran.add(number);
        }

        @Override
        public void runLent(Partition at, Execution execution) {
            ran.add(number);
        }
    }

    /** Partitions, their schedule, and the numbers of the commands that have run. */
    private static final class Rig implements AutoCloseable {
        final HandDrivenPartitions partitions;
        final BucketOrder schedule;
        final ReplayPath path;
        final List<Integer> ran = new ArrayList<>();
        final List<int[]> buckets = new ArrayList<>();

        Rig(int count) {
            partitions = new HandDrivenPartitions(count, 8);
            path = new ReplayPath(partitions.buckets);
            schedule = new BucketOrder(partitions.lanes, partitions.buckets, partitions::applyAnywhere, DEPTH);
        }

        /** A command that is confined to buckets, or to none with an empty list: then it has all partitions. */
        void command(int... ofBuckets) {
            InFlight command = schedule.acquire();
            Execution execution = command.execution();
            execution.prepare(new Noted(buckets.size(), ran), command, 0);
            execution.routeBy(partitions.buckets);
            if (ofBuckets.length == 1) {
                execution.confineTo(ofBuckets[0], partitions.buckets.partition(ofBuckets[0]));
            } else if (ofBuckets.length > 1) {
                BucketSet set = execution.confineToSome();
                for (int bucket : ofBuckets) {
                    set.add(bucket);
                    execution.addParticipant(partitions.buckets.partition(bucket));
                }
                execution.runAt(partitions.buckets.partition(ofBuckets[0]), ofBuckets[0]);
            } else {
                for (int i = 0; i < partitions.lanes.length; i++) {
                    execution.addParticipant(i);
                }
                execution.runAt(0, -1);
            }
            execution.stamp(buckets.size() + 1L);
            command.expectSuccess(buckets.size());
            buckets.add(ofBuckets);
            path.add(execution);
            schedule.command(command);
        }

        @Override
        public void close() {
            schedule.close();
            partitions.close();
        }

        int placeOf(int number) {
            return ran.indexOf(number);
        }
    }

    @Test
    void shouldLetOthersOvertakeACommandThatWaitsForALane() {
        try (Rig rig = new Rig(2)) {
            int left = rig.partitions.buckets.buckets(0)[0];
            int right = rig.partitions.buckets.buckets(1)[0];
            int other = rig.partitions.buckets.buckets(1)[1];
            for (int i = 0; i < DEPTH; i++) {
                rig.command(left);
            }
            int distributed = rig.buckets.size();
            rig.command(left, right);
            int behind = rig.buckets.size();
            rig.command(right);
            int beside = rig.buckets.size();
            rig.command(other);

            rig.schedule.frameScheduled(0, 0);
            rig.partitions.apply(1);

            assertThat(rig.ran).containsExactly(beside);
            rig.schedule.drain();
            assertThat(rig.placeOf(distributed)).isLessThan(rig.placeOf(behind));
            assertThat(rig.ran).hasSize(rig.buckets.size());
            assertThat(rig.schedule.overtaken()).isPositive();
        }
    }

    @Test
    void shouldKeepLogOrderInEachBucketWhateverRunsWhen() {
        Seeds.forEach(30, seed -> {
            Random random = new Random(seed);
            try (Rig rig = new Rig(1 + random.nextInt(4))) {
                int count = 300;
                for (int i = 0; i < count; i++) {
                    draw(random, rig);
                    if (random.nextInt(3) == 0) {
                        rig.partitions.apply(random.nextInt(rig.partitions.lanes.length));
                    }
                    if (random.nextInt(10) == 0) {
                        rig.schedule.frameScheduled(i, count);
                    }
                    if (random.nextInt(100) == 0) {
                        rig.schedule.flush();
                    }
                }
                rig.schedule.drain();

                assertThat(rig.ran).hasSize(count).doesNotHaveDuplicates();
                assertOrder(rig);
                assertThat(rig.path.commands()).isEqualTo(count);
                assertThat(rig.path.length()).isEqualTo(longestPath(rig));
            }
        });
    }

    private static void draw(Random random, Rig rig) {
        int first = random.nextInt(8) * 128 + random.nextInt(2);
        switch (random.nextInt(12)) {
            case 0 -> rig.command();
            case 1, 2, 3, 4 -> rig.command(first, (first + 128 * (1 + random.nextInt(7))) % 1024);
            default -> rig.command(first);
        }
    }

    private static boolean meet(int[] a, int[] b) {
        if (a.length == 0 || b.length == 0) {
            return true;
        }
        for (int x : a) {
            for (int y : b) {
                if (x == y) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void assertOrder(Rig rig) {
        int[] places = new int[rig.buckets.size()];
        for (int i = 0; i < places.length; i++) {
            places[rig.ran.get(i)] = i;
        }
        for (int later = 0; later < places.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (meet(rig.buckets.get(earlier), rig.buckets.get(later))) {
                    assertThat(places[earlier])
                            .as("%d before %d", earlier, later)
                            .isLessThan(places[later]);
                }
            }
        }
    }

    private static long longestPath(Rig rig) {
        long[] lengths = new long[rig.buckets.size()];
        long longest = 0;
        for (int later = 0; later < lengths.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (meet(rig.buckets.get(earlier), rig.buckets.get(later))) {
                    lengths[later] = Math.max(lengths[later], lengths[earlier]);
                }
            }
            lengths[later]++;
            longest = Math.max(longest, lengths[later]);
        }
        return longest;
    }
}
