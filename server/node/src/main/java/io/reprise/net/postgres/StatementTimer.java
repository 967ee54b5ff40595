package io.reprise.net.postgres;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.reprise.runtime.agent.Cancellation;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Cancels a request that runs longer than the session's statement_timeout. Owned by the thread that runs the connection's messages. */
final class StatementTimer {
    private final EventLoop loop;
    private ScheduledFuture<?> expiry;

    StatementTimer(EventLoop loop) {
        this.loop = loop;
    }

    /** A request begins; 0: it has no limit. */
    void begin(long limitMs, Cancellation request) {
        if (limitMs > 0) {
            try {
                expiry = loop.schedule(
                        () -> request.cancel("canceling statement due to statement timeout"),
                        limitMs,
                        TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException closed) {
                request.cancel("canceling statement due to the end of the server");
            }
        }
    }

    /** The request has ended. */
    void end() {
        if (expiry != null) {
            expiry.cancel(false);
            expiry = null;
        }
    }
}
