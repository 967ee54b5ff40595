package io.reprise.workload.tatp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.CallRecorder;
import io.reprise.workload.Placement;
import org.junit.jupiter.api.Test;

class TatpGeneratorTest {
    private static final int CALLS = 200_000;

    @Test
    void shouldMixTransactionsAsSpecifiedWhenDrawn() {
        CallRecorder calls =
                new CallRecorder(new Tatp(TatpOptions.standard(100_000)).generator(4, Placement.single(), 0));
        int[] counts = new int[7];
        for (int i = 0; i < CALLS; i++) {
            int procedure = calls.next();
            counts[procedure]++;
            if (procedure < Tatp.UPDATE_LOCATION) {
                assertThat(calls.intAt(0)).isBetween(1, 100_000);
            } else {
                assertThat(calls.at(0).toString()).matches("0000000000?[0-9]{5,6}");
            }
        }

        int[] expected = {35, 10, 35, 2, 14, 2, 2};
        for (int i = 0; i < expected.length; i++) {
            assertThat(100.0 * counts[i] / CALLS).isCloseTo(expected[i], within(0.5));
        }
    }

    @Test
    void shouldPassTheIdOfTheNumberWhenRouted() {
        CallRecorder calls =
                new CallRecorder(new Tatp(new TatpOptions(1_000, true, 1)).generator(4, CallRecorder.evenAndOdd(), 1));
        for (int i = 0; i < 10_000; i++) {
            int procedure = calls.next();
            assertThat(calls.intAt(0) % 2).isEqualTo(1);
            if (procedure >= Tatp.UPDATE_LOCATION) {
                assertThat(Integer.parseInt(calls.at(1).toString())).isEqualTo(calls.intAt(0));
            }
        }
    }
}
