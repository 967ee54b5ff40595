package io.reprise.client;

import io.reprise.waiting.SpinBudget;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets one caller at a time spin for its reply before it sleeps. Others sleep at once, because several spinning callers would keep the
 * network thread from its core. Any thread.
 */
final class SpinningCaller {
    private static final long MOST_NS = 250_000;

    private final AtomicBoolean taken = new AtomicBoolean();

    /** Guarded by {@link #taken}. */
    private final SpinBudget budget = new SpinBudget(MOST_NS);

    /**
     * Returns when the reply has come, or when it is better to sleep until it does.
     *
     * @return whether {@link #end} must be called when it has come
     */
    boolean begin(Future<?> reply) {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        while (!reply.isDone() && budget.spins(System.nanoTime())) {
            Thread.yield();
        }
        return true;
    }

    /** The reply has come, and the next caller may spin. */
    void end() {
        budget.found(System.nanoTime());
        taken.set(false);
    }
}
