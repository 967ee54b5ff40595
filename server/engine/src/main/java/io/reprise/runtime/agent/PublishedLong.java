package io.reprise.runtime.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread sets and any other may read: a position, a count. A reader of a value sees all earlier
 * writes of its setter, also to memory outside the heap. So a position can be published after the bytes up to it.
 *
 * <p>It has a cache line of its own: the next such number is often set by another thread.
 */
public final class PublishedLong {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(PublishedLong.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // room before
    private long before0, before1, before2, before3, before4, before5, before6;

    @SuppressWarnings("UnusedVariable") // read by its handle
    private long value;

    @SuppressWarnings("unused") // room behind
    private long behind0, behind1, behind2, behind3, behind4, behind5, behind6;

    /** Starts at 0. */
    public PublishedLong() {}

    /** Owner: publishes the value and all that was written before. */
    public void set(long newValue) {
        VALUE.setRelease(this, newValue);
    }

    /** Any thread: the value set last, as far as it has arrived here. */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
