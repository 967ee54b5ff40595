package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Previews that a network loop starts: nothing is planned there, even if the schema changes meanwhile. */
final class PreviewPlanningTest {
    private static final int ROUNDS = 300;
    private static final int STEPS = 99;

    /** The system's time; counts plannings by one thread, each of which asks for the time at its beginning. */
    private static final class WatchingClock implements Clock {
        private final AtomicInteger plannings = new AtomicInteger();
        private volatile Thread watched;

        @Override
        public long nanoTime() {
            if (Thread.currentThread() == watched && isPlanning()) {
                plannings.incrementAndGet();
            }
            return SystemClock.INSTANCE.nanoTime();
        }

        private static boolean isPlanning() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(AdHocPlanning.class.getName())));
        }

        @Override
        public long epochMicros() {
            return SystemClock.INSTANCE.epochMicros();
        }
    }

    @Test
    void shouldNotPlanWhenTheSchemaChangesMeanwhile() throws InterruptedException {
        WatchingClock clock = new WatchingClock();
        AtomicBoolean ends = new AtomicBoolean();
        int started = 0;
        try (Reprise engine = Options.create().partitions(1).clock(clock).open()) {
            Thread changing = Thread.ofPlatform().start(() -> {
                while (!ends.get()) {
                    engine.ddl("CREATE TABLE t (a INTEGER)");
                    engine.ddl("DROP TABLE t");
                }
            });

            for (int i = 0; i < ROUNDS; i++) {
                List<TapeStep> steps = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                    steps.add(TapeStep.statement("SELECT 1"));
                }
                engine.readsOnly("SELECT 1");
                clock.watched = Thread.currentThread();
                Optional<CompletableFuture<TapeReply>> preview =
                        engine.startTape(RunLimits.NONE, Runnable::run, steps, true, 1, 1);
                clock.watched = null;
                started += preview.isPresent() ? 1 : 0;
                preview.ifPresent(CompletableFuture::join);
            }
            ends.set(true);
            changing.join();
        }

        assertThat(clock.plannings).hasValue(0);
        assertThat(started).isPositive();
    }
}
