package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

final class ImageRingTest {
    private static final long BYTES = 1 << 12;

    private static boolean put(ImageRing ring, long id, long bytes) {
        long to = ring.claim(bytes);
        if (to == 0) {
            return false;
        }
        for (long at = 0; at < bytes; at++) {
            ring.memory().putByte(to + at, (byte) (id + at));
        }
        ring.publish(id, to + bytes);
        return true;
    }

    private static void check(ImageRing ring, long id, long bytes) {
        assertThat(ring.hasNext()).isTrue();
        assertThat(ring.transactionId()).isEqualTo(id);
        assertThat(ring.payloadBytes()).isEqualTo((int) bytes);
        for (long at = 0; at < bytes; at++) {
            assertThat(ring.memory().getByte(ring.payload() + at)).isEqualTo((byte) (id + at));
        }
        ring.release();
    }

    @Test
    void shouldPassImagesInOrderAndLeaveOutThoseWithoutRoom() {
        Seeds.forEach(20, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            Deque<long[]> expected = new ArrayDeque<>();
            int refused = 0;
            try (ImageRing ring = new ImageRing(BYTES)) {
                for (long id = 1; id < 3_000; id++) {
                    long bytes = random.nextInt(300);
                    if (put(ring, id, bytes)) {
                        expected.add(new long[] {id, bytes});
                    } else {
                        refused++;
                        assertThat(ring.waiting()).isGreaterThan(BYTES / 2);
                    }
                    while (random.chance(0.48) && !expected.isEmpty()) {
                        long[] next = expected.poll();
                        check(ring, next[0], next[1]);
                    }
                }
                while (!expected.isEmpty()) {
                    long[] next = expected.poll();
                    check(ring, next[0], next[1]);
                }
                assertThat(ring.hasNext()).isFalse();
                assertThat(ring.waiting()).isZero();
                assertThat(refused).isPositive();
            }
        });
    }

    @Test
    void shouldLeaveOutAnImageThatWouldTakeTheRoomOfMany() {
        try (ImageRing ring = new ImageRing(BYTES)) {
            assertThat(ring.claim(BYTES / 8)).isZero();
            assertThat(put(ring, 1, BYTES / 8 - 16)).isTrue();
            check(ring, 1, BYTES / 8 - 16);
        }
    }

    @Test
    void shouldForgetAClaimThatIsNotPublished() {
        try (ImageRing ring = new ImageRing(BYTES)) {
            assertThat(ring.claim(40)).isPositive();
            assertThat(ring.hasNext()).isFalse();
            assertThat(put(ring, 2, 8)).isTrue();
            check(ring, 2, 8);
        }
    }
}
