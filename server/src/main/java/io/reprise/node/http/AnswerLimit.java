package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends exchanges whose clients don't read their answers, because each holds one of few threads. The limit of the JDK's server would not do: it
 * counts from the request's end, and so ends what takes long to be answered, as a snapshot does.
 */
final class AnswerLimit implements AutoCloseable {
    private final ScheduledExecutorService clock;
    private final Duration most;

    /** Sends an answer. */
    interface Sending {
        void send() throws IOException;
    }

    /**
     * A limit.
     *
     * @param most for so long a client may read an answer
     */
    AnswerLimit(String nodeName, Duration most) {
        this.most = most;
        clock = Executors.newSingleThreadScheduledExecutor(task -> Thread.ofPlatform()
                .daemon()
                .name("reprise-" + nodeName + "-http-limit")
                .unstarted(task));
    }

    /** Sends an answer; throws when it has taken too long. */
    void during(HttpExchange exchange, Sending sending) throws IOException {
        // To close may wait for whoever writes, which must not keep this from ending others.
        ScheduledFuture<?> end =
                clock.schedule(() -> Thread.ofVirtual().start(exchange::close), most.toMillis(), TimeUnit.MILLISECONDS);
        try {
            sending.send();
        } finally {
            end.cancel(false);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
