package io.reprise.execution;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.PublishedLong;
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
    private static final long MOST_PAUSE_NS = 100_000_000;

    private final RunMonitor[] monitors;
    private final PublishedLong limitNs = new PublishedLong();
    private final long[] runs;
    private final long[] sinceNs;
    private boolean hasLooked;
    private long lookedNs;

    /** A watcher of executors. */
    public TimeLimitAgent(List<RunMonitor> monitors, long limitNs) {
        this.monitors = monitors.toArray(RunMonitor[]::new);
        limit(limitNs);
        runs = new long[this.monitors.length];
        sinceNs = new long[this.monitors.length];
    }

    /** Any thread: from now on a run may take so long. */
    public void limit(long newLimitNs) {
        limitNs.set(newLimitNs);
    }

    @Override
    public String roleName() {
        return "time-limit";
    }

    /** The time that its thread may sleep between two duty cycles, also after a change of the limit. */
    public static long pauseNs(long limitNs) {
        return Math.min(MOST_PAUSE_NS, lookNs(limitNs));
    }

    private static long lookNs(long limitNs) {
        return Math.max(1, limitNs / LOOKS_PER_LIMIT);
    }

    @Override
    public int doWork(long nowNs) {
        if (hasLooked && nowNs - lookedNs < lookNs(limitNs.get())) {
            return 0;
        }
        hasLooked = true;
        lookedNs = nowNs;
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
        if (nowNs - sinceNs[executor] < limitNs.get()) {
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
