package io.reprise.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.drive.Drive;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what a cluster under load comes to. */
final class Waits {
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final long LOOK_NS = 5_000_000;

    private Waits() {}

    /** Waits until so many more calls have been answered. */
    static void awaitCalls(Drive drive, int more) throws Exception {
        long goal = drive.completed() + more;
        await("calls are answered", () -> drive.completed() >= goal);
    }

    static void await(String goal, Callable<Boolean> isReached) throws Exception {
        long beganNs = System.nanoTime();
        while (!isReached.call()) {
            assertThat(System.nanoTime() - beganNs).as(goal).isLessThan(PATIENCE_NS);
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
