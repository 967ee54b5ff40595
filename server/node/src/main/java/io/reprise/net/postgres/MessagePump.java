package io.reprise.net.postgres;

import io.netty.channel.EventLoop;
import io.reprise.net.listen.ClientChannel;
import io.reprise.session.StartedEnd;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of a connection's messages. One task at a time takes messages from it, on a thread of its own, and ends when there are none. It
 * doesn't begin while the client has too much to read. A request that has to wait for nothing is run by the network loop itself
 * ({@link StartableRequest}).
 */
final class MessagePump {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    /** A longer result is written by a thread of its own. */
    private static final int MOST_ROWS_OF_LOOP = 200;

    /** Replies are handed over when they are this long, or when no message waits. */
    private static final int SEND_BYTES = 1 << 16;

    private final PostgresConnection connection;
    private final ClientChannel client;
    private final Executor runners;
    private final MessageDecoder decoder;
    private final Replies replies;

    /** The most bytes of waiting messages before the socket is not read. */
    private final int mostBytes;

    private final ConcurrentLinkedQueue<FrontendMessage> messages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();

    /** Set by the loop before the first message is run. */
    private volatile MessageRunner runner;

    /**
     * The messages of a connection.
     *
     * @param runners run tasks that may wait
     */
    MessagePump(
            PostgresConnection connection,
            ClientChannel client,
            Executor runners,
            MessageDecoder decoder,
            Replies replies,
            int mostBytes) {
        this.connection = connection;
        this.client = client;
        this.runners = runners;
        this.decoder = decoder;
        this.replies = replies;
        this.mostBytes = mostBytes;
    }

    /** The loop: from now on messages can be run. */
    void begin(MessageRunner ofMessages) {
        runner = ofMessages;
    }

    /** Any thread: runs the messages; null before the login. */
    MessageRunner runner() {
        return runner;
    }

    /** Any thread: whether messages are being run. */
    boolean isRunning() {
        return running.get();
    }

    /** The loop: a message has come. */
    void add(FrontendMessage message) {
        messages.add(message);
        if (waitingBytes.addAndGet(message.weight()) > mostBytes) {
            decoder.pause();
            runMessages();
        }
    }

    /** Any thread: whether the socket may be read. */
    boolean hasRoom() {
        return waitingBytes.get() <= mostBytes / 2;
    }

    /** Any thread: has waiting messages run, unless they are being run or the client has enough to read. */
    void runMessages() {
        if (!messages.isEmpty()
                && connection.isOpen()
                && connection.hasRoomToAnswer()
                && running.compareAndSet(false, true)
                && !isStarted(client.netty().eventLoop())) {
            onRunner(this::drain);
        }
    }

    private void onRunner(Runnable task) {
        try {
            runners.execute(task);
        } catch (RejectedExecutionException closed) {
            running.set(false);
            connection.shutDown();
        }
    }

    /** Starts the next request on this loop, if the request has to wait for nothing. */
    private boolean isStarted(EventLoop loop) {
        if (!loop.inEventLoop() || runner == null) {
            return false;
        }
        try {
            while (!messages.isEmpty() && runner.runsAtOnce(messages.peek())) {
                runNext();
            }
            if (messages.isEmpty()) {
                connection.send();
                stopped();
                return true;
            }
            if (!runner.gathersCommit(messages.peek())) {
                if (!runner.canStart(messages)) {
                    return false;
                }
                while (messages.peek().kind() != FrontendMessage.SYNC) {
                    runNext();
                }
                if (runner.isAnswered()) {
                    runNext();
                    connection.send();
                    stopped();
                    return true;
                }
            }
            Optional<CompletableFuture<StartedEnd>> started = runner.start(loop);
            started.ifPresentOrElse(
                    future -> future.whenComplete((end, problem) -> client.onLoop(() -> ended(end, problem))),
                    () -> runner.runsInstead(messages.peek()));
            return started.isPresent();
        } catch (RuntimeException | Error failure) {
            failed(failure);
            stopped();
            return true;
        }
    }

    private void runNext() {
        FrontendMessage message = messages.poll();
        taken(message);
        runner.run(message);
    }

    /** A started request has ended. A long result is not written by the loop, which others wait for. */
    private void ended(StartedEnd end, Throwable problem) {
        if (runner.runsAgain(end, problem)) {
            runner.runsInstead(messages.peek());
            onRunner(this::drain);
        } else if (problem == null && end.rows() > MOST_ROWS_OF_LOOP) {
            onRunner(() -> answer(end, null));
        } else {
            answer(end, problem);
        }
    }

    private void answer(StartedEnd end, Throwable problem) {
        try {
            taken(messages.poll());
            runner.answerStarted(end, problem);
            connection.send();
        } catch (RuntimeException | Error failure) {
            failed(failure);
        } finally {
            stoppedBehindReplies();
        }
    }

    private void failed(Throwable failure) {
        LOG.error("A message of {} could not be run, and this is a bug", client.remoteAddress(), failure);
        connection.cutOff("a message could not be run: " + failure);
    }

    /** Messages are not being run any more; others may have come. */
    private void stopped() {
        running.set(false);
        if (connection.isOpen()) {
            runMessages();
        } else {
            endRunner();
        }
    }

    /** The loop has to write what another thread has handed over, before it writes later replies itself. */
    private void stoppedBehindReplies() {
        if (!client.onLoop(this::stopped)) {
            stopped();
        }
    }

    private void drain() {
        try {
            FrontendMessage message = null;
            while (connection.isOpen() && connection.hasRoomToAnswer() && (message = messages.poll()) != null) {
                taken(message);
                if (!runner.run(message)) {
                    connection.send();
                    connection.end();
                    return;
                }
                if (messages.isEmpty() || replies.out().length() > SEND_BYTES) {
                    connection.send();
                }
            }
            connection.send();
        } catch (RuntimeException | Error failure) {
            failed(failure);
        } finally {
            stoppedBehindReplies();
        }
    }

    /** Ends the session when no thread runs its messages any more. */
    void endRunner() {
        if (running.compareAndSet(false, true) && runner != null) {
            runner.close();
        }
    }

    private void taken(FrontendMessage message) {
        int before = waitingBytes.getAndAdd(-message.weight());
        if (before > mostBytes / 2 && before - message.weight() <= mostBytes / 2) {
            client.onLoop(decoder::resume);
        }
    }
}
