package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.agent.Waker;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A link over a TCP connection. Frames are appended to a buffer, which the network loop takes as a whole, so frames
 * travel together under load. Both directions are bounded: a full send buffer rejects, and a full receive buffer stops
 * the reading of the socket, which in the end fills the peer's send buffer.
 *
 * <pre>
 *  frame    u4 length (big-endian, of what follows) | u1 FRAME | content
 * </pre>
 *
 * <p>The loop writes pieces of {@value #PIECE_BYTES} bytes, so a long frame delays other links by one piece only. Frames of
 * the same link stay in order: bulk transfers use a link of their own.
 *
 * <p>A received frame is offered to the owner's taker on the loop. If that rejects it, the frame waits for the agent, with all behind it.
 *
 * <p>The agent calls the methods of {@link Link}, and any thread sends; the handler's methods run on the loop.
 */
final class PeerLink extends ChannelInboundHandlerAdapter implements Link {
    private static final int HEADER_BYTES = PeerHello.LENGTH_BYTES + 1;
    private static final int PIECE_BYTES = 256 << 10;

    private final int bufferBytes;
    private final int maxFrameBytes;
    private final Supplier<Waker> waker;
    private final Supplier<Links.FrameTaker> taker;
    private final PeerProblems problems;
    private volatile State state = State.CONNECTING;
    private volatile boolean refused;
    private volatile int level;

    // Guarded by this.
    private Channel channel;
    private ByteBuf pending;
    private boolean flushDue;

    /** The bytes that wait or are on their way to the socket. */
    private final AtomicLong sending = new AtomicLong();

    /** The frames that the taker has rejected, and those behind them. */
    private final ConcurrentLinkedQueue<byte[]> received = new ConcurrentLinkedQueue<>();

    /** The number of these that the agent has not handled. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** Agent: whether it handles one. */
    private boolean handling;

    private final AtomicLong receivedBytes = new AtomicLong();
    private volatile boolean paused;

    // The loop's.
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>();
    private final byte[] header = new byte[HEADER_BYTES];
    private int headerBytes;
    private byte[] frame;
    private int frameBytes;
    private boolean arrived;

    PeerLink(PeerSettings settings, Supplier<Waker> waker, Supplier<Links.FrameTaker> taker, PeerProblems problems) {
        this.taker = taker;
        bufferBytes = settings.bufferBytes();
        maxFrameBytes = settings.maxFrameBytes();
        this.waker = waker;
        this.problems = problems;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public boolean isRefused() {
        return refused;
    }

    @Override
    public int level() {
        return level;
    }

    /** Any thread. */
    @Override
    public boolean send(byte[] bytes, int offset, int length) {
        if (length >= maxFrameBytes) {
            throw new IllegalArgumentException(
                    "a frame between nodes has less than " + maxFrameBytes + " bytes, not " + length);
        }
        boolean schedule;
        synchronized (this) {
            long before = sending.get();
            if (state != State.OPEN || before > 0 && before + length > bufferBytes) {
                return false;
            }
            if (pending == null) {
                pending = channel.alloc().directBuffer(Math.max(HEADER_BYTES + length, 1 << 10));
            }
            pending.writeInt(length + 1).writeByte(PeerHello.FRAME).writeBytes(bytes, offset, length);
            sending.addAndGet(HEADER_BYTES + length);
            schedule = !flushDue;
            flushDue = true;
        }
        if (schedule) {
            onLoop(this::flush);
        }
        return true;
    }

    // ---- The agent

    @Override
    public byte[] receive() {
        if (handling) {
            waiting.decrementAndGet();
        }
        byte[] next = received.poll();
        handling = next != null;
        if (next != null && receivedBytes.addAndGet(-next.length - HEADER_BYTES) <= bufferBytes / 2 && paused) {
            onLoop(this::resume);
        }
        return next;
    }

    @Override
    public void close() {
        Channel now;
        synchronized (this) {
            state = State.CLOSED;
            now = channel;
        }
        if (now != null) {
            onLoop(() -> {
                flush();
                now.close();
            });
        }
    }

    private void onLoop(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException ended) {
            // The port has closed, and with it the channel.
            state = State.CLOSED;
        }
    }

    // ---- The network loop

    /** The greeting is over. Returns false if the owner has closed the link meanwhile. */
    boolean opened(Channel now, int chosen) {
        synchronized (this) {
            if (state != State.CONNECTING) {
                return false;
            }
            channel = now;
            level = chosen;
            state = State.OPEN;
        }
        wake();
        return true;
    }

    /** No process listens at the peer's address; {@link #ended} follows. */
    void refused() {
        refused = true;
    }

    /** There is no connection, or none any more. */
    void ended() {
        synchronized (this) {
            state = State.CLOSED;
            if (pending != null) {
                pending.release();
                pending = null;
            }
        }
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        wake();
    }

    private void wake() {
        Waker owner = waker.get();
        if (owner != null) {
            owner.wake();
        }
    }

    private void flush() {
        ByteBuf full;
        synchronized (this) {
            flushDue = false;
            full = pending;
            pending = null;
        }
        if (full == null) {
            return;
        }
        while (full.readableBytes() > PIECE_BYTES) {
            pieces.add(full.readRetainedSlice(PIECE_BYTES));
        }
        pieces.add(full);
        writePieces();
    }

    private void writePieces() {
        if (!channel.isActive()) {
            pieces.forEach(ByteBuf::release);
            pieces.clear();
            return;
        }
        boolean any = false;
        while (!pieces.isEmpty() && channel.isWritable()) {
            ByteBuf piece = pieces.poll();
            int bytes = piece.readableBytes();
            channel.write(piece).addListener(written -> sent(bytes));
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    /** The owner's agent may have been told that the buffer was full. */
    private void sent(int bytes) {
        long before = sending.getAndAdd(-bytes);
        if (before > bufferBytes / 2 && before - bytes <= bufferBytes / 2) {
            wake();
        }
    }

    private void resume() {
        if (paused) {
            paused = false;
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        writePieces();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable() && context.channel().isActive()) {
                read(context, in);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ChannelHandlerContext context, ByteBuf in) {
        if (frame == null) {
            int bytes = Math.min(HEADER_BYTES - headerBytes, in.readableBytes());
            in.readBytes(header, headerBytes, bytes);
            headerBytes += bytes;
            if (headerBytes == HEADER_BYTES) {
                beginFrame(context);
            }
            return;
        }
        int bytes = Math.min(frame.length - frameBytes, in.readableBytes());
        in.readBytes(frame, frameBytes, bytes);
        frameBytes += bytes;
        endFrame();
    }

    private void beginFrame(ChannelHandlerContext context) {
        headerBytes = 0;
        int length = (header[0] & 0xFF) << 24 | (header[1] & 0xFF) << 16 | (header[2] & 0xFF) << 8 | header[3] & 0xFF;
        byte kind = header[PeerHello.LENGTH_BYTES];
        if (length < 1 || length > maxFrameBytes || kind != PeerHello.FRAME) {
            problems.accepted(
                    context.channel().remoteAddress(),
                    "a frame of kind " + kind + " has the length " + Integer.toUnsignedString(length)
                            + "; the link is closed");
            context.close();
            return;
        }
        frame = new byte[length - 1];
        frameBytes = 0;
        endFrame();
    }

    private void endFrame() {
        if (frameBytes < frame.length) {
            return;
        }
        byte[] whole = frame;
        frame = null;
        if (waiting.get() > 0 || !isTaken(whole)) {
            keep(whole);
        }
    }

    private boolean isTaken(byte[] whole) {
        Links.FrameTaker now = taker.get();
        return now != null && now.take(whole);
    }

    private void keep(byte[] whole) {
        waiting.incrementAndGet();
        received.add(whole);
        arrived = true;
        long bytes = receivedBytes.addAndGet(whole.length + HEADER_BYTES);
        if (bytes > bufferBytes && !paused) {
            paused = true;
            channel.config().setAutoRead(false);
            // The agent may have taken the frames before it could see the pause.
            if (receivedBytes.get() <= bufferBytes / 2) {
                resume();
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (arrived) {
            arrived = false;
            wake();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended();
    }

    /** A broken connection; its end follows. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
