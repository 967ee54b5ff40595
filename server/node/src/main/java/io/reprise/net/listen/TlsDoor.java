package io.reprise.net.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.reprise.access.Tls;
import java.util.List;

/**
 * The first handler of a connection at a port with TLS: the first byte shows whether the client speaks TLS. A client that doesn't
 * is rejected in the clear. The handshake begins when the client has connected, so silent clients count as handshakes under way.
 */
final class TlsDoor extends ByteToMessageDecoder {
    /** The content type of a handshake, the first byte of every TLS connection. */
    private static final byte TLS_HANDSHAKE = 22;

    private final Tls tls;
    private final Handshakes handshakes;
    private final PortConnection connection;
    private final long patienceMs;
    private Handshakes.Handshake handshake;

    TlsDoor(Tls tls, Handshakes handshakes, PortConnection connection, long patienceMs) {
        this.tls = tls;
        this.handshakes = handshakes;
        this.connection = connection;
        this.patienceMs = patienceMs;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        handshake = handshakes.begin(context.channel());
        context.fireChannelActive();
    }

    /** Runs for connections that end before their first byte; the TLS handler has replaced this one in the others. */
    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        handshake.end();
        super.channelInactive(context);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.getByte(in.readerIndex()) == TLS_HANDSHAKE) {
            SslHandler handler = new SslHandler(tls.engine(), handshake);
            handler.setHandshakeTimeoutMillis(patienceMs);
            handler.handshakeFuture().addListener(over -> handshake.end());
            // The bytes received so far go on to the handler that takes this place.
            context.pipeline().replace(this, "tls", handler);
        } else if (connection.beforeTls(in) == PortConnection.Opening.OTHER) {
            connection.rejectPlaintext(in);
        }
    }
}
