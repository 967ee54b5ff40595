package io.reprise.runtime;

import java.util.function.Consumer;

/**
 * Lets one message of a kind into the node's log each second, with the count of the suppressed ones. Without it,
 * anyone who can connect could fill the log with messages that need no login. Any thread.
 */
public final class LogThrottle {
    private static final long QUIET_NS = 1_000_000_000;

    private long untold;
    private long toldNs = Long.MIN_VALUE;

    /**
     * Logs a message, or only counts it.
     *
     * @param log is given what is to be said of those that were only counted, to be put behind the message
     */
    public void tell(long nowNs, Consumer<String> log) {
        long others;
        synchronized (this) {
            if (toldNs != Long.MIN_VALUE && nowNs - toldNs < QUIET_NS) {
                untold++;
                return;
            }
            toldNs = nowNs;
            others = untold;
            untold = 0;
        }
        log.accept(others == 0 ? "" : "; there were " + others + " more since the last that was told of");
    }
}
