package io.reprise.node.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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

    /** Sends an answer; throws when it has taken too long, or the server has ended meanwhile. */
    void during(Sending sending) throws IOException {
        Sender sender = new Sender();
        ScheduledFuture<?> end = limited(sender);
        try {
            sending.send();
        } finally {
            end.cancel(false);
            sender.end();
        }
    }

    private ScheduledFuture<?> limited(Sender sender) throws IOException {
        try {
            return clock.schedule(sender::interrupt, most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            throw new IOException("the server has ended", ended);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    /**
     * A thread that sends. Its interruption closes the socket that it writes to, which is the only way: to close the exchange waits, where
     * there is TLS, for a last message to be written behind what is not read.
     */
    private static final class Sender {
        private final Thread thread = Thread.currentThread();
        private boolean ended;

        synchronized void interrupt() {
            if (!ended) {
                thread.interrupt();
            }
        }

        /** Nothing of it is left to what the thread does next. */
        synchronized void end() {
            ended = true;
            Thread.interrupted();
        }
    }
}
