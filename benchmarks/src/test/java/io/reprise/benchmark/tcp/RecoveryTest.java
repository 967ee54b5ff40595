package io.reprise.benchmark.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class RecoveryTest {
    private static final int CALLS = 100;

    /** Steps of ten milliseconds at 10,000 calls a second. */
    private final Recovery recovery = new Recovery(10_000);

    private OptionalDouble add(int step, int calls, int slow) {
        return recovery.add(10.0 * step, 10.0 * step + 10, calls, slow);
    }

    private double recoveredMs(int lateSteps, int callsInThem, int slowInThem) {
        for (int step = 0; step < 100; step++) {
            OptionalDouble found =
                    step < lateSteps ? add(step, callsInThem, slowInThem) : add(step, CALLS, step % 2 == 0 ? 1 : 0);
            if (found.isPresent()) {
                return found.getAsDouble();
            }
        }
        return Double.NaN;
    }

    @Test
    void shouldBeAtOnceWhenCallsWereNeverSlow() {
        assertThat(recoveredMs(0, 0, 0)).isZero();
    }

    @Test
    void shouldBeWhenTheLastSlowCallsHaveGone() {
        assertThat(recoveredMs(7, CALLS, 50)).isEqualTo(70);
    }

    @Test
    void shouldNotBeBeforeCallsAreAnsweredAtTheRate() {
        assertThat(recoveredMs(25, 20, 0)).isBetween(230.0, 250.0);
    }

    @Test
    void shouldNeverBeWhenOneCallInFiftyStaysSlow() {
        assertThat(recoveredMs(100, CALLS, 2)).isNaN();
    }
}
