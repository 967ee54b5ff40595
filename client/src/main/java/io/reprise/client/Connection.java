package io.reprise.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.Welcome;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One connection to a server. Callers encode their calls behind each other, in frames by partition; the network thread
 * takes what has come together while it was busy, so frames grow with the load, and a single call doesn't wait.
 *
 * <pre>
 *  CONNECTING --Welcome--> OPEN --the server or the network ends it, or close--> CLOSED: everything under way fails
 * </pre>
 *
 * <p>What callers and the network thread share is guarded by the connection's monitor, which nobody holds for longer than it
 * takes to encode a call.
 */
final class Connection extends ByteToMessageDecoder {
    private static final int MAX_FRAME_BYTES = 1 << 30;
    private static final int FULL_FRAME_BYTES = 1 << 16;
    private static final int MAX_KEPT_BYTES = 1 << 20;
    private static final int ANY = 0;

    private final ClientSettings settings;
    private final long clientId;
    private final Sequences sequences;
    private final Counters counters;
    private final Listener listener;
    private final ReplyReader replies = new ReplyReader();
    private final Runnable flush = this::flush;

    // The network thread's.
    private final Map<Long, CompletableFuture<Resolved>> resolving = new HashMap<>();
    private long resolves;
    private boolean reading;
    private long receivedNs = System.nanoTime();
    private boolean asked;
    private String goodbye = "";
    private CallException refusal;
    private boolean noTls;

    // Guarded by this.
    private Channel channel;
    private boolean open;
    private boolean closed;
    private CallTable calls;
    private MessageWriter[] batches = {};
    private MessageWriter[] spares = {};
    private int[] frames = {};
    private boolean flushDue;
    private int waiting;
    private ProcedureRoute[] routes = new ProcedureRoute[16];
    private int[] partitionOfBucket = {};
    private int maxFrameBytes;

    /** Who is told how the connection fares, by the network thread. */
    interface Listener {
        /** Calls may be made. */
        void opened(Connection connection);

        /** It has ended; what was under way has failed. */
        void closed(Connection connection, String why);
    }

    Connection(ClientSettings settings, long clientId, Sequences sequences, Counters counters, Listener listener) {
        this.settings = settings;
        this.counters = counters;
        this.clientId = clientId;
        this.sequences = sequences;
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        synchronized (this) {
            channel = context.channel();
        }
        Hello.Builder hello = Hello.newBuilder()
                .setLeastVersion(Wire.VERSION)
                .setGreatestVersion(Wire.VERSION)
                .setSoftware("Reprise Java client")
                .setClientId(clientId);
        if (settings.credentials().isPresent()) {
            Credentials who = settings.credentials().get();
            if (!mayBeSent(who)) {
                refuse(
                        "the password was not sent, because there is no TLS to " + channel.remoteAddress()
                                + ", and everybody on the way could read it: connect with TLS (ClientSettings.withTls, --tls-ca)");
                fail(refusal.getMessage());
                return;
            }
            hello.setUser(who.user()).setPassword(who.password());
        }
        write(Wire.HELLO, hello.build());
    }

    /** The address at the other end decides, not the name that it was looked up by. */
    private boolean mayBeSent(Credentials who) {
        return who.inTheClear()
                || settings.tls().isPresent()
                || channel.remoteAddress() instanceof InetSocketAddress remote
                        && remote.getAddress().isLoopbackAddress();
    }

    private void refuse(String why) {
        refusal = new CallException(FailureCode.NOT_AUTHENTICATED, why, false);
    }

    /** The network thread, when the connection has ended: why another one would end the same way, or null. */
    CallException refusal() {
        return refusal;
    }

    /** The network thread, when the connection has ended: whether the two don't agree on TLS. */
    boolean isWithoutTls() {
        return noTls;
    }

    /** What is wrong with a handshake is told here first, before the connection ends of it. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess() && goodbye.isEmpty()) {
            goodbye = ": " + ClientTls.explain(handshake.cause());
            noTls = true;
        }
        super.userEventTriggered(context, event);
    }

    /** Sends a call. Returns false if too many are under way, and the caller does not want to wait. */
    boolean call(
            RemoteProcedure procedure,
            ArgumentWriter arguments,
            long sequence,
            long timeoutNs,
            ReplyHandler handler,
            long cookie) {
        boolean schedule;
        synchronized (this) {
            if (!hasRoom()) {
                return false;
            }
            ProcedureRoute route = route(procedure);
            if (route == null) {
                throw notOpen();
            }
            checkLength(arguments.length());
            handler.sending();
            int batch = route.batch(arguments, partitionOfBucket);
            long id = calls.begin(handler, cookie, timeoutNs);
            MessageWriter to = frame(batch);
            counters.calls.increment();
            CallWriter.call(to, id, route.handle(), timeoutMs(timeoutNs), sequence, arguments);
            if (to.length() - frames[batch] >= FULL_FRAME_BYTES) {
                to.endFrame(frames[batch]);
                frames[batch] = -1;
            }
            schedule = scheduleFlush();
        }
        if (schedule) {
            channel.eventLoop().execute(flush);
        }
        return true;
    }

    /** Sends a statement. Returns false if too many calls are under way, and the caller does not want to wait. */
    boolean statement(String sql, ArgumentWriter arguments, long timeoutNs, ReplyHandler handler, long cookie) {
        boolean schedule;
        synchronized (this) {
            if (!hasRoom()) {
                return false;
            }
            checkLength(arguments.length() + 3 * sql.length());
            long id = calls.begin(handler, cookie, timeoutNs);
            counters.calls.increment();
            endFrame(ANY);
            MessageWriter to = batches[ANY];
            int begin = to.beginFrame(Wire.STATEMENT);
            CallWriter.statement(to, id, sql, arguments);
            to.endFrame(begin);
            schedule = scheduleFlush();
        }
        if (schedule) {
            channel.eventLoop().execute(flush);
        }
        return true;
    }

    /** Waits for room if the settings say so; the network thread never waits, because it is the one that makes room. */
    private boolean hasRoom() {
        boolean interrupted = false;
        while (open && calls.isFull()) {
            if (!settings.waitForRoom() || channel.eventLoop().inEventLoop()) {
                return false;
            }
            waiting++;
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                waiting--;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!open) {
            throw notOpen();
        }
        return true;
    }

    private static CallException notOpen() {
        return new CallException(FailureCode.NOT_CONNECTED, "the connection has ended; the call was not sent", true);
    }

    private void checkLength(int bytes) {
        if (bytes > maxFrameBytes - 64) {
            throw new CallException(
                    FailureCode.INVALID_REQUEST,
                    "the call has " + bytes + " bytes, and the server takes frames of " + maxFrameBytes
                            + " bytes at most; the call was not sent",
                    false);
        }
    }

    private static int timeoutMs(long timeoutNs) {
        return timeoutNs == 0 ? 0 : (int) Math.min(Integer.MAX_VALUE, timeoutNs / 1_000_000 + 1);
    }

    /** A frame of calls that has been begun, in the batch of a partition. */
    private MessageWriter frame(int batch) {
        MessageWriter to = batches[batch];
        if (frames[batch] < 0) {
            frames[batch] = CallWriter.beginFrame(to, batch - 1, sequences.acknowledged());
        }
        return to;
    }

    private void endFrame(int batch) {
        if (frames[batch] >= 0) {
            batches[batch].endFrame(frames[batch]);
            frames[batch] = -1;
        }
    }

    /** While the network thread reads it flushes by itself when it has read everything. */
    private boolean scheduleFlush() {
        if (flushDue) {
            return false;
        }
        flushDue = true;
        return !(reading && channel.eventLoop().inEventLoop());
    }

    /** The network thread: writes what has come together. */
    private void flush() {
        boolean wrote = false;
        synchronized (this) {
            flushDue = false;
            for (int i = 0; i < batches.length; i++) {
                endFrame(i);
                if (batches[i].length() > 0) {
                    MessageWriter full = batches[i];
                    batches[i] = spares[i];
                    spares[i] = full;
                }
            }
        }
        for (int i = 0; i < spares.length; i++) {
            MessageWriter full = spares[i];
            if (full.length() > 0) {
                write(full);
                wrote = true;
                if (full.capacity() > MAX_KEPT_BYTES) {
                    spares[i] = new MessageWriter(FULL_FRAME_BYTES);
                } else {
                    full.clear();
                }
            }
        }
        if (wrote) {
            channel.flush();
        }
    }

    private void write(MessageWriter bytes) {
        ByteBuf buffer = channel.alloc().directBuffer(bytes.length(), bytes.length());
        buffer.writeBytes(bytes.array(), 0, bytes.length());
        counters.bytesSent.add(bytes.length());
        channel.write(buffer, channel.voidPromise());
    }

    private void write(byte kind, MessageLite message) {
        MessageWriter bytes = new MessageWriter(message.getSerializedSize() + Wire.HEADER_BYTES);
        int begin = bytes.beginFrame(kind);
        bytes.raw(message.toByteArray());
        bytes.endFrame(begin);
        write(bytes);
        channel.flush();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        reading = true;
        receivedNs = System.nanoTime();
        asked = false;
        if (in.readableBytes() < Wire.LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > MAX_FRAME_BYTES) {
            fail("the server sent a frame of length " + length);
            return;
        }
        if (in.readableBytes() - Wire.LENGTH_BYTES < length) {
            return;
        }
        counters.bytesReceived.add(Wire.LENGTH_BYTES + length);
        in.skipBytes(Wire.LENGTH_BYTES);
        byte kind = in.readByte();
        byte[] message = new byte[length - 1];
        in.readBytes(message);
        try {
            frame(kind, message);
        } catch (MalformedMessageException | InvalidProtocolBufferException e) {
            fail("what the server sent is malformed: " + e.getMessage());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        reading = false;
        boolean due;
        synchronized (this) {
            due = flushDue;
            if (waiting > 0) {
                notifyAll();
            }
        }
        if (due) {
            flush();
        }
    }

    private void frame(byte kind, byte[] message) throws InvalidProtocolBufferException {
        switch (kind) {
            case Wire.REPLIES:
                replies(message);
                break;
            case Wire.RESOLVED:
                resolved(Resolved.parseFrom(message));
                break;
            case Wire.WELCOME:
                welcome(Welcome.parseFrom(message));
                break;
            case Wire.GOODBYE:
                Goodbye said = Goodbye.parseFrom(message);
                goodbye = ": " + said.getReason() + ": " + said.getMessage();
                if (said.getReason() == Goodbye.Reason.NOT_AUTHENTICATED) {
                    refuse(said.getMessage());
                }
                noTls = said.getReason() == Goodbye.Reason.TLS_REQUIRED;
                break;
            default:
                break;
        }
    }

    private void welcome(Welcome welcome) {
        synchronized (this) {
            int most = welcome.getMaxCalls() == 0 ? settings.maxCalls() : welcome.getMaxCalls();
            calls = new CallTable(Math.min(settings.maxCalls(), most));
            maxFrameBytes = welcome.getMaxFrameBytes();
            partitionOfBucket = ProcedureRoute.partitions(welcome.getPartitionOfBucketList());
            int partitions = partitions();
            int count = partitions == 1 ? 1 : partitions + 1;
            batches = new MessageWriter[count];
            spares = new MessageWriter[count];
            frames = new int[count];
            for (int i = 0; i < count; i++) {
                batches[i] = new MessageWriter(1024);
                spares[i] = new MessageWriter(1024);
                frames[i] = -1;
            }
            open = true;
        }
        counters.connects.increment();
        listener.opened(this);
    }

    private void replies(byte[] message) {
        CallTable table = calls;
        replies.over(message, 0, message.length);
        while (replies.next()) {
            ReplyHandler handler;
            long cookie;
            synchronized (this) {
                int index = table.find(replies.id());
                if (index < 0) {
                    throw new MalformedMessageException("a reply is to no call that is under way");
                }
                handler = table.handler(index);
                cookie = table.cookie(index);
                table.end(index);
            }
            if (handler != null) {
                counters.replies.increment();
                handler.replied(cookie, replies);
            }
        }
    }

    /** Asks for what has to be known of a procedure to call it. The network thread. */
    CompletableFuture<Void> resolve(RemoteProcedure procedure) {
        CompletableFuture<Resolved> answer = new CompletableFuture<>();
        if (!isOpen()) {
            answer.completeExceptionally(notOpen());
            return answer.thenAccept(never -> {});
        }
        long id = ++resolves;
        resolving.put(id, answer);
        write(
                Wire.RESOLVE,
                Resolve.newBuilder().setId(id).setProcedure(procedure.name()).build());
        return answer.thenAccept(resolved -> {
            if (resolved.getHandle() == 0) {
                throw CallException.of(
                        FailureCode.of(resolved.getFailure().getCodeValue()),
                        resolved.getFailure().getMessage(),
                        resolved.getFailure().getRetryIsSafe());
            }
            ProcedureRoute route = new ProcedureRoute(resolved.getHandle(), resolved.getRoutingParameter());
            synchronized (this) {
                if (procedure.index() >= routes.length) {
                    routes = java.util.Arrays.copyOf(routes, 2 * procedure.index());
                }
                routes[procedure.index()] = route;
            }
        });
    }

    private void resolved(Resolved answer) {
        CompletableFuture<Resolved> asked = resolving.remove(answer.getId());
        if (asked != null) {
            asked.complete(answer);
        }
    }

    private ProcedureRoute route(RemoteProcedure procedure) {
        return procedure.index() < routes.length ? routes[procedure.index()] : null;
    }

    /** Whether calls of the procedure can be sent. */
    synchronized boolean knows(RemoteProcedure procedure) {
        return open && route(procedure) != null;
    }

    synchronized int partitionOf(long value) {
        return partitionOfBucket.length == 0 ? 0 : ProcedureRoute.partition(value, partitionOfBucket);
    }

    synchronized int partitions() {
        int partitions = 1;
        for (int partition : partitionOfBucket) {
            partitions = Math.max(partitions, partition + 1);
        }
        return partitions;
    }

    synchronized boolean isOpen() {
        return open;
    }

    /** Does something on the network thread. */
    void onLoop(Runnable action) {
        channel.eventLoop().execute(action);
    }

    boolean onNetworkThread() {
        return channel.eventLoop().inEventLoop();
    }

    /** The network thread, from time to time: calls whose time is over fail, and what comes of them is dropped. */
    void expire(long nowNs) {
        while (true) {
            ReplyHandler handler;
            long cookie;
            synchronized (this) {
                if (!open) {
                    return;
                }
                int index = calls.overdue(nowNs);
                if (index < 0) {
                    return;
                }
                handler = calls.handler(index);
                cookie = calls.cookie(index);
                calls.abandon(index);
            }
            counters.unanswered.increment();
            handler.failed(
                    cookie,
                    new UnknownOutcomeException(
                            "there was no reply within the call's timeout; whether it was run is not known"));
        }
    }

    /**
     * The network thread, from time to time: a server from which nothing has come for long is asked something, and given up if
     * it does not answer. So a connection whose other end has vanished is noticed though nobody closed it.
     */
    void checkSilence(long nowNs) {
        long silentNs = nowNs - receivedNs;
        long limitNs = settings.silenceTimeout().toNanos();
        if (!isOpen() || limitNs == 0) {
            return;
        }
        if (silentNs > limitNs) {
            fail("nothing has come from the server for "
                    + settings.silenceTimeout().toMillis() + " ms");
        } else if (silentNs > limitNs / 2 && !asked) {
            asked = true;
            write(Wire.RESOLVE, Resolve.getDefaultInstance());
        }
    }

    private void fail(String why) {
        goodbye = ": " + why;
        channel.close();
    }

    /** The network thread: a server that does not answer the greeting is given up. */
    void closeUnlessOpen() {
        boolean greeted;
        synchronized (this) {
            greeted = open || closed;
        }
        if (!greeted) {
            close("the server did not answer within "
                    + settings.connectTimeout().toMillis() + " ms");
        }
    }

    /** Any thread: ends the connection; what is under way fails. */
    void close(String why) {
        Channel toClose;
        synchronized (this) {
            toClose = channel;
        }
        if (toClose != null) {
            toClose.eventLoop().execute(() -> fail(why));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        CallTable table;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = false;
            table = calls;
            notifyAll();
        }
        CallException why = new UnknownOutcomeException(
                "the connection ended" + goodbye + "; whether the call was run is not known");
        if (table != null) {
            counters.unanswered.add(table.failAll(why));
        }
        CallException unresolved = new CallException(
                FailureCode.NOT_CONNECTED, "the connection ended" + goodbye + "; the call was not sent", true);
        List.copyOf(resolving.values()).forEach(asked -> asked.completeExceptionally(unresolved));
        resolving.clear();
        listener.closed(this, "the connection ended" + goodbye);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (goodbye.isEmpty()) {
            goodbye = ": " + cause;
        }
        context.close();
    }
}
