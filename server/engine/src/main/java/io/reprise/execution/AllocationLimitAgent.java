package io.reprise.execution;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.RunMonitor;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Ends transactions that allocate more Java heap than allowed, before the heap ends for all threads. It compares the allocations of each
 * executor's thread every few milliseconds, and marks the thread of a run that went past the limit; the next backward branch of the
 * procedure throws. Garbage counts too.
 *
 * <p>Runs on a thread of its own. A run can allocate past the limit for one look. A recovery has no limit.
 */
public final class AllocationLimitAgent implements Agent {
    /** The time that its thread may sleep between two duty cycles. */
    public static final long PAUSE_NS = 5_000_000;

    private final RunMonitor[] monitors;
    private final long limit;
    private final ToLongFunction<Thread> allocations;
    private final long[] runs;

    /** By monitor, the thread's allocations when the run began, or a look before. */
    private final long[] atBegin;

    private final long[] atLastLook;

    /**
     * A watcher of executors.
     *
     * @param limit bytes that one run may allocate
     * @param allocations the bytes that a thread has allocated so far
     */
    public AllocationLimitAgent(List<RunMonitor> monitors, long limit, ToLongFunction<Thread> allocations) {
        this.monitors = monitors.toArray(RunMonitor[]::new);
        this.limit = limit;
        this.allocations = allocations;
        runs = new long[this.monitors.length];
        atBegin = new long[this.monitors.length];
        atLastLook = new long[this.monitors.length];
    }

    @Override
    public String roleName() {
        return "allocation-limit";
    }

    @Override
    public int doWork(long nowNs) {
        int marked = 0;
        for (int i = 0; i < monitors.length; i++) {
            marked += look(i);
        }
        return marked;
    }

    private int look(int executor) {
        RunMonitor monitor = monitors[executor];
        Thread thread = monitor.thread();
        if (thread == null) {
            return 0;
        }
        monitor.tidy();
        long running = monitor.running();
        long allocated = allocations.applyAsLong(thread);
        if (running != runs[executor]) {
            runs[executor] = running;
            atBegin[executor] = atLastLook[executor];
        }
        atLastLook[executor] = allocated;
        if (running == 0 || allocated - atBegin[executor] <= limit) {
            return 0;
        }
        monitor.allocatedTooMuch(running);
        atBegin[executor] = allocated;
        return 1;
    }

    @Override
    public void onClose() {
        for (RunMonitor monitor : monitors) {
            monitor.tidy();
        }
    }
}
