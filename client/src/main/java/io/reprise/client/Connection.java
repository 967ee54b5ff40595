package io.reprise.client;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.Topology;
import io.reprise.wire.message.Welcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;

/**
 * One connection to a server: its beginning, its end, and the dispatch of received frames. {@link CallSender} sends calls, {@link
 * CallEnds} ends them.
 *
 * <pre>
 *  CONNECTING --Welcome--> OPEN --the server or the network ends it, or close--> CLOSED: everything under way fails
 * </pre>
 *
 * <p>Owned by the network thread, except as noted.
 */
final class Connection {
    private final ClientSettings settings;
    private final Counters counters;
    private final Listener listener;
    private final FrameReader reader;
    private final Greeting greeting;
    private final CallSender calls;
    private final Resolutions resolutions = new Resolutions();
    private final Farewell farewell = new Farewell();
    private final Silence silence;
    private volatile Channel channel;
    private FrameSender sender;
    private CallEnds ends;
    private boolean closed;
    private int node = -1;

    /** The observer of a connection; called by the network thread. */
    interface Listener {
        /** Calls may be made. */
        void opened(Connection connection);

        /** The server is a node of a cluster, and has told its topology. */
        void told(Topology topology);

        /** The server has replied to so many calls. */
        void replied(int calls);

        /** The connection has ended. Calls under way fail after this, so that a repeated call doesn't meet this connection. */
        void closed(Connection connection, String why);
    }

    Connection(ClientSettings settings, long clientId, Sequences sequences, Counters counters, Listener listener) {
        this.settings = settings;
        this.counters = counters;
        this.listener = listener;
        reader = new FrameReader(this, counters);
        greeting = new Greeting(settings, clientId);
        silence = new Silence(settings.silenceTimeout().toNanos());
        calls = new CallSender(settings, sequences, counters, this::flush);
    }

    /** The handler for the channel's pipeline. */
    ChannelHandler handler() {
        return reader;
    }

    /** After the end: the reason why another connection would end the same way, or null. */
    CallException refusal() {
        return farewell.refusal();
    }

    /** After the end: whether the server speaks another protocol, or with TLS where the client doesn't, or the reverse. */
    boolean isOfOtherProtocol() {
        return farewell.isOfOtherProtocol();
    }

    /**
     * Any thread: sends a call. Returns false if too many are under way, and the settings say that callers don't wait for room or the
     * call's time has passed.
     */
    boolean call(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long timeoutNs,
            ReplyHandler handler,
            long cookie) {
        return calls.call(procedure, arguments, sequence, timeoutNs, handler, cookie);
    }

    /** Any thread: sends a statement, for so many rows of arguments or, with 0, for a single run. Returns false where {@link #call} does. */
    boolean statement(String sql, ArgumentWriter arguments, int rows, long timeoutNs, ReplyHandler handler) {
        return calls.statement(sql, arguments, rows, timeoutNs, handler);
    }

    /** Any thread: sends a change of the schema. Returns false where {@link #call} does. */
    boolean change(byte[] script, byte[] jar, long timeoutNs, ReplyHandler handler) {
        return calls.change(script, jar, timeoutNs, handler);
    }

    /** Whether one more of the parked calls finds room. */
    boolean takesParked() {
        return calls.takesParked();
    }

    /** The failure of a call for which there is no room. */
    OverloadedException overloaded() {
        return OverloadedException.noRoom(settings);
    }

    /** Any thread: whether a call that finds no room is parked, because its thread must not wait. */
    boolean parksWithoutRoom() {
        return settings.waitForRoom() && onNetworkThread();
    }

    static CallException notOpen() {
        return new CallException(ErrorCode.NOT_CONNECTED, "the connection has ended; the call was not sent", true);
    }

    /** Sends the calls that have come together. If it can't, as for want of memory, the connection ends and they fail. */
    private void flush() {
        try {
            calls.flush(sender);
        } catch (RuntimeException | Error unsent) {
            broken(unsent);
            channel.close();
        }
    }

    /** There is a channel, encrypted if it is to be. */
    void connected(Channel now) {
        channel = now;
        sender = new FrameSender(now, counters);
        Optional<String> problem = greeting.problem(now.remoteAddress());
        if (problem.isPresent()) {
            farewell.refused(problem.get());
            fail(problem.get());
        } else {
            sender.send(Wire.HELLO, greeting.hello());
        }
    }

    /** There was a handshake, in which the server may have asked for a certificate. */
    void encrypted(SSLSession session) {
        if (session.getLocalCertificates() == null
                && settings.tls().filter(ClientTls::hasCertificate).isPresent()) {
            farewell.certificateNotShown();
        }
    }

    /** The handshake failed. */
    void withoutTls(Throwable cause) {
        farewell.noHandshake(cause);
    }

    /** The server speaks another protocol. */
    void otherProtocol(String why) {
        farewell.otherProtocol(why);
        channel.close();
    }

    /** Bytes have come, and perhaps more will before {@link #heardAll}. */
    void heard() {
        calls.reading();
        silence.broken();
    }

    /** All received bytes were read. */
    void heardAll() {
        if (calls.hasRead()) {
            flush();
        }
    }

    /** A frame has come. */
    void received(byte kind, byte[] message) {
        try {
            switch (kind) {
                case Wire.REPLIES:
                    listener.replied(ends.replied(message));
                    break;
                case Wire.RESOLVED:
                    resolutions.answered(Resolved.parseFrom(message));
                    break;
                case Wire.WELCOME:
                    welcome(Welcome.parseFrom(message));
                    break;
                case Wire.TOPOLOGY:
                    listener.told(Topology.parseFrom(message));
                    break;
                case Wire.GOODBYE:
                    farewell.said(Goodbye.parseFrom(message));
                    break;
                default:
                    break;
            }
        } catch (MalformedMessageException | InvalidProtocolBufferException e) {
            fail("the server sent a malformed frame: " + e.getMessage());
        }
    }

    private void welcome(Welcome welcome) {
        ends = new CallEnds(calls, calls.open(channel, welcome), counters);
        counters.connects.increment();
        node = welcome.getNode() - 1;
        listener.opened(this);
        if (welcome.hasTopology()) {
            listener.told(welcome.getTopology());
        }
    }

    /** The number of the server's node; -1: it is not in a cluster. */
    int node() {
        return node;
    }

    /**
     * The cluster has given a leadership of this server to another node. It may have stopped, so it has to show a sign of life soon, or
     * the connection ends and its calls are repeated elsewhere.
     */
    void suspect(long nowNs) {
        if (isOpen()) {
            silence.suspect(nowNs, sender);
        }
    }

    /** Asks the server how a procedure is called. */
    CompletableFuture<Void> resolve(RemoteProcedure procedure) {
        if (!isOpen()) {
            return CompletableFuture.failedFuture(notOpen());
        }
        return resolutions.ask(procedure.name(), sender).thenAccept(route -> {
            procedure.routedBy(route.routingParameter());
            calls.add(procedure, route);
        });
    }

    /** Any thread: whether calls of the procedure can be sent. */
    boolean knows(RemoteProcedure procedure) {
        return calls.knows(procedure);
    }

    /** Any thread: the partition of a partitioning value. */
    int partitionOf(long value) {
        return calls.partitionOf(value);
    }

    /** Any thread: the number of partitions. */
    int partitions() {
        return calls.partitions();
    }

    /** Any thread: whether calls may be made. */
    boolean isOpen() {
        return calls.isOpen();
    }

    /**
     * Any thread: runs a task on the network thread; false if the connection has ended. The network thread ends after the tasks that it
     * was given before the connection ended; a later one could be lost.
     */
    boolean onLoop(Runnable task) {
        synchronized (calls) {
            if (!calls.isOpen()) {
                return false;
            }
            try {
                channel.eventLoop().execute(task);
                return true;
            } catch (RejectedExecutionException ended) {
                return false;
            }
        }
    }

    /** Any thread: whether this is the network thread. */
    boolean onNetworkThread() {
        return channel.eventLoop().inEventLoop();
    }

    /** From time to time: calls whose time has passed fail, and their replies are dropped. */
    void expire(long nowNs) {
        if (isOpen()) {
            ends.expire(nowNs);
        }
    }

    /** From time to time: gives up a server that has been silent for too long. */
    void checkSilence(long nowNs) {
        if (!isOpen()) {
            return;
        }
        if (silence.isSuspectTooLong(nowNs)) {
            fail("the cluster has replaced the node, and it does not answer");
        } else if (silence.isTooLong(nowNs)) {
            fail("nothing has come from the server for "
                    + settings.silenceTimeout().toMillis() + " ms");
        } else {
            silence.check(nowNs, sender);
        }
    }

    /** Ends the connection from this side. */
    void fail(String why) {
        farewell.ending(why);
        channel.close();
    }

    /** Any thread: ends the connection; calls under way fail. */
    void close(String why) {
        Channel toClose = channel;
        if (toClose != null) {
            toClose.eventLoop().execute(() -> fail(why));
        }
    }

    /** The channel failed, and is about to end. */
    void broken(Throwable cause) {
        farewell.broken(cause);
    }

    /** The channel has ended. */
    void ended() {
        if (closed) {
            return;
        }
        closed = true;
        calls.close();
        String why = "the connection ended" + farewell.why();
        try {
            listener.closed(this, why);
        } finally {
            if (ends != null) {
                ends.failAll(new UnknownOutcomeException(why + "; whether the call was run is not known"));
            }
            resolutions.failAll(new CallException(ErrorCode.NOT_CONNECTED, why + "; the call was not sent", true));
        }
    }
}
