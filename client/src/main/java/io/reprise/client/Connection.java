package io.reprise.client;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.Utf8;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.Welcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLSession;

/**
 * One connection to a server. Callers encode their calls behind each other, in frames by partition; the network
 * thread takes the calls that have gathered while it was busy, so frames grow with the load, and a single call
 * doesn't wait.
 *
 * <pre>
 *  CONNECTING --Welcome--> OPEN --the server or the network ends it, or close--> CLOSED: everything under way fails
 * </pre>
 *
 * <p>The state shared by callers and the network thread is guarded by the connection's monitor, which nobody holds
 * for longer than it takes to encode a call.
 */
final class Connection {
    /** Instead of the time that is left for a call: there is no room for it. */
    private static final long NO_ROOM = -1;

    private final ClientSettings settings;
    private final Sequences sequences;
    private final Counters counters;
    private final Listener listener;
    private final FrameReader reader;
    private final Greeting greeting;
    private final Runnable flush = this::flush;

    // The network thread's.
    private final Resolutions resolutions = new Resolutions();
    private final Farewell farewell = new Farewell();
    private final Silence silence;
    private FrameSender sender;
    private CallEnds ends;
    private boolean reading;

    // Guarded by this.
    private Channel channel;
    private boolean open;
    private boolean closed;
    private CallTable calls;
    private CallBatches batches;
    private Routes routes = new Routes();
    private boolean flushDue;
    private int waiting;
    private int maxFrameBytes;

    /** Is told of the connection's state, by the network thread. */
    interface Listener {
        /** Calls may be made. */
        void opened(Connection connection);

        /** It has ended; calls under way fail after this, so that a repeated call doesn't meet this connection. */
        void closed(Connection connection, String why);
    }

    Connection(ClientSettings settings, long clientId, Sequences sequences, Counters counters, Listener listener) {
        this.settings = settings;
        this.counters = counters;
        this.sequences = sequences;
        this.listener = listener;
        reader = new FrameReader(this, counters);
        greeting = new Greeting(settings, clientId);
        silence = new Silence(settings.silenceTimeout().toNanos());
    }

    /** The channel handler of this connection. */
    ChannelHandler handler() {
        return reader;
    }

    /** The network thread, when the connection has ended: why another one would end the same way, or null. */
    CallException refusal() {
        return farewell.refusal();
    }

    /** The network thread, when the connection has ended: whether the two don't speak the same, with TLS or without. */
    boolean isOfOtherProtocol() {
        return farewell.isOfOtherProtocol();
    }

    /**
     * Sends a call. Returns false if too many are under way, and the caller does not want to wait, or has waited for as long as the
     * call may take.
     */
    boolean call(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long timeoutNs,
            ReplyHandler handler,
            long cookie) {
        boolean schedule;
        synchronized (this) {
            checkLength(arguments.length());
            long leftNs = awaitRoom(timeoutNs);
            if (leftNs == NO_ROOM) {
                return false;
            }
            try {
                begin(procedure, arguments, sequence, leftNs, handler, cookie);
            } catch (RuntimeException | Error notBegun) {
                wakeWaiting();
                throw notBegun;
            }
            counters.calls.increment();
            schedule = scheduleFlush();
        }
        if (schedule) {
            flushSoon();
        }
        return true;
    }

    /** There is room. A woken caller that throws has to leave it to another waiting one. */
    private void begin(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long leftNs,
            ReplyHandler handler,
            long cookie) {
        ProcedureRoute route = routes.route(procedure);
        if (route == null) {
            throw notOpen();
        }
        handler.sending();
        int batch = routes.batch(route, arguments);
        long id = calls.begin(handler, cookie, leftNs, arguments.length());
        try {
            batches.call(batch, id, route.handle(), timeoutMs(leftNs), sequence, arguments);
        } catch (RuntimeException | Error noMemory) {
            takeBack(id);
            throw noMemory;
        }
    }

    /** Sends a statement. Returns false where {@link #call} does. */
    boolean statement(String sql, ArgumentWriter arguments, long timeoutNs, ReplyHandler handler) {
        int length = arguments.length() + Utf8.length(sql);
        return sendAlone(length, timeoutNs, handler, id -> batches.statement(id, sql, arguments));
    }

    /** Sends a change of the schema. Returns false where {@link #call} does. */
    boolean change(byte[] script, byte[] jar, long timeoutNs, ReplyHandler handler) {
        return sendAlone(0, timeoutNs, handler, id -> batches.change(id, script, jar));
    }

    /** Sends a request that has frames of its own. */
    private boolean sendAlone(int length, long timeoutNs, ReplyHandler handler, LongConsumer append) {
        boolean schedule;
        synchronized (this) {
            checkLength(length);
            long leftNs = awaitRoom(timeoutNs);
            if (leftNs == NO_ROOM) {
                return false;
            }
            long id = calls.begin(handler, 0, leftNs, length);
            try {
                append.accept(id);
            } catch (RuntimeException | Error noMemory) {
                takeBack(id);
                wakeWaiting();
                throw noMemory;
            }
            counters.calls.increment();
            schedule = scheduleFlush();
        }
        if (schedule) {
            flushSoon();
        }
        return true;
    }

    /** A call that has begun is not among those that are sent: its place is another's. */
    private void takeBack(long id) {
        calls.end(calls.find(id));
    }

    /**
     * Waits for room if the settings say so, and at most for the call's time. The network thread never waits, because
     * it is the one that makes room. A call that it makes for a reply takes that call's place. With settings that
     * make callers wait, its further calls find room too, however many there are.
     *
     * @param timeoutNs 0: the call has all the time
     * @return the rest of that, or {@link #NO_ROOM}
     */
    private long awaitRoom(long timeoutNs) {
        if (open && calls.window().hasRoom()) {
            return timeoutNs;
        }
        long leftNs = timeoutNs;
        if (open && channel.eventLoop().inEventLoop()) {
            CallWindow window = calls.window();
            leftNs = window.takeKeptPlace() || settings.waitForRoom() && window.hasPlace() ? timeoutNs : NO_ROOM;
        } else if (open) {
            leftNs = settings.waitForRoom() ? waitForRoom(timeoutNs) : NO_ROOM;
        }
        if (!open) {
            throw notOpen();
        }
        return leftNs;
    }

    /** The network thread: whether one more of the calls that have waited finds room. */
    synchronized boolean takesParked() {
        return open
                && (calls.window().hasRoom()
                        || settings.waitForRoom() && calls.window().hasPlace());
    }

    private long waitForRoom(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        long leftNs = timeoutNs;
        boolean interrupted = false;
        while (leftNs != NO_ROOM && open && !calls.window().hasRoom()) {
            waiting++;
            try {
                wait(timeoutNs == 0 ? 0 : leftNs / 1_000_000 + 1);
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                waiting--;
            }
            if (timeoutNs != 0) {
                long untilNs = deadlineNs - System.nanoTime();
                leftNs = untilNs > 0 ? untilNs : NO_ROOM;
            }
        }
        if (leftNs == NO_ROOM && open) {
            // It may have been woken for room that it leaves to others.
            wakeWaiting();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return leftNs;
    }

    /** The failure of a call for which there is no room. */
    OverloadedException overloaded() {
        return OverloadedException.noRoom(settings);
    }

    /** Whether a call waits that finds no room here, and can't keep its thread waiting. */
    boolean parksWithoutRoom() {
        return settings.waitForRoom() && onNetworkThread();
    }

    static CallException notOpen() {
        return new CallException(FailureCode.NOT_CONNECTED, "the connection has ended; the call was not sent", true);
    }

    /** Before it waits for room, which it will not use. */
    private void checkLength(int bytes) {
        if (!open) {
            throw notOpen();
        }
        if (!batches.canTake(bytes)) {
            throw new CallTooLongException("the call has " + bytes + " bytes, and the server takes frames of "
                    + maxFrameBytes + " bytes at most; the call was not sent");
        }
    }

    private static int timeoutMs(long timeoutNs) {
        return timeoutNs == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, timeoutNs / 1_000_000 + 1);
    }

    /** While the network thread reads it flushes by itself when it has read everything. */
    private boolean scheduleFlush() {
        if (flushDue) {
            return false;
        }
        flushDue = true;
        return !(reading && channel.eventLoop().inEventLoop());
    }

    /**
     * The network thread: writes the gathered calls. If it can't, as without memory, nobody may wait for a reply to
     * them.
     */
    private void flush() {
        synchronized (this) {
            flushDue = false;
            batches.take();
        }
        try {
            batches.sendTaken(sender);
        } catch (RuntimeException | Error unsent) {
            broken(unsent);
            channel.close();
        }
    }

    /** The network thread: there is a channel, encrypted if it is to be. */
    void connected(Channel now) {
        synchronized (this) {
            channel = now;
        }
        sender = new FrameSender(now, counters);
        Optional<String> problem = greeting.problem(now.remoteAddress());
        if (problem.isPresent()) {
            farewell.refused(problem.get());
            fail(problem.get());
        } else {
            sender.send(Wire.HELLO, greeting.hello());
        }
    }

    /** The network thread: there was a handshake, in which the server may have asked for a certificate. */
    void encrypted(SSLSession session) {
        if (session.getLocalCertificates() == null
                && settings.tls().filter(ClientTls::hasCertificate).isPresent()) {
            farewell.certificateNotShown();
        }
    }

    /** The network thread: there was no handshake. */
    void withoutTls(Throwable cause) {
        farewell.noHandshake(cause);
    }

    /** The network thread: the other side is no server of calls, or does not take them like this. */
    void otherProtocol(String why) {
        farewell.otherProtocol(why);
        channel.close();
    }

    /** The network thread: bytes have come, and perhaps more will before {@link #heardAll}. */
    void heard() {
        reading = true;
        silence.broken();
    }

    /** The network thread: everything that has come was read. */
    void heardAll() {
        reading = false;
        boolean due;
        synchronized (this) {
            due = flushDue;
            wakeWaiting();
        }
        if (due) {
            flush();
        }
    }

    /** Only as many as there is room for: the others would find none, and there may be thousands. */
    private void wakeWaiting() {
        if (waiting > 0 && calls.window().isRoomy()) {
            for (int i = Math.min(waiting, calls.window().room()); i > 0; i--) {
                notify();
            }
        }
    }

    /** The network thread: a frame has come. */
    void received(byte kind, byte[] message) {
        try {
            switch (kind) {
                case Wire.REPLIES:
                    ends.replied(message);
                    break;
                case Wire.RESOLVED:
                    resolutions.answered(Resolved.parseFrom(message));
                    break;
                case Wire.WELCOME:
                    welcome(Welcome.parseFrom(message));
                    break;
                case Wire.GOODBYE:
                    farewell.said(Goodbye.parseFrom(message));
                    break;
                default:
                    break;
            }
        } catch (MalformedMessageException | InvalidProtocolBufferException e) {
            fail("what the server sent is malformed: " + e.getMessage());
        }
    }

    private void welcome(Welcome welcome) {
        synchronized (this) {
            int most = welcome.getMaxCalls() == 0 ? settings.maxCalls() : welcome.getMaxCalls();
            calls = new CallTable(Math.min(settings.maxCalls(), most));
            maxFrameBytes = welcome.getMaxFrameBytes();
            routes = new Routes(ProcedureRoute.partitions(welcome.getPartitionOfBucketList()));
            batches = new CallBatches(routes.partitions(), maxFrameBytes, sequences);
            open = true;
        }
        ends = new CallEnds(this, calls, counters);
        counters.connects.increment();
        listener.opened(this);
    }

    /** Asks for what has to be known of a procedure to call it. The network thread. */
    CompletableFuture<Void> resolve(RemoteProcedure procedure) {
        if (!isOpen()) {
            return CompletableFuture.failedFuture(notOpen());
        }
        return resolutions.ask(procedure.name(), sender).thenAccept(route -> {
            synchronized (this) {
                routes.add(procedure, route);
            }
        });
    }

    /** Whether calls of the procedure can be sent. */
    synchronized boolean knows(RemoteProcedure procedure) {
        return open && routes.route(procedure) != null;
    }

    synchronized int partitionOf(long value) {
        return routes.partitionOf(value);
    }

    synchronized int partitions() {
        return routes.partitions();
    }

    synchronized boolean isOpen() {
        return open;
    }

    /**
     * Any thread: does something on the network thread. Returns false if the connection has ended. Until it has, the
     * network thread has not either, and ends only after its given tasks; later ones could be lost.
     */
    synchronized boolean onLoop(Runnable action) {
        if (!open) {
            return false;
        }
        try {
            channel.eventLoop().execute(action);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    /** Without the monitor, which nobody should hold while the network thread is woken. */
    private void flushSoon() {
        try {
            channel.eventLoop().execute(flush);
        } catch (RejectedExecutionException closed) {
            // The connection has ended since the call was begun, and who made it is told by its handler.
        }
    }

    boolean onNetworkThread() {
        return channel.eventLoop().inEventLoop();
    }

    /** The network thread, from time to time: calls whose time is over fail, and what comes of them is dropped. */
    void expire(long nowNs) {
        if (isOpen()) {
            ends.expire(nowNs);
        }
    }

    /** The network thread, from time to time: gives up a server that has been silent for too long. */
    void checkSilence(long nowNs) {
        if (!isOpen()) {
            return;
        }
        if (silence.isTooLong(nowNs)) {
            fail("nothing has come from the server for "
                    + settings.silenceTimeout().toMillis() + " ms");
        } else {
            silence.check(nowNs, sender);
        }
    }

    /** The network thread: this side ends the connection. */
    void fail(String why) {
        farewell.ending(why);
        channel.close();
    }

    /** Any thread: ends the connection; calls under way fail. */
    void close(String why) {
        Channel toClose;
        synchronized (this) {
            toClose = channel;
        }
        if (toClose != null) {
            toClose.eventLoop().execute(() -> fail(why));
        }
    }

    /** The network thread: the channel failed, and is about to end. */
    void broken(Throwable cause) {
        farewell.broken(cause);
    }

    /** The network thread: the channel has ended. */
    void ended() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = false;
            notifyAll();
        }
        String why = "the connection ended" + farewell.why();
        try {
            listener.closed(this, why);
        } finally {
            if (ends != null) {
                ends.failAll(new UnknownOutcomeException(why + "; whether the call was run is not known"));
            }
            resolutions.failAll(new CallException(FailureCode.NOT_CONNECTED, why + "; the call was not sent", true));
        }
    }
}
