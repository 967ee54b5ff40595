package io.reprise.workload.voter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.workload.CallRecorder;
import io.reprise.workload.Placement;
import org.junit.jupiter.api.Test;

class VoterGeneratorTest {
    private static final int CALLS = 100_000;

    @Test
    void shouldCallFromKnownAreasWhenDrawn() {
        CallRecorder calls = new CallRecorder(new Voter(VoterOptions.STANDARD).generator(1, Placement.single(), 0));
        int[] counts = new int[7];
        int nobody = 0;
        for (int i = 0; i < CALLS; i++) {
            calls.next();
            long phone = (Long) calls.at(1);
            assertThat(phone / 10_000_000).isEqualTo((Long) calls.at(0));
            if (calls.intAt(2) == 999) {
                nobody++;
            } else {
                counts[calls.intAt(2)]++;
            }
        }

        assertThat(100.0 * nobody / CALLS).isCloseTo(1, within(0.15));
        for (int contestant = 1; contestant < 6; contestant++) {
            assertThat(counts[contestant]).isGreaterThan(counts[contestant + 1]);
        }
    }

    @Test
    void shouldNameEachAreaOnce() {
        assertThat(java.util.Arrays.stream(AreaCodes.codes()))
                .doesNotHaveDuplicates()
                .allSatisfy(c -> assertThat(c).isBetween(200, 999));
        assertThat(AreaCodes.states()).hasSameSizeAs(AreaCodes.codes()).allMatch(s -> s.matches("[A-Z]{2}"));
    }
}
