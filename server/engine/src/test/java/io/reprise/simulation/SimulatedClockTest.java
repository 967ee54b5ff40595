package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SimulatedClockTest {
    private final SimulatedClock clock = new SimulatedClock();

    @Test
    void shouldMoveBothClocksOnlyWhenAdvanced() {
        long startNs = clock.nanoTime();

        clock.advance(5_000);

        assertThat(clock.nanoTime() - startNs).isEqualTo(5_000);
        assertThat(clock.epochMicros()).isEqualTo(SimulatedClock.START_EPOCH_MICROS + 5);
    }

    @Test
    void shouldMoveOnlyTheWallClockWhenItJumps() {
        long startNs = clock.nanoTime();

        clock.jumpWallClock(-1_000_000);

        assertThat(clock.nanoTime()).isEqualTo(startNs);
        assertThat(clock.epochMicros()).isEqualTo(SimulatedClock.START_EPOCH_MICROS - 1_000_000);
    }

    @Test
    void shouldRefuseToGoBack() {
        assertThatThrownBy(() -> clock.advance(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSkewANodesWallClockOnly() {
        SimulatedClock other = clock.skewed(250);
        clock.jumpWallClock(7);

        other.advance(3_000);

        assertThat(other.nanoTime()).isEqualTo(clock.nanoTime());
        assertThat(other.epochMicros()).isEqualTo(SimulatedClock.START_EPOCH_MICROS + 253);
        assertThat(clock.epochMicros()).isEqualTo(SimulatedClock.START_EPOCH_MICROS + 10);
    }
}
