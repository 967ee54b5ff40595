package io.reprise.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.RandomValues;
import org.junit.jupiter.api.Test;

class NonUniformTest {
    private static final int DRAWS = 2_000_000;
    private final RandomValues random = new RandomValues(3);

    @Test
    void shouldStayInRangeWhenDrawn() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(NonUniform.next(random, 1_023, 259, 1, 3_000)).isBetween(1, 3_000);
        }
    }

    /**
     * With C = 0, the value's low 8 bits are an OR of two uniform draws: each bit is set in 3 of 4 cases, so that values
     * whose low 8 bits are all set are the most frequent: 0.75^8 of all draws, against 1/256 if they were uniform.
     */
    @Test
    void shouldPreferValuesWithManyBitsWhenDrawn() {
        int allSet = 0;
        int noneSet = 0;
        for (int i = 0; i < DRAWS; i++) {
            int value = NonUniform.next(random, 255, 0, 0, 1_023);
            allSet += (value & 255) == 255 ? 1 : 0;
            noneSet += (value & 255) == 0 ? 1 : 0;
        }

        assertThat((double) allSet / DRAWS).isCloseTo(Math.pow(0.75, 8), within(0.002));
        assertThat((double) noneSet / DRAWS).isCloseTo(Math.pow(0.25, 8), within(0.0001));
    }

    @Test
    void shouldMoveTheDistributionWhenTheConstantDiffers() {
        int moved = 0;
        for (int i = 0; i < DRAWS; i++) {
            moved += ((NonUniform.next(random, 255, 100, 0, 1_023) - 100) & 255) == 255 ? 1 : 0;
        }

        assertThat((double) moved / DRAWS).isCloseTo(Math.pow(0.75, 8), within(0.002));
    }

    @Test
    void shouldKeepThePrescribedDistanceWhenTheRunConstantIsChosen() {
        for (int load = 0; load < 256; load++) {
            int delta = Math.abs(NonUniform.runConstantForNames(random, load) - load);

            assertThat(delta).isBetween(65, 119).isNotIn(96, 112);
        }
    }
}
