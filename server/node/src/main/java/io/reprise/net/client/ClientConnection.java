package io.reprise.net.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.reprise.runtime.LogText;
import io.reprise.wire.CallReader;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: makes frames of bytes, answers what concerns the connection itself, and hands calls on.
 *
 * <pre>
 *  GREETING --Hello--> (LOGGING IN -->) OPEN --Goodbye written, or the client has gone--> CLOSED
 *     |                    |             |
 *     +--- no common version, malformed, too long, too slow, wrong password: Goodbye ---> CLOSED
 * </pre>
 *
 * <p>Owned by its network loop. Sites hand replies over by {@link #send}, tell of frames that they have taken, and may end
 * the connection; all that is atomic or passes through the loop's queue.
 */
final class ClientConnection extends ByteToMessageDecoder {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    /** Frames up to this length need not be counted while they arrive: the socket's buffer holds as much. */
    private static final int SMALL_FRAME_BYTES = 1 << 16;

    /** How often a client is told that the server is there while it is not read from, and so can't ask. */
    private static final long ALIVE_NS = 1_000_000_000;

    private final ClientListener listener;
    private final ListenerSettings settings;
    private final int number;
    private final Outbox[] outboxes;
    private final Arrivals arrivals;
    private final UnreadReplies unread;
    private final StatementRuns statements;
    private final Greeting greeting;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private Channel channel;
    private Future<?> lastWait;
    private boolean counted;
    private boolean paused;
    private long saidAliveNs;
    private long partialSinceNs;
    private int partialBytes;

    ClientConnection(ClientListener listener, int number) {
        this.listener = listener;
        this.settings = listener.settings();
        this.number = number;
        arrivals = new Arrivals(listener);
        unread = new UnreadReplies(listener);
        greeting = new Greeting(this, listener);
        statements = new StatementRuns(this, listener);
        outboxes = new Outbox[listener.sites()];
        for (int i = 0; i < outboxes.length; i++) {
            outboxes[i] = new Outbox(this);
        }
    }

    /** Any thread: whether anybody may still want replies. */
    boolean isOpen() {
        return open.get();
    }

    /** Any thread: the client's own random number; 0 if it has none. */
    long clientId() {
        return greeting.clientId();
    }

    /** Any thread: who is at the other end. */
    ConnectedUser user() {
        return greeting.user();
    }

    /** Any thread: counts a request that the user may not make. */
    void refusedRequest() {
        listener.refusedRequest();
    }

    /** A site: what it keeps of this connection. */
    Outbox outbox(int site) {
        return outboxes[site];
    }

    /** Any thread: what is on its way to the client. */
    UnreadReplies unread() {
        return unread;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        partialSinceNs = listener.nowNs();
        listener.added(this);
        if (settings.protection().tls().isEmpty()) {
            count();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                count();
            } else {
                listener.handshakes().failed(channel.remoteAddress(), handshake.cause(), listener.nowNs());
            }
        }
        super.userEventTriggered(context, event);
    }

    /**
     * From here on it takes a place from others, and is told so if there is none: with TLS not before the handshake, because whoever
     * sends nothing could take all places, and who expects TLS would not understand a reason.
     */
    private void count() {
        if (counted) {
            return;
        }
        counted = true;
        if (!listener.counted()) {
            close(
                    Goodbye.Reason.TOO_MANY_CONNECTIONS,
                    "the server has " + settings.maxConnections() + " connections already; try again later");
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int readable = in.readableBytes();
        if (!isOpen()) {
            in.skipBytes(readable);
            return;
        }
        if (readable < Wire.LENGTH_BYTES) {
            partial(Math.min(readable, 1));
            return;
        }
        if (!greeting.isOver() && in.getByte(in.readerIndex()) == Wire.TLS_HANDSHAKE) {
            in.skipBytes(readable);
            closeMalformed(
                    "the client speaks TLS, and this port does not; connect without it, or have the server given a"
                            + " certificate");
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (!greeting.isOver() && HttpAnswer.isAsked(length)) {
            in.skipBytes(readable);
            closeForHttp();
            return;
        }
        int most = greeting.isOver() ? settings.maxFrameBytes() : Wire.MAX_FIRST_FRAME_BYTES;
        if (length < 1 || length > most) {
            in.skipBytes(readable);
            if (length < 1) {
                closeMalformed("a frame has the length " + length);
            } else {
                close(
                        Goodbye.Reason.FRAME_TOO_LARGE,
                        "a frame has " + length + " bytes, and the server takes " + most + " at most"
                                + (greeting.isOver() ? "" : " as the first"));
            }
            return;
        }
        if (readable < Wire.LENGTH_BYTES + length) {
            partial(length);
            return;
        }
        partial(0);
        in.skipBytes(Wire.LENGTH_BYTES);
        byte kind = in.readByte();
        byte[] message = new byte[length - 1];
        in.readBytes(message);
        frame(kind, message);
    }

    /** A frame of so many bytes has begun and not ended; 0: none has. */
    private void partial(int bytes) {
        if (bytes == 0) {
            partialSinceNs = 0;
        } else if (partialSinceNs == 0) {
            partialSinceNs = listener.nowNs();
        }
        int counted = bytes > SMALL_FRAME_BYTES ? bytes : 0;
        if (counted != partialBytes) {
            long all = listener.partialBytes(counted - partialBytes);
            partialBytes = counted;
            if (counted > 0 && all > settings.maxPartialBytes()) {
                close(Goodbye.Reason.OUT_OF_MEMORY, "the server has no memory left for a frame of " + bytes + " bytes");
            }
        }
    }

    private void frame(byte kind, byte[] message) {
        try {
            if (!greeting.isOver()) {
                greeting.frame(kind, message);
                return;
            }
            if (kind != Wire.CALLS) {
                arrivals.handOver();
            }
            switch (kind) {
                case Wire.CALLS -> calls(message);
                case Wire.RESOLVE -> resolve(message);
                case Wire.STATEMENT -> statements.run(message);
                default -> closeMalformed("a frame is of kind " + kind + ", which a client does not send");
            }
        } catch (MalformedMessageException | InvalidProtocolBufferException e) {
            closeMalformed(e.getMessage());
        }
    }

    /** Calls go to the site that they are for, or to the one that this connection has been given. */
    private void calls(byte[] message) {
        int hint = CallReader.partition(message, 0, message.length);
        int site = hint >= 0 && hint < outboxes.length ? hint : number % outboxes.length;
        if (arrivals.add(new CallFrame(this, message, listener.nowNs()), site)) {
            pause();
        }
    }

    /** Netty's decoder asks for more after each read from which it has made no message; while this is paused it must not. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        try {
            arrivals.handOver();
        } catch (MalformedMessageException e) {
            closeMalformed(e.getMessage());
        }
        if (paused) {
            discardSomeReadBytes();
            context.fireChannelReadComplete();
        } else {
            super.channelReadComplete(context);
        }
    }

    /** Any thread: where to write replies that are sent by themselves. */
    ResultWriter replies() {
        return new ResultWriter(new MessageWriter(256), settings.maxResultBytes(), new EncodedColumns());
    }

    private void resolve(byte[] message) throws InvalidProtocolBufferException {
        Resolve asked = Resolve.parseFrom(message);
        write(Wire.RESOLVED, listener.resolve(asked.getId(), asked.getProcedure(), user()));
    }

    /** Any thread: sends whole frames, of which it makes a copy. */
    void send(MessageWriter frames) {
        if (isOpen()) {
            hand(frames);
        }
    }

    private void hand(MessageWriter frames) {
        int length = frames.length();
        ByteBuf buffer;
        try {
            buffer = channel.alloc().directBuffer(length, length);
        } catch (OutOfMemoryError e) {
            // Nobody but this client is to suffer from it, least of all the thread of a site.
            cutOff("there is no memory for " + length + " bytes of replies: " + e.getMessage());
            return;
        }
        buffer.writeBytes(frames.array(), 0, length);
        unread.add(length);
        channel.writeAndFlush(buffer).addListener(written -> {
            written(length);
        });
    }

    /** The loop: bytes have gone to the socket, or will never go. */
    private void written(int bytes) {
        if (unread.take(bytes)) {
            resume();
        }
        statements.goOn();
    }

    /** Any thread: sends a message as a frame. */
    void write(byte kind, MessageLite message) {
        send(framed(kind, message));
    }

    private static MessageWriter framed(byte kind, MessageLite message) {
        MessageWriter bytes = new MessageWriter(message.getSerializedSize() + Wire.HEADER_BYTES);
        int frame = bytes.beginFrame(kind);
        bytes.raw(message.toByteArray());
        bytes.endFrame(frame);
        return bytes;
    }

    /** The socket takes no more: whoever does not read may not ask for more either. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            resume();
        } else {
            pause();
        }
        context.fireChannelWritabilityChanged();
    }

    private void pause() {
        if (!paused) {
            saidAliveNs = listener.nowNs();
        }
        paused = true;
        channel.config().setAutoRead(false);
    }

    /** The loop: reads on if nothing stands against it any more. */
    private void resume() {
        if (paused && channel.isWritable() && arrivals.areFew()) {
            paused = false;
            if (partialSinceNs != 0) {
                partialSinceNs = listener.nowNs();
            }
            channel.config().setAutoRead(true);
        }
    }

    /** Any thread: a frame has been taken, or refused. */
    void taken(CallFrame frame) {
        if (arrivals.taken(frame)) {
            onLoop(this::resume);
        }
    }

    /** Any thread: where the client is. */
    InetSocketAddress remoteAddress() {
        return (InetSocketAddress) channel.remoteAddress();
    }

    /** The loop: what the client has shown of itself in its last handshake; empty without TLS, or if it showed nothing. */
    List<X509Certificate> certificates() {
        return TlsDoor.certificates(channel);
    }

    /** Any thread: does something on the loop, at once if this is the loop; nothing if that has ended, and the connection with it. */
    void onLoop(Runnable action) {
        if (channel.eventLoop().inEventLoop()) {
            action.run();
            return;
        }
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException ended) {
            LOG.debug("The connection of {} has ended already", channel.remoteAddress(), ended);
        }
    }

    /**
     * The loop, from time to time: ends the connection if its client takes too long, or its user is gone. While it is not read from,
     * that the rest of a frame is missing is not the client's fault; and it is told something, because it would take the server for
     * dead when the answer to its question doesn't come.
     */
    void check(long nowNs) {
        greeting.checkUser();
        if (!paused && partialSinceNs != 0 && nowNs - partialSinceNs > settings.patienceMs() * 1_000_000) {
            close(
                    Goodbye.Reason.TIMED_OUT,
                    (greeting.isOver() ? "a frame was not complete" : "there was no Hello") + " within "
                            + settings.patienceMs() + " ms");
        } else if (unread.areStuck(channel, nowNs)) {
            close(
                    Goodbye.Reason.SLOW_READER,
                    "the client has left " + unread.bytes() + " bytes of replies unread, and read nothing for "
                            + settings.patienceMs() + " ms");
        } else if (paused && isOpen() && channel.isWritable() && nowNs - saidAliveNs > ALIVE_NS) {
            saidAliveNs = nowNs;
            write(Wire.RESOLVED, Resolved.getDefaultInstance());
        }
    }

    /** Any thread: the client does not keep to the protocol. */
    void closeMalformed(String what) {
        close(Goodbye.Reason.MALFORMED, what);
    }

    /** Any thread: says why, and ends the connection. Calls that are under way are run; nobody learns what came of them. */
    void close(Goodbye.Reason reason, String message) {
        if (open.getAndSet(false)) {
            onLoop(() -> sayGoodbye(reason, message));
        }
    }

    /** Whoever doesn't read that has patience to thank for that it doesn't end at once. */
    private void sayGoodbye(Goodbye.Reason reason, String message) {
        switch (reason) {
            // Nobody can fill the log with logins: those that were looked at are in it already.
            case SHUTTING_DOWN, NOT_AUTHENTICATED, TOO_MANY_LOGINS ->
                LOG.debug("The connection of {} ends: {}", channel.remoteAddress(), message);
            default -> tellOfEnd(reason + ": " + message);
        }
        Goodbye goodbye =
                Goodbye.newBuilder().setReason(reason).setMessage(message).build();
        endWith(framed(Wire.GOODBYE, goodbye));
    }

    private void tellOfEnd(String reason) {
        String why = LogText.of(reason);
        if (greeting.isOver()) {
            LOG.warn("The connection of {} is closed: {}", channel.remoteAddress(), why);
        } else {
            listener.strangers()
                    .tell(
                            listener.nowNs(),
                            others -> LOG.warn(
                                    "The connection of {} is closed: {}{}", channel.remoteAddress(), why, others));
        }
    }

    /** The loop: the client takes this for an HTTP server, and is told otherwise in a way that it understands. */
    void closeForHttp() {
        if (open.getAndSet(false)) {
            tellOfEnd("it asked by HTTP, and this port is for calls");
            byte[] answer = HttpAnswer.bytes();
            MessageWriter bytes = new MessageWriter(answer.length);
            bytes.raw(answer);
            endWith(bytes);
        }
    }

    private void endWith(MessageWriter last) {
        channel.config().setAutoRead(false);
        hand(last);
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        lastWait = channel.eventLoop().schedule(this::abort, settings.patienceMs(), TimeUnit.MILLISECONDS);
    }

    /** Any thread: ends the connection at once, because there is no memory for what its client doesn't read. */
    void cutOff(String why) {
        open.set(false);
        onLoop(() -> {
            LOG.warn("The connection of {} is ended: {}", channel.remoteAddress(), why);
            abort();
        });
    }

    /** Past whoever would want to say something: TLS does, and waits for it to be read. */
    private void abort() {
        if (channel.isActive()) {
            channel.pipeline().firstContext().close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        open.set(false);
        if (lastWait != null) {
            lastWait.cancel(false);
        }
        partial(0);
        listener.removed(this, counted);
        listener.wakeSites();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("The connection of {} failed", context.channel().remoteAddress(), cause);
        context.close();
    }
}
