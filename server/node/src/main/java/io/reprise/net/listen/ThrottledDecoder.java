package io.reprise.net.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.function.LongSupplier;

/**
 * A decoder whose socket is not read while its client reads no replies, or while sites have no room for its messages. It also
 * knows since when a message is incomplete, so that a client that sends half a message can be cut off. Owned by the channel's
 * network thread.
 */
public abstract class ThrottledDecoder extends ByteToMessageDecoder {
    private final LongSupplier clockNs;
    private Channel channel;
    private boolean paused;
    private long pausedSinceNs;
    private long partialSinceNs;

    /** A decoder that reads. */
    protected ThrottledDecoder(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /** Whether there is room for more messages. */
    protected abstract boolean hasRoom();

    /** The channel is open. */
    protected abstract void opened();

    /** The channel is closed. */
    protected abstract void closed();

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        partialSinceNs = clockNs.getAsLong();
        opened();
        context.fireChannelActive();
    }

    /** Netty's decoder asks for more after each read that gave no message; it must not while this is paused. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        if (paused) {
            discardSomeReadBytes();
            context.fireChannelReadComplete();
        } else {
            super.channelReadComplete(context);
        }
    }

    /** A client that doesn't read its replies may not send requests either. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            resume();
        } else {
            pause();
        }
        context.fireChannelWritabilityChanged();
    }

    /** Stops reading the socket. */
    public final void pause() {
        if (!paused) {
            pausedSinceNs = clockNs.getAsLong();
        }
        paused = true;
        channel.config().setAutoRead(false);
    }

    /** Reads the socket again, if client and sites have room. */
    public final void resume() {
        if (paused && channel.isWritable() && hasRoom()) {
            paused = false;
            if (partialSinceNs != 0) {
                partialSinceNs = clockNs.getAsLong();
            }
            channel.config().setAutoRead(true);
        }
    }

    /** Whether the socket is not read although the client reads. */
    protected final boolean isPausedForRoom() {
        return paused && channel.isWritable();
    }

    /** The time of the last pause. */
    protected final long pausedSinceNs() {
        return pausedSinceNs;
    }

    /** A message is incomplete, since now if none was. */
    protected final void partial() {
        if (partialSinceNs == 0) {
            partialSinceNs = clockNs.getAsLong();
        }
    }

    /** No message is incomplete. */
    protected final void complete() {
        partialSinceNs = 0;
    }

    /**
     * Whether a message has been incomplete for this long. Never while the socket is not read, which isn't the client's fault.
     */
    public final boolean isLate(long nowNs, long patienceNs) {
        return !paused && partialSinceNs != 0 && nowNs - partialSinceNs > patienceNs;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed();
        context.fireChannelInactive();
    }
}
