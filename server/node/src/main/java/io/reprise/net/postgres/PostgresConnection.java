package io.reprise.net.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.ClientSession;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.session.Session;
import io.reprise.net.session.UnreadReplies;
import io.reprise.runtime.LogText;
import io.reprise.session.SessionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection in the PostgreSQL protocol.
 *
 * <pre>
 *  NEW --startup--> (LOGGING IN --password-->) OPEN --Terminate, or the client has gone--> CLOSED
 *   |                    |                       |
 *   +--- malformed, wrong password, too slow: FATAL error ---> CLOSED
 * </pre>
 *
 * <p>Owned by its network loop, except the running of messages ({@link MessagePump}).
 */
final class PostgresConnection implements PortConnection, MessageDecoder.Receiver, UnreadReplies.Reader {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");
    private static final long NS_PER_MS = 1_000_000;
    private static final int SSL_REQUEST_BYTES = 8;

    private final PostgresProtocol protocol;
    private final ClientChannel client;
    private final Channel channel;
    private final int number;
    private final int secret;
    private final MessageDecoder decoder;
    private final UnreadReplies unread;
    private final Session session;
    private final Replies replies = new Replies(new BodyWriter());
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final PostgresLogin login;
    private final MessagePump messages;

    PostgresConnection(PostgresProtocol protocol, ClientChannel client, int number, int secret) {
        this.protocol = protocol;
        this.client = client;
        this.number = number;
        this.secret = secret;
        channel = client.netty();
        decoder = new MessageDecoder(this, protocol::nowNs, protocol.limits().maxFrameBytes());
        unread = protocol.unread(this);
        session = protocol.session();
        login = new PostgresLogin(protocol, client, this, session, replies);
        messages = new MessagePump(
                this,
                client,
                protocol.runners(),
                decoder,
                replies,
                protocol.limits().unreadBytes());
    }

    int number() {
        return number;
    }

    int secret() {
        return secret;
    }

    @Override
    public ChannelHandler handler() {
        return decoder;
    }

    @Override
    public void opened() {
        protocol.opened(number, this, unread);
    }

    @Override
    public boolean isOpen() {
        return open.get();
    }

    @Override
    public boolean isStarted() {
        return login.isStarted();
    }

    @Override
    public boolean isLoggedIn() {
        return messages.runner() != null;
    }

    @Override
    public void startup(Startup message) {
        switch (message.code()) {
            case Startup.SSL_REQUEST, Startup.GSS_REQUEST -> {
                replies.out().int8('N');
                send();
            }
            case Startup.CANCEL_REQUEST -> cancelAnother(message);
            default -> login.begin(message);
        }
    }

    private void cancelAnother(Startup message) {
        try {
            BodyReader in = new BodyReader(message.body());
            protocol.cancel(in.int32(), in.int32());
        } catch (SessionException malformed) {
            LOG.debug("A malformed cancel request of {}", client.remoteAddress(), malformed);
        }
        open.set(false);
        client.closeAfterFlush();
    }

    @Override
    public void message(FrontendMessage message) {
        if (isLoggedIn()) {
            messages.add(message);
        } else {
            login.password(message);
        }
    }

    /** The loop: the login has succeeded. */
    void loggedIn(MessageRunner runner) {
        messages.begin(runner);
        decoder.loggedIn();
    }

    @Override
    public void received() {
        messages.runMessages();
    }

    /** Any thread: whether the client has read enough to be answered. */
    boolean hasRoomToAnswer() {
        return unread.room(0, 0) >= 0;
    }

    @Override
    public boolean hasRoom() {
        return messages.hasRoom();
    }

    /** The client has said goodbye. */
    void end() {
        if (open.getAndSet(false)) {
            client.onLoop(client::closeAfterFlush);
        }
    }

    /** Any thread: the client asks by another connection. */
    void cancel() {
        MessageRunner of = messages.runner();
        if (of != null) {
            of.cancel();
        }
    }

    /** Hands the written replies over. By the loop before messages are run, and then by the thread that runs them. */
    void send() {
        BodyWriter out = replies.out();
        int length = out.length();
        if (length == 0) {
            return;
        }
        ByteBuf buffer;
        try {
            buffer = channel.alloc().directBuffer(length, length);
        } catch (OutOfMemoryError e) {
            cutOff("there is no memory for " + length + " bytes of replies: " + e.getMessage());
            return;
        }
        buffer.writeBytes(out.array(), 0, length);
        out.clear();
        unread.add(length);
        channel.writeAndFlush(buffer).addListener(written -> written(length));
    }

    private void written(int bytes) {
        if (unread.take(bytes)) {
            decoder.resume();
        }
        messages.runMessages();
    }

    @Override
    public void mayGoOn() {
        messages.runMessages();
    }

    @Override
    public void check(long nowNs) {
        session.problem().ifPresent(why -> endWith("28000", why));
        long patienceMs = protocol.patienceMs();
        if (!session.isLoggingIn() && decoder.isLate(nowNs, patienceMs * NS_PER_MS)) {
            cutOff("a message, or the login, was not complete within " + patienceMs + " ms");
        } else if (unread.areStuck(channel, nowNs)) {
            cutOff("the client has left " + unread.bytes() + " bytes of replies unread, and read nothing for "
                    + patienceMs + " ms");
        }
    }

    @Override
    public void rejectTooMany(int maxConnections) {
        reject("53300", "sorry, too many clients already: the server has " + maxConnections + " connections");
    }

    @Override
    public Opening beforeTls(ByteBuf in) {
        if (in.readableBytes() < SSL_REQUEST_BYTES) {
            return in.getByte(in.readerIndex()) == 0 ? Opening.INCOMPLETE : Opening.OTHER;
        }
        int code = in.getInt(in.readerIndex() + Integer.BYTES);
        if (in.getInt(in.readerIndex()) != SSL_REQUEST_BYTES
                || code != Startup.SSL_REQUEST && code != Startup.GSS_REQUEST) {
            return Opening.OTHER;
        }
        in.skipBytes(SSL_REQUEST_BYTES);
        channel.writeAndFlush(channel.alloc().buffer(1).writeByte(code == Startup.SSL_REQUEST ? 'S' : 'N'));
        return Opening.ANSWERED;
    }

    @Override
    public void rejectPlaintext(ByteBuf in) {
        boolean cancels = in.readableBytes() >= 4 * Integer.BYTES
                && in.getInt(in.readerIndex() + Integer.BYTES) == Startup.CANCEL_REQUEST;
        if (cancels) {
            // Drivers send it in the clear; the secret tells who may.
            protocol.cancel(
                    in.getInt(in.readerIndex() + 2 * Integer.BYTES), in.getInt(in.readerIndex() + 3 * Integer.BYTES));
        }
        in.skipBytes(in.readableBytes());
        reject("28000", "this port takes connections with TLS only; use sslmode=require");
    }

    /** Any thread: ends the connection with a fatal error. */
    @Override
    public void reject(String state, String message) {
        endWith(state, message);
    }

    private void endWith(String state, String message) {
        if (open.getAndSet(false)) {
            client.onLoop(() -> {
                LOG.debug("The connection of {} ends: {}", client.remoteAddress(), LogText.of(message));
                // The thread that runs messages may be writing to the other buffer.
                Replies last = new Replies(new BodyWriter());
                last.fatal(state, message);
                int length = last.out().length();
                unread.add(length);
                channel.writeAndFlush(channel.alloc()
                                .buffer(length)
                                .writeBytes(last.out().array(), 0, length))
                        .addListener(written -> unread.take(length));
                client.closeAfterFlush();
            });
        }
    }

    @Override
    public void shutDown() {
        endWith("57P01", "terminating connection due to administrator command");
    }

    @Override
    public ClientSession.Details details() {
        MessageRunner of = messages.runner();
        ClientSession.State state = of == null
                ? ClientSession.State.CONNECTING
                : messages.isRunning()
                        ? ClientSession.State.ACTIVE
                        : switch (of.status()) {
                            case 'T' -> ClientSession.State.IN_TRANSACTION;
                            case 'E' -> ClientSession.State.IN_FAILED_TRANSACTION;
                            default -> ClientSession.State.IDLE;
                        };
        return new ClientSession.Details(
                "postgres", number, session.user().login(), state, of == null ? "" : of.statement(), unread.bytes());
    }

    @Override
    public boolean cancelStatement() {
        cancel();
        return true;
    }

    @Override
    public void endSession() {
        endWith("57P01", "terminating connection due to administrator command");
    }

    @Override
    public void cutOff(String why) {
        open.set(false);
        client.onLoop(() -> {
            LOG.warn("The connection of {} is ended: {}", client.remoteAddress(), LogText.of(why));
            client.abort();
        });
    }

    @Override
    public void closed() {
        open.set(false);
        protocol.closed(number, unread);
        MessageRunner of = messages.runner();
        if (of != null) {
            of.leave();
        }
        messages.endRunner();
    }
}
