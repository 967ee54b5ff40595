package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RingTest {
    @Test
    void shouldRefuseWhenFull() {
        SpscRing<Integer> spsc = new SpscRing<>(4);
        MpscRing<Integer> mpsc = new MpscRing<>(4);

        for (int i = 0; i < 4; i++) {
            assertThat(spsc.offer(i)).isTrue();
            assertThat(mpsc.offer(i)).isTrue();
        }

        assertThat(spsc.offer(4)).isFalse();
        assertThat(mpsc.offer(4)).isFalse();
        assertThat(spsc.size()).isEqualTo(4);
        assertThat(mpsc.size()).isEqualTo(4);
        assertThat(spsc.capacity()).isEqualTo(4);
        assertThat(mpsc.capacity()).isEqualTo(4);
    }

    @Test
    void shouldAcceptAgainWhenSomethingWasTaken() {
        SpscRing<Integer> spsc = new SpscRing<>(4);
        MpscRing<Integer> mpsc = new MpscRing<>(4);
        for (int i = 0; i < 4; i++) {
            spsc.offer(i);
            mpsc.offer(i);
        }

        assertThat(spsc.peek()).isZero();
        assertThat(mpsc.peek()).isZero();
        assertThat(spsc.poll()).isZero();
        assertThat(mpsc.poll()).isZero();

        assertThat(spsc.offer(4)).isTrue();
        assertThat(mpsc.offerQuietly(4)).isTrue();
    }

    @Test
    void shouldDrainInOrderUpToTheLimit() {
        SpscRing<Integer> spsc = new SpscRing<>(8);
        MpscRing<Integer> mpsc = new MpscRing<>(8);
        for (int i = 0; i < 5; i++) {
            spsc.offer(i);
            mpsc.offer(i);
        }
        List<Integer> fromSpsc = new ArrayList<>();
        List<Integer> fromMpsc = new ArrayList<>();

        assertThat(spsc.drain(fromSpsc::add, 3)).isEqualTo(3);
        assertThat(mpsc.drain(fromMpsc::add, 3)).isEqualTo(3);
        assertThat(spsc.drain(fromSpsc::add, 3)).isEqualTo(2);
        assertThat(mpsc.drain(fromMpsc::add, 3)).isEqualTo(2);

        assertThat(fromSpsc).containsExactly(0, 1, 2, 3, 4);
        assertThat(fromMpsc).containsExactly(0, 1, 2, 3, 4);
        assertThat(spsc.isEmpty()).isTrue();
        assertThat(mpsc.isEmpty()).isTrue();
        assertThat(spsc.poll()).isNull();
        assertThat(mpsc.peek()).isNull();
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
