package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.RunMonitor.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watcher and a run that it may meet at any moment. */
class TimeLimitTest {
    private static final class RecordingBrake implements RunMonitor.Brake {
        final List<String> events = new ArrayList<>();
        final List<Thread> released = new ArrayList<>();
        BooleanSupplier mark;

        @Override
        public void pull(Thread thread, BooleanSupplier meant) {
            events.add("pull");
            mark = meant;
        }

        @Override
        public void release(Thread thread) {
            events.add("release");
            released.add(thread);
        }
    }

    private final RecordingBrake brake = new RecordingBrake();
    private final RunMonitor monitor = new RunMonitor(brake);
    private final TimeLimitAgent watcher = new TimeLimitAgent(List.of(monitor), 800);

    @BeforeEach
    void runHere() {
        monitor.runsOn(Thread.currentThread());
    }

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
    void shouldTakeAnotherLimitForTheRunUnderWay() {
        watcher.limit(1_000_000);
        monitor.begin();
        watcher.doWork(1000);

        watcher.limit(400);

        assertThat(watcher.doWork(1300)).isZero();
        assertThat(watcher.doWork(1400)).isEqualTo(1);
        assertThat(monitor.end()).isEqualTo(Verdict.OVERDUE);
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
    void shouldMeanOneRunOnlyWhenAMarkComesTooLate() {
        monitor.begin();
        monitor.overdue(monitor.running());
        assertThat(brake.mark.getAsBoolean()).isTrue();

        monitor.end();

        assertThat(brake.mark.getAsBoolean()).isFalse();
        monitor.begin();
        assertThat(brake.mark.getAsBoolean()).isFalse();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
    }

    @Test
    void shouldLeaveTheNextRunAloneWhenTheOverdueOneEndedJustBefore() {
        monitor.begin();
        long overdue = monitor.running();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
        monitor.begin();

        monitor.overdue(overdue);

        assertThat(brake.events).isEmpty();
        assertThat(monitor.end()).isEqualTo(Verdict.IN_TIME);
    }

    @Test
    void shouldTakeTheMarkOffTheThreadThatHasItWhenTheNextRunIsOfAnother() {
        Thread first = Thread.ofPlatform().unstarted(() -> {});
        monitor.runsOn(first);
        monitor.begin();
        monitor.overdue(monitor.running());

        monitor.runsOn(Thread.currentThread());
        monitor.end();

        assertThat(brake.released).containsExactly(first);
    }
}
