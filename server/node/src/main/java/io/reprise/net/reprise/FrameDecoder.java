package io.reprise.net.reprise;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.reprise.net.listen.ThrottledDecoder;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits a connection's bytes into frames, and pauses and resumes reading the socket. Bounds the length of frames and the bytes of
 * all incomplete ones, and knows since when a frame is incomplete. Owned by the network loop.
 */
final class FrameDecoder extends ThrottledDecoder {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    /** Incomplete frames up to this length are not counted: the socket's buffer holds as much. */
    private static final int SMALL_FRAME_BYTES = 1 << 16;

    private static final long SIGN_OF_LIFE_NS = 1_000_000_000;

    /** The receiver of frames. */
    interface Receiver {
        /** The channel is connected. */
        void opened();

        /** Whether frames are still taken; further bytes are dropped otherwise. */
        boolean isOpen();

        /** Whether the first frame was taken and answered. */
        boolean isGreeted();

        /** A whole frame. */
        void frame(byte kind, byte[] message);

        /** All bytes of a read have been decoded. */
        void readEnded();

        /** The first bytes are an HTTP request. */
        void askedByHttp();

        /** The client violates the protocol or a limit. */
        void reject(Goodbye.Reason reason, String message);

        /** Whether sites have room for more frames. */
        boolean hasRoom();

        /** The channel is closed. */
        void closed();
    }

    private final Receiver receiver;
    private final int maxFrameBytes;
    private final long maxPartialBytes;

    /** The bytes of incomplete frames of all connections. */
    private final AtomicLong allPartialBytes;

    private long signOfLifeNs;
    private int partialBytes;

    FrameDecoder(
            Receiver receiver,
            LongSupplier clockNs,
            int maxFrameBytes,
            long maxPartialBytes,
            AtomicLong allPartialBytes) {
        super(clockNs);
        this.receiver = receiver;
        this.maxFrameBytes = maxFrameBytes;
        this.maxPartialBytes = maxPartialBytes;
        this.allPartialBytes = allPartialBytes;
    }

    @Override
    protected boolean hasRoom() {
        return receiver.hasRoom();
    }

    @Override
    protected void opened() {
        receiver.opened();
    }

    @Override
    protected void closed() {
        receiver.closed();
        partial(0);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int readable = in.readableBytes();
        if (!receiver.isOpen()) {
            in.skipBytes(readable);
        } else if (readable < Wire.LENGTH_BYTES) {
            partial(Math.min(readable, 1));
        } else if (!receiver.isGreeted() && isOtherProtocol(in)) {
            in.skipBytes(readable);
        } else {
            decodeFrame(in, readable);
        }
    }

    private boolean isOtherProtocol(ByteBuf in) {
        if (in.getByte(in.readerIndex()) == Wire.TLS_HANDSHAKE) {
            receiver.reject(
                    Goodbye.Reason.MALFORMED,
                    "the client speaks TLS, and this port does not; connect without it, or have the server given a"
                            + " certificate");
            return true;
        }
        if (HttpAnswer.isAsked(in.getInt(in.readerIndex()))) {
            receiver.askedByHttp();
            return true;
        }
        return false;
    }

    private void decodeFrame(ByteBuf in, int readable) {
        int length = in.getInt(in.readerIndex());
        int most = receiver.isGreeted() ? maxFrameBytes : Wire.MAX_FIRST_FRAME_BYTES;
        if (length < 1) {
            in.skipBytes(readable);
            receiver.reject(Goodbye.Reason.MALFORMED, "a frame has the length " + length);
        } else if (length > most) {
            in.skipBytes(readable);
            receiver.reject(
                    Goodbye.Reason.FRAME_TOO_LARGE,
                    "a frame has " + length + " bytes, and the server takes " + most + " at most"
                            + (receiver.isGreeted() ? "" : " as the first"));
        } else if (readable < Wire.LENGTH_BYTES + length) {
            partial(length);
        } else {
            partial(0);
            in.skipBytes(Wire.LENGTH_BYTES);
            byte kind = in.readByte();
            byte[] message = new byte[length - 1];
            in.readBytes(message);
            receiver.frame(kind, message);
        }
    }

    /** A frame of this many bytes has begun and is incomplete; 0: no frame is. */
    private void partial(int bytes) {
        if (bytes == 0) {
            complete();
        } else {
            partial();
        }
        int counted = bytes > SMALL_FRAME_BYTES ? bytes : 0;
        if (counted != partialBytes) {
            long all = allPartialBytes.addAndGet(counted - partialBytes);
            partialBytes = counted;
            if (counted > 0 && all > maxPartialBytes) {
                receiver.reject(
                        Goodbye.Reason.OUT_OF_MEMORY,
                        "the server has no memory left for a frame of " + bytes + " bytes");
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        receiver.readEnded();
        super.channelReadComplete(context);
    }

    /**
     * Whether the client should be sent something, because it isn't read and so gets no answer to its keep-alive. True once a
     * second.
     */
    boolean owesSignOfLife(long nowNs) {
        boolean due = isPausedForRoom() && nowNs - Math.max(signOfLifeNs, pausedSinceNs()) > SIGN_OF_LIFE_NS;
        if (due) {
            signOfLifeNs = nowNs;
        }
        return due;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("The connection of {} failed", context.channel().remoteAddress(), cause);
        context.close();
    }
}
