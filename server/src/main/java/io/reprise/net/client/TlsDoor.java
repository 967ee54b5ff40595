package io.reprise.net.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * What stands before a connection where the port speaks TLS: the first byte tells whether the client does. One that doesn't is
 * told so in the clear, because it would not understand anything else.
 */
final class TlsDoor extends ByteToMessageDecoder {
    private final SSLContext context;
    private final ClientConnection connection;
    private final long patienceMs;

    TlsDoor(SSLContext context, ClientConnection connection, long patienceMs) {
        this.context = context;
        this.connection = connection;
        this.patienceMs = patienceMs;
    }

    @Override
    protected void decode(ChannelHandlerContext channel, ByteBuf in, List<Object> out) {
        if (in.getByte(in.readerIndex()) == Wire.TLS_HANDSHAKE) {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            SslHandler tls = new SslHandler(engine);
            tls.setHandshakeTimeoutMillis(patienceMs);
            // What has come so far goes on to the one that takes this place.
            channel.pipeline().replace(this, "tls", tls);
        } else {
            in.skipBytes(in.readableBytes());
            connection.close(
                    Goodbye.Reason.TLS_REQUIRED,
                    "this port speaks TLS only; connect with TLS (ClientSettings.withTls, --tls-ca)");
        }
    }
}
