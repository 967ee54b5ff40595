package io.reprise.net.listen;

import io.netty.channel.Channel;
import io.netty.handler.ssl.NotSslRecordException;
import io.reprise.runtime.LogText;
import io.reprise.runtime.LogThrottle;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS handshakes under way at a port. An executor with a bounded queue runs their arithmetic, which takes as long as thousands of
 * calls; a handshake that finds the queue full fails. Handshakes that wait for their clients take memory and an open file, so
 * they are bounded too. One too many ends the oldest, which is hardly ever that of an honest client.
 *
 * <pre>
 *  WAITING FOR THE CLIENT --arithmetic--> QUEUED --its turn--> WAITING FOR THE CLIENT --done, or ended--> OVER
 *            |
 *            +--> too many wait: ended
 * </pre>
 *
 * <p>Any thread.
 */
final class Handshakes {
    /** A handshake takes about 12 KB. */
    static final int MOST_WAITING = 1024;

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final Executor arithmetic;
    private final Set<Handshake> waiting = new LinkedHashSet<>();
    private final LogThrottle failures = new LogThrottle();

    Handshakes(Executor arithmetic) {
        this.arithmetic = arithmetic;
    }

    /** Begins the handshake of a channel. */
    Handshake begin(Channel channel) {
        Handshake handshake = new Handshake(channel);
        waits(handshake);
        return handshake;
    }

    private void waits(Handshake handshake) {
        Handshake tooOld = null;
        synchronized (this) {
            if (handshake.over) {
                return;
            }
            waiting.add(handshake);
            if (waiting.size() > MOST_WAITING) {
                Iterator<Handshake> oldest = waiting.iterator();
                tooOld = oldest.next();
                oldest.remove();
            }
        }
        if (tooOld != null) {
            tooOld.channel.close();
        }
    }

    private synchronized void waitsNoMore(Handshake handshake) {
        waiting.remove(handshake);
    }

    /** The number of handshakes that wait for their clients. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** Logs a failed handshake, at most one a second. */
    void failed(Object client, Throwable why, long nowNs) {
        String problem = problem(why);
        failures.tell(nowNs, others -> LOG.info("No TLS with {}: {}{}", client, problem, others));
    }

    /** The reason for a failure; the library's message for bytes that are not TLS would quote all of them. */
    static String problem(Throwable why) {
        if (why instanceof NotSslRecordException || why.getCause() instanceof NotSslRecordException) {
            return "what has come is not TLS";
        }
        return LogText.of(why.getMessage() == null ? why.toString() : why.getMessage());
    }

    /** The handshake of one connection; runs its arithmetic. */
    final class Handshake implements Executor {
        private final Channel channel;
        private boolean over;

        private Handshake(Channel channel) {
            this.channel = channel;
        }

        /**
         * Runs a part of the arithmetic, unless the client has disconnected by then.
         *
         * @throws java.util.concurrent.RejectedExecutionException if too much waits
         */
        @Override
        public void execute(Runnable task) {
            waitsNoMore(this);
            arithmetic.execute(() -> {
                if (channel.isActive()) {
                    waits(this);
                    task.run();
                }
            });
        }

        /** The handshake has succeeded or failed. */
        void end() {
            synchronized (Handshakes.this) {
                over = true;
                waiting.remove(this);
            }
        }
    }
}
