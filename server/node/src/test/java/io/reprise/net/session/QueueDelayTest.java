package io.reprise.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class QueueDelayTest {
    private static final long MS = 1_000_000;

    private final QueueDelay delay = new QueueDelay();
    private long nowMs = 1_000;

    @Test
    void shouldSayNothingWhenCallsWaitForLessThanHalfOfWhatTheyMay() {
        begin(100, 24);

        assertThat(delay.load()).isZero();
    }

    @Test
    void shouldTellHowLongCallsWaitWhenTheyDoForAWhile() {
        begin(100, 60);

        assertThat(delay.load()).isEqualTo(120);
    }

    @Test
    void shouldSayNothingWhenSomeAreBegunAtOnce() {
        for (int i = 0; i < 100; i++) {
            begin(1, i % 9 == 0 ? 1 : 200);
        }

        assertThat(delay.load()).isZero();
    }

    @Test
    void shouldSayNothingAnyMoreAsSoonAsACallIsBegunAtOnce() {
        begin(100, 200);
        assertThat(delay.load()).isEqualTo(400);

        begin(1, 0);

        assertThat(delay.load()).isZero();
    }

    @Test
    void shouldSayNothingWhenTheFirstAfterALongTimeHasNotWaited() {
        begin(100, 200);
        nowMs += 60_000;

        begin(1, 0);

        assertThat(delay.load()).isZero();
    }

    @Test
    void shouldNotGoOverWhenTheClockIsBehind() {
        begin(100, -5_000);

        assertThat(delay.load()).isZero();
    }

    /** Calls are begun, one each millisecond, each of which has waited for so long. */
    private void begin(int calls, long waitedMs) {
        for (int i = 0; i < calls; i++) {
            delay.begun(waitedMs * MS, ++nowMs * MS);
        }
    }
}
