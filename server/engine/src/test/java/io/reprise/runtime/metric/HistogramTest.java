package io.reprise.runtime.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.SeededRandomness;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class HistogramTest {
    @Test
    void shouldKnowEachFractionToAFifthWhenTimesAreRandom() {
        long seed = 20261121;
        SeededRandomness random = new SeededRandomness(seed);
        Histogram histogram = new Histogram();
        long[] times = new long[10_000];
        for (int i = 0; i < times.length; i++) {
            times[i] = 1L << random.nextInt(36) | random.nextInt(1 << 20);
            histogram.record(times[i]);
        }
        Arrays.sort(times);

        Distribution distribution = histogram.distribution();

        assertThat(distribution.count()).isEqualTo(times.length);
        assertThat(distribution.sumNs()).isEqualTo(Arrays.stream(times).sum());
        assertThat(distribution.longestNs()).isEqualTo(times[times.length - 1]);
        for (double fraction : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            long exact = times[(int) Math.ceil(fraction * times.length) - 1];
            assertThat(distribution.at(fraction))
                    .as("fraction %s with seed %d", fraction, seed)
                    .isBetween(exact, exact + exact / 4 + 4);
        }
    }

    @Test
    void shouldCountWhatIsBelowABoundWhenTheBoundIsBetweenBuckets() {
        Histogram histogram = new Histogram();
        for (long ns : new long[] {0, 1023, 1024, 1279, 1280, 1535, 1536, 4096}) {
            histogram.record(ns);
        }

        Distribution distribution = histogram.distribution();

        assertThat(distribution.below(1024)).isEqualTo(2);
        assertThat(distribution.below(1280)).isEqualTo(4);
        assertThat(distribution.below(1536)).isEqualTo(6);
        assertThat(distribution.below(4096)).isEqualTo(7);
        assertThat(distribution.below(8192)).isEqualTo(8);
    }

    @Test
    void shouldAddAndSubtractWhenDistributionsAreOfDifferentMoments() {
        Histogram histogram = new Histogram();
        histogram.record(100);
        Distribution earlier = histogram.distribution();
        histogram.record(5_000);
        histogram.record(7_000);

        Distribution since = histogram.distribution().since(earlier);

        assertThat(since.count()).isEqualTo(2);
        assertThat(since.sumNs()).isEqualTo(12_000);
        assertThat(since.below(4096)).isZero();
        assertThat(since.plus(earlier).count()).isEqualTo(3);
        assertThat(since.plus(earlier).sumNs()).isEqualTo(12_100);
        assertThat(earlier.since(earlier).at(0.99)).isZero();
    }

    @Test
    void shouldGiveZeroesWhenNothingWasRecorded() {
        Distribution empty = new Histogram().distribution();

        assertThat(empty.count()).isZero();
        assertThat(empty.at(0.99)).isZero();
        assertThat(empty.meanNs()).isZero();
    }

    @Test
    void shouldCountAsZeroWhenATimeIsNegative() {
        Histogram histogram = new Histogram();

        histogram.record(-5);

        assertThat(histogram.distribution().count()).isEqualTo(1);
        assertThat(histogram.distribution().sumNs()).isZero();
    }
}
