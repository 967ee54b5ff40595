package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import java.util.List;

/**
 * The first handler of a peer's connection at a port with TLS. A peer without TLS is refused in the clear, so that its
 * operator learns the reason.
 */
final class PeerDoor extends ByteToMessageDecoder {
    /** The content type of a handshake, the first byte of every TLS connection. */
    static final byte TLS_HANDSHAKE = 22;

    private final PeerSettings own;
    private final PeerTls tls;
    private final PeerProblems problems;

    PeerDoor(PeerSettings own, PeerTls tls, PeerProblems problems) {
        this.own = own;
        this.tls = tls;
        this.problems = problems;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.getByte(in.readerIndex()) == TLS_HANDSHAKE) {
            SslHandler handler = new SslHandler(tls.engine(false));
            handler.setHandshakeTimeoutMillis(own.greetingMs());
            // The bytes received so far go on to the handler that takes this place.
            context.pipeline().replace(this, "tls", handler);
            return;
        }
        in.skipBytes(in.readableBytes());
        String why = "node " + own.node()
                + " requires TLS between nodes: set cluster.peer certificate, key and authorities on all nodes";
        problems.accepted(context.channel().remoteAddress(), "it speaks no TLS; " + why);
        context.writeAndFlush(PeerHello.refused(context.alloc(), why)).addListener(ChannelFutureListener.CLOSE);
    }
}
