package io.reprise.node;

import io.reprise.execution.Invocation;
import io.reprise.execution.ReplyTarget;
import java.util.concurrent.locks.LockSupport;

/** Where a caller waits for the answer to its call, on its own thread. */
final class CallerReply implements ReplyTarget {
    private static final long LOOK_NS = 50_000_000;
    private static final int SPINS = 200;

    private final Thread caller = Thread.currentThread();
    private volatile boolean done;

    @Override
    public void complete(Invocation invocation) {
        done = true;
        LockSupport.unpark(caller);
    }

    boolean isDone() {
        return done;
    }

    /** Waits for the answer; gives up, with false, when nobody is left who could give it. */
    boolean await(java.util.function.BooleanSupplier alive) {
        boolean interrupted = false;
        for (int i = 0; i < SPINS && !done; i++) {
            Thread.onSpinWait();
        }
        while (!done && alive.getAsBoolean()) {
            LockSupport.parkNanos(this, LOOK_NS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }
}
