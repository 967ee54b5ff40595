package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SiteMeter;
import io.reprise.id.Buckets;
import io.reprise.simulation.SimulatedClock;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplyQueueTest {
    private static final int SLOTS = 2;

    private final List<PartitionStore> stores = List.of(store(0), store(1));
    private final List<Partition> partitions = Partition.over(stores, SiteLayout.dealt(SLOTS, 1));
    private final SiteMeter meter = SiteMeter.unread(1, new SimulatedClock()).getFirst();
    private final long[] stable = new long[SLOTS];
    private final long[] written = new long[SLOTS];
    private final List<Long> told = new ArrayList<>();

    private static PartitionStore store(int partition) {
        return new PartitionStore(
                new PartitionStore.Options(partition, 1 << 20, 1L << 30, Buckets.DEFAULT, new BitSet()));
    }

    @AfterEach
    void close() {
        stores.forEach(PartitionStore::close);
    }

    private ReplyQueue queue(int capacity) {
        Stability[] stability = {() -> stable[0], () -> stable[1]};
        return new ReplyQueue(capacity, stability, partitions.getFirst().peers(), meter);
    }

    /** Holds outcomes in places that it gives out again in any order, or none. */
    private final class Target implements ReplyTarget {
        private final boolean holds;
        private final List<Long> outcomes = new ArrayList<>();
        private final List<Integer> free = new ArrayList<>();

        Target(boolean holds) {
            this.holds = holds;
        }

        @Override
        public void complete(Execution execution) {
            told.add(execution.id());
        }

        @Override
        public int hold(Execution execution) {
            if (!holds) {
                return NOT_HELD;
            }
            int ticket = free.isEmpty() ? outcomes.size() : free.removeLast();
            if (ticket == outcomes.size()) {
                outcomes.add(null);
            }
            outcomes.set(ticket, execution.id());
            return ticket;
        }

        @Override
        public void release(int ticket) {
            told.add(outcomes.get(ticket));
            free.add(ticket);
        }
    }

    private static Execution ended(long id, ReplyTarget target, int partition) {
        Execution execution = new Execution().prepare(null, target, 0);
        execution.sendTo(partition);
        execution.stamp(id);
        return execution;
    }

    /** Whatever runs where, and whoever holds it: each reply leaves in turn, once its position is stable. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReleaseInTheOrderOfTransactionsWhenPositionsBecomeStable(long seed) {
        Random random = new Random(seed);
        ReplyQueue queue = queue(2_000);
        Target[] targets = {new Target(true), new Target(true), new Target(false)};
        List<Integer> slots = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        long mostAtOnce = 0;

        for (int round = 0; round < 300; round++) {
            for (int i = random.nextInt(120); i > 0 && !queue.isFull(); i--) {
                int slot = random.nextInt(8) == 0 ? 1 : 0;
                written[slot] += 10;
                Execution ended =
                        ended(slots.size(), targets[random.nextInt(20) == 0 ? 2 : random.nextInt(20) / 19], slot);
                slots.add(slot);
                positions.add(written[slot]);
                queue.add(partitions.get(slot), ended, written[slot]);
            }
            mostAtOnce = Math.max(mostAtOnce, queue.size());
            for (int slot = 0; slot < SLOTS; slot++) {
                stable[slot] += random.nextLong(written[slot] - stable[slot] + 1);
            }
            int before = told.size();
            int released = queue.release();

            assertThat(told).as("seed %d", seed).hasSize(before + released);
            for (int i = before; i < told.size(); i++) {
                assertThat(told.get(i)).as("seed %d", seed).isEqualTo(i);
                assertThat(positions.get(i)).isLessThanOrEqualTo(stable[slots.get(i)]);
            }
            if (told.size() < slots.size()) {
                assertThat(positions.get(told.size()))
                        .as("seed %d: the next must wait", seed)
                        .isGreaterThan(stable[slots.get(told.size())]);
            }
            assertThat(queue.size()).isEqualTo(slots.size() - told.size());
        }

        assertThat(mostAtOnce).isGreaterThan(100);
    }

    @Test
    void shouldKeepSomeSpareWhenItIsFullAndRefuseWhatIsBeyond() {
        ReplyQueue queue = queue(1_000);
        Target target = new Target(true);
        for (int i = 0; i < 1_000; i++) {
            assertThat(queue.isFull()).isFalse();
            queue.add(partitions.getFirst(), ended(i, target, 0), 1);
        }

        for (int i = 0; i < 16; i++) {
            assertThat(queue.isFull()).isTrue();
            queue.add(partitions.getFirst(), ended(1_000 + i, target, 0), 1);
        }

        Execution beyond = ended(2_000, target, 0);
        assertThatThrownBy(() -> queue.add(partitions.getFirst(), beyond, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more replies wait for the log than there is room for: 1016");
    }
}
