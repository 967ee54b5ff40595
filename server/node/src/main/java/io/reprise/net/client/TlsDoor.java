package io.reprise.net.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.reprise.access.Tls;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * What stands before a connection where the port speaks TLS: the first byte tells whether the client does. One that doesn't is
 * told so in the clear, because it would not understand anything else. Its handshake begins when it has connected: whoever sends nothing
 * is one of those that are waited for, too, and they are bounded.
 */
final class TlsDoor extends ByteToMessageDecoder {
    private final Tls tls;
    private final Handshakes handshakes;
    private final ClientConnection connection;
    private final long patienceMs;
    private Handshakes.Handshake handshake;

    TlsDoor(Tls tls, Handshakes handshakes, ClientConnection connection, long patienceMs) {
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

    /** Before the first byte; later it is the one that takes this place that learns of it. */
    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        handshake.end();
        super.channelInactive(context);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.getByte(in.readerIndex()) == Wire.TLS_HANDSHAKE) {
            SslHandler handler = new SslHandler(tls.engine(), handshake);
            handler.setHandshakeTimeoutMillis(patienceMs);
            handler.handshakeFuture().addListener(over -> handshake.end());
            // What has come so far goes on to the one that takes this place.
            context.pipeline().replace(this, "tls", handler);
        } else if (in.readableBytes() >= Integer.BYTES && HttpAnswer.isAsked(in.getInt(in.readerIndex()))) {
            in.skipBytes(in.readableBytes());
            connection.closeForHttp();
        } else {
            in.skipBytes(in.readableBytes());
            connection.close(
                    Goodbye.Reason.TLS_REQUIRED,
                    "this port speaks TLS only; connect with TLS (ClientSettings.withTls, --tls-ca)");
        }
    }

    /** After the handshake: what the client has shown of itself; empty without TLS, or if it showed nothing. */
    static List<X509Certificate> certificates(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        if (handler == null) {
            return List.of();
        }
        try {
            return Arrays.stream(handler.engine().getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
    }
}
