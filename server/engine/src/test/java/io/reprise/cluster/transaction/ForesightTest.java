package io.reprise.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The time by which a coordinator stamps ahead. */
final class ForesightTest {
    private static final long SKEW_MICROS = 1_000_000;

    private final Foresight foresight = new Foresight();

    /** A participant that is late by so much without foresight. */
    private void reserve(long delayMicros) {
        long late = delayMicros - foresight.micros();
        if (late <= 0) {
            foresight.inTime();
        } else {
            foresight.late(late);
        }
    }

    @Test
    void shouldArriveInTimeMostlyWhenDelaysStayEqual() {
        int late = 0;
        for (int i = 0; i < 1_000; i++) {
            late += foresight.micros() < 300 ? 1 : 0;
            reserve(300);
        }

        assertThat(foresight.micros()).isBetween(280L, 400L);
        assertThat(late).isLessThan(200);
    }

    @Test
    void shouldStampByTheClockAgainWhenReservationsAreInTime() {
        for (int i = 0; i < 20; i++) {
            foresight.late(2_000);
        }
        assertThat(foresight.micros()).isEqualTo(Foresight.MOST_MICROS);

        for (int i = 0; i < 200; i++) {
            foresight.inTime();
        }
        assertThat(foresight.micros()).isZero();
    }

    @Test
    void shouldNotWaitWhenAnotherClockIsFarAhead() {
        reserve(SKEW_MICROS);

        assertThat(foresight.micros()).isZero();
    }
}
