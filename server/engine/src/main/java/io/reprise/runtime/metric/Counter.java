package io.reprise.runtime.metric;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count that one thread raises and any other may read. A reader sees nothing else of what the writer has done; {@link
 * io.reprise.runtime.agent.PublishedLong} is for that.
 */
public final class Counter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Starts at 0. */
    public Counter() {}

    /** Owner: one more. */
    public void increment() {
        add(1);
    }

    /** Owner: so many more. */
    public void add(long more) {
        VALUE.setOpaque(this, value + more);
    }

    /** Any thread: the present count. */
    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
