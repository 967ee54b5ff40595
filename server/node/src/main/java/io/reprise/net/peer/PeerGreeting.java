package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The greeting on a connection between nodes, from either side. It reads one short frame, and leaves the pipeline to the
 * handler that follows. A connection that has not greeted in time is closed.
 *
 * <p>Owned by the connection's network loop.
 */
abstract class PeerGreeting extends ByteToMessageDecoder {
    private static final int HEADER_BYTES = PeerHello.LENGTH_BYTES + 1;

    final PeerSettings own;
    private ScheduledFuture<?> timeout;
    private boolean ended;

    PeerGreeting(PeerSettings own) {
        this.own = own;
        setSingleDecode(true);
    }

    /** Takes the content of the first frame. */
    abstract void greeted(ChannelHandlerContext context, byte kind, ByteBuf content);

    /** There will be no greeting. Called once, before the channel is closed. */
    abstract void failed(ChannelHandlerContext context, String why);

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(
                        () -> fail(context, "no greeting came within " + own.greetingMs() + " ms"),
                        own.greetingMs(),
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (ended || in.readableBytes() < HEADER_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > PeerHello.MOST_BYTES) {
            in.skipBytes(in.readableBytes());
            fail(context, length >>> 24 == PeerDoor.TLS_HANDSHAKE ? speaksTls() : noPeer());
            return;
        }
        if (in.readableBytes() < PeerHello.LENGTH_BYTES + length) {
            return;
        }
        in.skipBytes(PeerHello.LENGTH_BYTES);
        byte kind = in.readByte();
        ByteBuf content = in.readSlice(length - 1);
        greeted(context, kind, content);
    }

    static String noPeer() {
        return "the other side does not speak the protocol between nodes: check the address and the port";
    }

    private String speaksTls() {
        return "the other side speaks TLS, and node " + own.node()
                + " has no certificate for peers: set cluster.peer certificate, key and authorities on all nodes";
    }

    /** The greeting is over: no timeout any more. */
    final void end() {
        ended = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    /** Ends the connection. */
    final void fail(ChannelHandlerContext context, String why) {
        if (!ended) {
            end();
            failed(context, why);
            context.close();
        }
    }

    /** Answers a refusal, and ends the connection behind it. */
    final void refuse(ChannelHandlerContext context, String why) {
        if (!ended) {
            end();
            failed(context, why);
            context.writeAndFlush(PeerHello.refused(context.alloc(), why)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** The reason why the peer's certificate does not belong to the node; empty if it does, or without TLS. */
    final Optional<String> certificateProblem(ChannelHandlerContext context, int node) {
        if (own.tls().isEmpty()) {
            return Optional.empty();
        }
        SslHandler handler = context.pipeline().get(SslHandler.class);
        try {
            X509Certificate certificate =
                    (X509Certificate) handler.engine().getSession().getPeerCertificates()[0];
            return own.tls().get().problem(certificate, node);
        } catch (SSLPeerUnverifiedException none) {
            return Optional.of("node " + node + " shows no certificate: set cluster.peer certificate on it");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        fail(context, "the connection ended before the greeting");
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof NotSslRecordException) {
            fail(
                    context,
                    "the other side does not speak TLS: set cluster.peer certificate, key and authorities on all nodes");
        } else if (reason instanceof SSLException) {
            fail(
                    context,
                    "the TLS handshake failed (" + reason.getMessage()
                            + "): certificates of all nodes have to come from the cluster's authority");
        } else {
            fail(context, String.valueOf(reason));
        }
    }
}
