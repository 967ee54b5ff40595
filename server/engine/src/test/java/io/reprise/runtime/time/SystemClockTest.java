package io.reprise.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SystemClockTest {
    @Test
    void shouldAgreeWithTheMachine() {
        long beforeMs = System.currentTimeMillis();
        long beforeNs = System.nanoTime();

        long micros = SystemClock.INSTANCE.epochMicros();
        long nanos = SystemClock.INSTANCE.nanoTime();

        assertThat(micros).isBetween(beforeMs * 1_000, System.currentTimeMillis() * 1_000 + 999);
        assertThat(nanos - beforeNs).isNotNegative();
        assertThat(System.nanoTime() - nanos).isNotNegative();
    }
}
