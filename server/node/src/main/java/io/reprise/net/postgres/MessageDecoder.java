package io.reprise.net.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.reprise.net.listen.ThrottledDecoder;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits a connection's bytes into messages, and pauses and resumes reading the socket. Owned by the network loop.
 */
final class MessageDecoder extends ThrottledDecoder {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");
    private static final int LENGTH_BYTES = 4;
    private static final int MOST_BEFORE_LOGIN = 1 << 16;

    /** The receiver of messages. */
    interface Receiver {
        /** The channel is connected. */
        void opened();

        /** Whether messages are still taken; further bytes are dropped otherwise. */
        boolean isOpen();

        /** Whether the first message was taken. */
        boolean isStarted();

        /** Whether the login is over. */
        boolean isLoggedIn();

        /** The first message. */
        void startup(Startup message);

        /** A later message. */
        void message(FrontendMessage message);

        /** The messages of one read of the socket have been given. */
        void received();

        /** The client violates the protocol or a limit. */
        void reject(String state, String message);

        /** Whether there is room for more messages. */
        boolean hasRoom();

        /** The channel is closed. */
        void closed();
    }

    private final Receiver receiver;
    private final int maxMessageBytes;

    MessageDecoder(Receiver receiver, LongSupplier clockNs, int maxMessageBytes) {
        super(clockNs);
        this.receiver = receiver;
        this.maxMessageBytes = maxMessageBytes;
    }

    @Override
    protected boolean hasRoom() {
        return receiver.hasRoom();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        receiver.received();
        super.channelReadComplete(context);
    }

    @Override
    protected void opened() {
        receiver.opened();
    }

    @Override
    protected void closed() {
        receiver.closed();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (!receiver.isOpen()) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!receiver.isStarted()) {
            decodeStartup(in);
        } else {
            decodeMessage(in);
        }
        if (in.isReadable() || !receiver.isLoggedIn()) {
            partial();
        } else {
            complete();
        }
    }

    private void decodeStartup(ByteBuf in) {
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 2 * LENGTH_BYTES || length > Startup.MOST_BYTES) {
            in.skipBytes(in.readableBytes());
            receiver.reject("08P01", "invalid length of startup packet");
            return;
        }
        if (in.readableBytes() >= length) {
            in.skipBytes(LENGTH_BYTES);
            int code = in.readInt();
            byte[] body = new byte[length - 2 * LENGTH_BYTES];
            in.readBytes(body);
            receiver.startup(new Startup(code, body));
        }
    }

    private void decodeMessage(ByteBuf in) {
        if (in.readableBytes() < 1 + LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex() + 1);
        int most = receiver.isLoggedIn() ? maxMessageBytes : MOST_BEFORE_LOGIN;
        if (length < LENGTH_BYTES || length > most) {
            in.skipBytes(in.readableBytes());
            receiver.reject(
                    "08P01", "a message has " + length + " bytes, and the server takes " + most + " bytes at most");
            return;
        }
        if (in.readableBytes() > length) {
            byte kind = in.readByte();
            in.skipBytes(LENGTH_BYTES);
            byte[] body = new byte[length - LENGTH_BYTES];
            in.readBytes(body);
            receiver.message(new FrontendMessage(kind, body));
        }
    }

    /** The login is over. */
    void loggedIn() {
        complete();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("The connection of {} failed", context.channel().remoteAddress(), cause);
        context.close();
    }
}
