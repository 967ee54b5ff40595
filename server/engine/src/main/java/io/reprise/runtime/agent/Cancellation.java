package io.reprise.runtime.agent;

import java.util.ArrayList;
import java.util.List;

/**
 * A client's means to cancel what it has asked for. It marks the runs that are under way for the request, on whichever threads, and each
 * run that begins later; a marked run ends at its next loop, or is rolled back when it ends by itself.
 *
 * <p>Any thread. Its lock is taken before the lock of a {@link RunMonitor}.
 */
public final class Cancellation {
    private final List<RunMonitor> runs = new ArrayList<>(1);

    /** The reason, in the client's words; null until it is canceled. */
    private volatile String reason;

    private volatile boolean left;

    /** Cancels the request; a second reason changes nothing. */
    public synchronized void cancel(String why) {
        if (reason == null) {
            reason = why;
            for (RunMonitor each : runs) {
                each.canceled(each.running());
            }
        }
    }

    /**
     * The client has gone. A run that is under way ends as it would have, since the client may have sent it and closed. Work that only
     * prepares a run is not wanted any more.
     */
    public void leave() {
        left = true;
    }

    /** Whether the client waits for an answer. */
    public boolean isWanted() {
        return !left && !isCanceled();
    }

    /** Whether the request was canceled. */
    public boolean isCanceled() {
        return reason != null;
    }

    /** The reason; null: it was not canceled. */
    public String reason() {
        return reason;
    }

    /** An executor's thread has begun a run of the request. */
    synchronized void began(RunMonitor monitor) {
        runs.add(monitor);
        if (reason != null) {
            monitor.canceled(monitor.running());
        }
    }

    /** The executor's thread is about to end the run. */
    synchronized void ending(RunMonitor monitor) {
        runs.remove(monitor);
    }
}
