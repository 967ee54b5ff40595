package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.RunMonitor.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The watcher and a run that it may meet at any moment. */
class TimeLimitTest {
    private static final class RecordingBrake implements RunMonitor.Brake {
        final List<String> events = new ArrayList<>();

        @Override
        public void pull(Thread thread) {
            events.add("pull");
        }

        @Override
        public void release(Thread thread) {
            events.add("release");
        }
    }

    private final RecordingBrake brake = new RecordingBrake();
    private final RunMonitor monitor = new RunMonitor(brake);
    private final TimeLimitAgent watcher = new TimeLimitAgent(List.of(monitor), 800);

    @Test
    void shouldPullBrakeWhenOneRunLastsLongerThanLimit() {
        monitor.begin();
        for (long now = 1000; now < 1800; now += 100) {
            assertThat(watcher.doWork(now)).isZero();
        }

        assertThat(watcher.doWork(1800)).isEqualTo(1);

        assertThat(brake.events).containsExactly("pull");
        assertThat(monitor.end()).isEqualTo(Verdict.OVERDUE);
        assertThat(brake.events).containsExactly("pull", "release");
        monitor.begin();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
    }

    @Test
    void shouldNotPullBrakeWhenRunsAreShort() {
        for (long now = 1000; now < 9000; now += 50) {
            monitor.begin();
            watcher.doWork(now);
            assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
            watcher.doWork(now + 25);
        }

        assertThat(brake.events).isEmpty();
    }

    @Test
    void shouldSayHitByMistakeWhenOverdueRunEndedJustBefore() {
        monitor.begin();
        long overdue = monitor.running();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
        monitor.begin();

        monitor.overdue(overdue);

        assertThat(brake.events).isEmpty();
        assertThat(monitor.end()).isEqualTo(Verdict.HIT_BY_MISTAKE);
        monitor.begin();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
    }
}
