package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class RingTest {
    static List<Ring<Integer>> rings() {
        return List.of(new SpscRing<>(4), new MpscRing<>(4));
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldRefuseWhenFull(Ring<Integer> ring) {
        for (int i = 0; i < 4; i++) {
            assertThat(ring.offer(i)).isTrue();
        }

        assertThat(ring.offer(4)).isFalse();
        assertThat(ring.offerQuietly(4)).isFalse();
        assertThat(ring.size()).isEqualTo(4);
        assertThat(ring.capacity()).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldAcceptAgainWhenSomethingWasTaken(Ring<Integer> ring) {
        for (int i = 0; i < 4; i++) {
            ring.offer(i);
        }

        assertThat(ring.peek()).isZero();
        assertThat(ring.poll()).isZero();

        assertThat(ring.offerQuietly(4)).isTrue();
        assertThat(ring.offer(5)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("rings")
    void shouldDrainInOrderUpToTheLimit(Ring<Integer> ring) {
        for (int i = 0; i < 4; i++) {
            ring.offer(i);
        }
        List<Integer> drained = new ArrayList<>();

        assertThat(ring.drain(drained::add, 3)).isEqualTo(3);
        assertThat(ring.drain(drained::add, 3)).isEqualTo(1);

        assertThat(drained).containsExactly(0, 1, 2, 3);
        assertThat(ring.isEmpty()).isTrue();
        assertThat(ring.poll()).isNull();
        assertThat(ring.peek()).isNull();
    }

    @Test
    void shouldKeepEachProducersOrderWhenSeveralOffer() throws Exception {
        int producers = 3;
        int each = 30_000;
        Waker waker = new Waker();
        MpscRing<int[]> ring = new MpscRing<>(64, waker);
        ParkingIdleStrategy idle = new ParkingIdleStrategy(waker, 10, 1, 1_000_000, 1_000_000);
        CountDownLatch go = new CountDownLatch(1);
        for (int p = 0; p < producers; p++) {
            int producer = p;
            Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < each; i++) {
                    while (!ring.offer(new int[] {producer, i})) {
                        Thread.yield();
                    }
                }
                go.countDown();
            });
        }

        int[] next = new int[producers];
        for (int taken = 0; taken < producers * each; ) {
            int[] element = ring.poll();
            idle.idle(element == null ? 0 : 1);
            if (element != null) {
                assertThat(element[1]).isEqualTo(next[element[0]]++);
                taken++;
            }
        }

        assertThat(next).containsOnly(each);
    }
}
