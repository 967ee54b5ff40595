package io.reprise.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.reprise.wire.Wire;
import java.util.List;

/**
 * Finds frames in what comes from a server, and tells a {@link Connection} of them and of what befalls its channel. The
 * network thread's.
 */
final class FrameReader extends ByteToMessageDecoder {
    private static final int MAX_FRAME_BYTES = 1 << 30;

    /** The first four bytes of every answer of an HTTP server, which are too many for a frame's length. */
    private static final int HTTP = 'H' << 24 | 'T' << 16 | 'T' << 8 | 'P';

    /** The first two bytes of an alert in TLS. A server's first frame isn't as long as they would say. */
    private static final int TLS_ALERT = 0x1503;

    private final Connection connection;
    private final Counters counters;
    private boolean understood;

    FrameReader(Connection connection, Counters counters) {
        this.connection = connection;
        this.counters = counters;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connection.connected(context.channel());
    }

    /** The problem of a handshake is told here first, before the connection ends of it. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                connection.encrypted(
                        context.pipeline().get(SslHandler.class).engine().getSession());
            } else {
                connection.withoutTls(handshake.cause());
            }
        }
        super.userEventTriggered(context, event);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        connection.heard();
        if (in.readableBytes() < Wire.LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (!understood && (length == HTTP || length >>> 16 == TLS_ALERT)) {
            in.skipBytes(in.readableBytes());
            connection.otherProtocol(
                    length == HTTP
                            ? "an HTTP server answers there, as at the port of a node's page; calls go to another port, "
                                    + Wire.USUAL_PORT + " unless the node's clients.port says otherwise"
                            : "this port speaks TLS only, as that of a node's page may; calls go to " + Wire.USUAL_PORT
                                    + " unless the node's clients.port says otherwise");
            return;
        }
        if (length < 1 || length > MAX_FRAME_BYTES) {
            connection.fail("the server sent a frame of length " + length);
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
        understood = true;
        connection.received(kind, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        super.channelReadComplete(context);
        connection.heardAll();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        connection.ended();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        connection.broken(cause);
        context.close();
    }
}
