package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.id.TransactionId;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.runtime.order.InitiatorPromise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order, with initiators that can be interrupted between any two of their steps. */
class TransactionQueueTest {
    private static final int PARTITIONS = 2;

    /** An initiator in single steps: begin, stamp, send to one partition after the other, end. */
    private static final class SteppedInitiator {
        final int index;
        final InitiatorClock clock = new InitiatorClock(0);
        final List<SpscRing<Execution>> rings = new ArrayList<>();
        final Randomness random;
        int toStamp;
        boolean stamping;
        long last;
        Execution sending;
        int sentTo;

        SteppedInitiator(int index, int toStamp, Randomness random) {
            this.index = index;
            this.toStamp = toStamp;
            this.random = random;
            for (int i = 0; i < PARTITIONS; i++) {
                rings.add(new SpscRing<>(256));
            }
        }

        boolean isDone() {
            return toStamp == 0 && !stamping;
        }

        void step(long nowMicros) {
            if (!stamping) {
                if (toStamp > 0) {
                    last = Math.max(last, clock.beginStamping());
                    stamping = true;
                }
            } else if (sending != null) {
                if (sentTo < PARTITIONS) {
                    assertThat(rings.get(sentTo++).offer(sending)).isTrue();
                } else {
                    sending = null;
                }
            } else if (toStamp == 0 || random.chance(0.3)) {
                clock.endStamping(last);
                stamping = false;
            } else {
                last = TransactionId.next(last, nowMicros, index);
                sending = new Execution();
                sending.routeBy(null);
                sending.addParticipant(0);
                sending.stamp(last);
                sentTo = 0;
                toStamp--;
            }
        }
    }

    @Test
    void shouldGiveOutEverythingInIdOrderWhenInitiatorsStopBetweenAnySteps() {
        for (long seed = 1; seed <= 3000; seed++) {
            run(seed, new SeededRandomness(seed));
        }
    }

    private static void run(long seed, Randomness random) {
        int count = 1 + random.nextInt(4);
        List<SteppedInitiator> initiators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            initiators.add(new SteppedInitiator(i, 1 + random.nextInt(30), random.fork()));
        }
        int expected = initiators.stream().mapToInt(i -> i.toStamp).sum();
        List<InitiatorPromise> promises = new ArrayList<>();
        initiators.forEach(i -> promises.add(i.clock));
        List<TransactionQueue> queues = new ArrayList<>();
        List<List<Long>> taken = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            int to = partition;
            queues.add(new TransactionQueue(
                    initiators.stream().map(i -> i.rings.get(to)).toList(),
                    promises,
                    random.chance(0.5) ? 0 : -1,
                    null));
            taken.add(new ArrayList<>());
        }
        long nowMicros = TransactionId.EPOCH_MICROS;
        for (int idle = 0; idle < 10_000; idle++) {
            nowMicros += random.nextInt(3) - 1;
            int choice = random.nextInt(count + PARTITIONS);
            if (choice < count) {
                initiators.get(choice).step(nowMicros);
            } else {
                Execution due = queues.get(choice - count).poll();
                if (due != null) {
                    taken.get(choice - count).add(due.id());
                    idle = 0;
                }
            }
        }
        assertThat(initiators).as("seed %d", seed).allMatch(SteppedInitiator::isDone);
        for (List<Long> ids : taken) {
            assertThat(ids).as("seed %d", seed).hasSize(expected).isSorted().doesNotHaveDuplicates();
        }
        assertThat(taken.get(0)).as("seed %d", seed).isEqualTo(taken.get(1));
    }

    @Test
    void shouldWaitForInitiatorWhenItMayStillSendLowerId() {
        SteppedInitiator slow = new SteppedInitiator(0, 1, new SeededRandomness(1));
        SteppedInitiator fast = new SteppedInitiator(1, 1, new SeededRandomness(2));
        TransactionQueue queue = new TransactionQueue(
                List.of(slow.rings.getFirst(), fast.rings.getFirst()), List.of(slow.clock, fast.clock), -1, null);
        long nowMicros = TransactionId.EPOCH_MICROS + 10;
        slow.step(nowMicros);
        slow.step(nowMicros);
        for (int i = 0; i < 20; i++) {
            fast.step(nowMicros + 1);
        }

        assertThat(queue.poll()).isNull();
        for (int i = 0; i < 20; i++) {
            slow.step(nowMicros);
        }

        assertThat(queue.poll().id()).isEqualTo(slow.last);
        assertThat(queue.poll().id()).isEqualTo(fast.last);
        assertThat(queue.poll()).isNull();
    }
}
