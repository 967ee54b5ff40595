package io.reprise.benchmark.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TrialTest {
    private static final long MS = 1_000_000;

    private final CountDownLatch stop = new CountDownLatch(1);

    /** A hundred calls that are answered after a millisecond, and then one that is under way until it is waited for. */
    private static final class OneStays implements Load {
        private final Histogram latencies = new Histogram(Driver.HIGHEST_NS, 3);
        private long completed;
        private boolean measured;

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void join() {
            latencies.recordValue(7_000 * MS);
        }

        @Override
        public long missed() {
            return 0;
        }

        @Override
        public long completed() {
            return completed;
        }

        /** The first who asks begins to watch. */
        @Override
        public Histogram latencies() {
            Histogram taken = latencies.copy();
            latencies.reset();
            if (measured) {
                completed += 100;
                latencies.recordValueWithCount(MS, 100);
            }
            measured = true;
            return taken;
        }
    }

    /** Calls that are answered when it is waited for them, and not before. */
    private static final class Stalled implements Load {
        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void join() {}

        @Override
        public long missed() {
            return 0;
        }

        @Override
        public long completed() {
            return 0;
        }

        @Override
        public Histogram latencies() {
            return new Histogram(Driver.HIGHEST_NS, 3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldEndWithoutStoppingTheRunWhenNothingIsAnswered(int warmUpSeconds) throws InterruptedException {
        Drive drive = Drive.start(List.of(new Stalled()), new Failures());

        Trial trial = Trial.of(drive, 100, warmUpSeconds, 5, 1, stop, (second, warmUp) -> {});

        assertThat(trial.silent()).isTrue();
        assertThat(trial.seconds()).hasSizeLessThan(2);
        assertThat(stop.getCount()).as("nobody has stopped it").isOne();
    }

    private Trial trial(int warmUpSeconds) throws InterruptedException {
        Drive drive = Drive.start(List.of(new OneStays()), new Failures());
        return Trial.of(drive, 100, warmUpSeconds, 1, 10, stop, (second, warmUp) -> {});
    }

    @Test
    void shouldCountTheTimesOfCallsThatAreUnderWayAtTheEnd() throws InterruptedException {
        Trial trial = trial(0);

        assertThat(trial.silent()).isFalse();
        assertThat(trial.all().longestMs()).isCloseTo(7_000, within(10.0));
        assertThat(trial.all().perSecond()).as("in the time that was measured").isLessThan(101);
    }

    @Test
    void shouldNotSayThatARateWasNotReachedWhenItIsStoppedBeforeAnythingIsMeasured() throws InterruptedException {
        stop.countDown();

        Trial trial = trial(1);

        assertThat(trial.seconds()).isEmpty();
        assertThat(trial.fellBehind()).isFalse();
    }

    @Test
    void shouldTellTheShareOfEachNode() {
        SortedMap<String, Long> before = new TreeMap<>(Map.of("node 0", 100L));
        SortedMap<String, Long> after = new TreeMap<>(Map.of("node 0", 400L, "node 1", 700L));

        assertThat(Trial.shares(before, after)).isEqualTo("Replies by node: node 0 300 (30.0%), node 1 700 (70.0%)");
        assertThat(Trial.shares(before, new TreeMap<>(Map.of("node 0", 400L)))).isEmpty();
        assertThat(Trial.shares(after, after)).isEmpty();
    }
}
