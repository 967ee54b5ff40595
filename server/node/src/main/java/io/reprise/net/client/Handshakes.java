package io.reprise.net.client;

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
 * TLS handshakes under way at a port. Their arithmetic, which takes as long as thousands of calls, is done by an executor that takes so
 * many and no more: with too many waiting the next fails. Those that wait for their clients are bounded too, from the moment that these
 * have connected, because each takes memory and an open file: one too many ends the oldest of them. Who means it answers within a round trip, so it is hardly ever his that is the oldest.
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
    /** A handshake takes some 12 KB until it is done. */
    static final int MOST_WAITING = 1024;

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final Executor arithmetic;
    private final Set<Handshake> waiting = new LinkedHashSet<>();
    private final LogThrottle failures = new LogThrottle();

    Handshakes(Executor arithmetic) {
        this.arithmetic = arithmetic;
    }

    /** One begins. */
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

    /** How many wait for their clients. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** Tells of one that failed, but of many only how many. */
    void failed(Object client, Throwable why, long nowNs) {
        String problem = problem(why);
        failures.tell(nowNs, others -> LOG.info("No TLS with {}: {}{}", client, problem, others));
    }

    /** The library's own message of what is no TLS has all that has come in it. */
    static String problem(Throwable why) {
        if (why instanceof NotSslRecordException || why.getCause() instanceof NotSslRecordException) {
            return "what has come is not TLS";
        }
        return LogText.of(why.getMessage() == null ? why.toString() : why.getMessage());
    }

    /** One connection's; runs its arithmetic. */
    final class Handshake implements Executor {
        private final Channel channel;
        private boolean over;

        private Handshake(Channel channel) {
            this.channel = channel;
        }

        /**
         * Has a part of the arithmetic done, unless the client has gone by then.
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

        /** It has come to an end, good or bad. */
        void end() {
            synchronized (Handshakes.this) {
                over = true;
                waiting.remove(this);
            }
        }
    }
}
