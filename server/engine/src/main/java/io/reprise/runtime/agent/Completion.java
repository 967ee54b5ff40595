package io.reprise.runtime.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One thread waits for another to have finished something: a caller from outside for an agent, never the other way
 * round. Made by the thread that waits; used once.
 */
public final class Completion {
    private static final long LOOK_NS = 50_000_000;
    private static final int SPINS = 200;

    private final Thread waiting = Thread.currentThread();
    private volatile boolean done;

    /** Any thread: marks it as finished. The waiting thread sees all earlier writes of this one. */
    public void complete() {
        done = true;
        LockSupport.unpark(waiting);
    }

    /** Whether it is finished. */
    public boolean isDone() {
        return done;
    }

    /**
     * Waits until it is finished; an interrupt is kept for later, because what was begun goes on.
     *
     * @param possible whether it can still come to an end; looked at from time to time
     * @return false if it is not finished and never will be
     */
    public boolean await(BooleanSupplier possible) {
        for (int i = 0; i < SPINS && !done; i++) {
            Thread.onSpinWait();
        }
        boolean interrupted = false;
        while (!done && possible.getAsBoolean()) {
            LockSupport.parkNanos(this, LOOK_NS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }
}
