package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ForcePaceTest {
    private static final long LONGEST_NS = 1_000_000;

    private long nowNs = -5_000_000;

    @Test
    void shouldNotWaitWhenEachForceIsAskedFor() {
        ForcePace pace = new ForcePace(LONGEST_NS);

        for (int i = 0; i < 10; i++) {
            pace.forced(nowNs, true);

            assertThat(pace.waits(nowNs)).isFalse();
        }
    }

    @Test
    void shouldWaitForTheLongestPauseWhenNobodyAsksForLong() {
        ForcePace pace = new ForcePace(LONGEST_NS);

        forceUnasked(pace, 100);

        assertThat(pace.waits(nowNs + LONGEST_NS - 1)).isTrue();
        assertThat(pace.waits(nowNs + LONGEST_NS)).isFalse();
    }

    @Test
    void shouldHalveThePauseWhenAForceIsAskedFor() {
        ForcePace pace = new ForcePace(LONGEST_NS);
        forceUnasked(pace, 100);

        pace.forced(nowNs, true);

        assertThat(pace.waits(nowNs + LONGEST_NS / 2 - 1)).isTrue();
        assertThat(pace.waits(nowNs + LONGEST_NS / 2)).isFalse();
    }

    @Test
    void shouldWaitForNothingWhenAskedAgainAndAgain() {
        ForcePace pace = new ForcePace(LONGEST_NS);
        forceUnasked(pace, 100);

        for (int i = 0; i < 7; i++) {
            pace.forced(nowNs, true);
        }

        assertThat(pace.waits(nowNs)).isFalse();
    }

    @Test
    void shouldNeverWaitWhenThereIsNoPause() {
        ForcePace pace = new ForcePace(0);

        forceUnasked(pace, 100);

        assertThat(pace.waits(nowNs)).isFalse();
    }

    private void forceUnasked(ForcePace pace, int times) {
        for (int i = 0; i < times; i++) {
            nowNs += LONGEST_NS;
            pace.forced(nowNs, false);
        }
    }
}
