package io.reprise.execution;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.RunMonitor;
import java.util.List;

/**
 * Ends transactions that run longer than allowed: looks at each executor from time to time, and when it finds the same
 * run under way for the whole limit, marks its thread, so that the next backward branch of the procedure throws.
 *
 * <p>Runs on a slow thread of its own. A transaction lives up to one look longer than the limit.
 */
public final class TimeLimitAgent implements Agent {
    private static final int LOOKS_PER_LIMIT = 8;

    private final RunMonitor[] monitors;
    private final long limitNs;
    private final long[] runs;
    private final long[] sinceNs;
    private long nextLookNs = Long.MIN_VALUE;

    /** A watcher of executors. */
    public TimeLimitAgent(List<RunMonitor> monitors, long limitNs) {
        this.monitors = monitors.toArray(RunMonitor[]::new);
        this.limitNs = limitNs;
        runs = new long[this.monitors.length];
        sinceNs = new long[this.monitors.length];
    }

    @Override
    public String roleName() {
        return "time-limit";
    }

    /** The time that its thread may sleep between two duty cycles. */
    public static long pauseNs(long limitNs) {
        return Math.max(1, limitNs / LOOKS_PER_LIMIT);
    }

    @Override
    public int doWork(long nowNs) {
        if (nextLookNs != Long.MIN_VALUE && nowNs - nextLookNs < 0) {
            return 0;
        }
        nextLookNs = nowNs + pauseNs(limitNs);
        int marked = 0;
        for (int i = 0; i < monitors.length; i++) {
            marked += look(i, nowNs);
        }
        return marked;
    }

    private int look(int executor, long nowNs) {
        monitors[executor].tidy();
        long running = monitors[executor].running();
        if (running == 0 || running != runs[executor]) {
            runs[executor] = running;
            sinceNs[executor] = nowNs;
            return 0;
        }
        if (nowNs - sinceNs[executor] < limitNs) {
            return 0;
        }
        monitors[executor].overdue(running);
        sinceNs[executor] = nowNs;
        return 1;
    }

    @Override
    public void onClose() {
        for (RunMonitor monitor : monitors) {
            monitor.tidy();
        }
    }
}
