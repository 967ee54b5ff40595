package io.reprise.net.reprise;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.reprise.cluster.Topology;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.ClientSession;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.session.Session;
import io.reprise.net.session.SessionUser;
import io.reprise.net.session.UnreadReplies;
import io.reprise.wire.CallReader;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.net.InetSocketAddress;

/**
 * A client's connection in the native protocol: dispatches frames, sends replies, and ends with a Goodbye.
 *
 * <pre>
 *  GREETING --Hello--> (LOGGING IN -->) OPEN --Goodbye written, or the client has gone--> CLOSED
 *     |                    |             |
 *     +--- no common version, malformed, too long, too slow, wrong password: Goodbye ---> CLOSED
 * </pre>
 *
 * <p>Owned by its network loop. As a {@link CallSource} it serves sites, which hand over replies and may end the
 * connection. Their calls are atomic or pass through the loop's queue.
 */
final class NativeConnection
        implements PortConnection,
                CallSource,
                FrameDecoder.Receiver,
                UnreadReplies.Reader,
                Greeting.Client,
                PassedCalls.Client {
    private static final long NS_PER_MS = 1_000_000;

    private final NativeProtocol protocol;
    private final ClientChannel client;
    private final Channel channel;

    /** Chooses the site of calls without a hint. */
    private final int number;

    private final Outbox[] outboxes;
    private final FrameDecoder decoder;
    private final Arrivals arrivals;
    private final UnreadReplies unread;
    private final StatementRuns statements;
    private final Session session;
    private final Greeting greeting;
    private final NativeEnd end;

    /** Whether another node passes the requests on, so that they are not passed on once more. */
    private final boolean fromNode;

    /** Requests that are passed on; null until the first. */
    private PassedCalls passed;

    NativeConnection(NativeProtocol protocol, ClientChannel client, int number, Session session, boolean fromNode) {
        this.protocol = protocol;
        this.client = client;
        this.number = number;
        channel = client.netty();
        decoder = protocol.decoder(this);
        arrivals = protocol.arrivals();
        unread = protocol.unread(this);
        this.session = session;
        this.fromNode = fromNode;
        greeting = new Greeting(this, session);
        end = new NativeEnd(client, greeting::isOver, this::hand, protocol.strangers(), protocol::nowNs);
        statements = new StatementRuns(this, session, protocol.backend(), client::onLoop, protocol.maxResultBytes());
        outboxes = new Outbox[protocol.sites()];
        for (int i = 0; i < outboxes.length; i++) {
            outboxes[i] = new Outbox(this);
        }
    }

    @Override
    public ChannelHandler handler() {
        return decoder;
    }

    FrameDecoder decoder() {
        return decoder;
    }

    @Override
    public boolean passesOn() {
        return !fromNode && protocol.cluster() != null && protocol.cluster().passesOn();
    }

    @Override
    public void pass(PassedCall call) {
        client.onLoop(() -> {
            if (isOpen()) {
                protocol.countPassedOn();
                passed().pass(call);
            }
        });
    }

    private PassedCalls passed() {
        if (passed == null) {
            passed = new PassedCalls(protocol.cluster(), this);
        }
        return passed;
    }

    /** Any thread: tells the client another topology. A node that passes requests on has its own. */
    void topologyChanged(Topology before, Topology now) {
        client.onLoop(() -> {
            if (greeting.isOver() && !fromNode) {
                write(Wire.TOPOLOGY, ClusterSide.told(now));
            }
            if (passed != null && before != null) {
                passed.changed(before, now);
            }
        });
    }

    @Override
    public int mostCalls() {
        return protocol.mostCalls();
    }

    @Override
    public long nowNs() {
        return protocol.nowNs();
    }

    @Override
    public EventLoop loop() {
        return channel.eventLoop();
    }

    @Override
    public boolean isOpen() {
        return end.isOpen();
    }

    @Override
    public boolean isGreeted() {
        return greeting.isOver();
    }

    @Override
    public boolean hasRoom() {
        return arrivals.areFew();
    }

    @Override
    public long clientId() {
        return greeting.clientId();
    }

    @Override
    public SessionUser user() {
        return session.user();
    }

    @Override
    public void countNotPermitted() {
        session.countNotPermitted();
    }

    @Override
    public UnreadReplies unread() {
        return unread;
    }

    @Override
    public ClientChannel client() {
        return client;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return client.remoteAddress();
    }

    @Override
    public void opened() {
        protocol.opened(this);
    }

    @Override
    public void frame(byte kind, byte[] message) {
        try {
            if (!greeting.isOver()) {
                greeting.frame(kind, message);
                return;
            }
            if (kind != Wire.CALLS) {
                arrivals.handOver();
            }
            switch (kind) {
                case Wire.CALLS -> calls(message);
                case Wire.RESOLVE -> resolve(message);
                case Wire.STATEMENT -> statements.run(message);
                case Wire.SCHEMA_PART -> statements.change(message);
                default -> closeMalformed("a frame is of kind " + kind + ", which a client does not send");
            }
        } catch (MalformedMessageException | InvalidProtocolBufferException e) {
            closeMalformed(e.getMessage());
        }
    }

    /** Calls go to the site that they name, or to the one of this connection. */
    private void calls(byte[] message) {
        int site = protocol.hintedSites().of(CallReader.partition(message, 0, message.length), number);
        if (arrivals.add(new CallFrame(outboxes[site], message, protocol.nowNs()), site)) {
            decoder.pause();
        }
    }

    private void resolve(byte[] message) throws InvalidProtocolBufferException {
        Resolve asked = Resolve.parseFrom(message);
        write(Wire.RESOLVED, protocol.resolver().resolve(asked.getId(), asked.getProcedure(), session));
    }

    @Override
    public void readEnded() {
        try {
            arrivals.handOver();
        } catch (MalformedMessageException e) {
            closeMalformed(e.getMessage());
        }
    }

    @Override
    public void welcome() {
        write(Wire.WELCOME, protocol.welcome());
    }

    @Override
    public void send(MessageWriter frames) {
        if (isOpen()) {
            hand(frames);
        }
    }

    private void hand(MessageWriter frames) {
        int length = frames.length();
        ByteBuf buffer;
        try {
            buffer = channel.alloc().directBuffer(length, length);
        } catch (OutOfMemoryError e) {
            // Only this client suffers; the thread may be a site's.
            cutOff("there is no memory for " + length + " bytes of replies: " + e.getMessage());
            return;
        }
        buffer.writeBytes(frames.array(), 0, length);
        unread.add(length);
        channel.writeAndFlush(buffer).addListener(written -> written(length));
    }

    /** The loop: bytes have gone to the socket, or never will. */
    private void written(int bytes) {
        if (unread.take(bytes)) {
            decoder.resume();
        }
        statements.goOn();
    }

    private void write(byte kind, MessageLite message) {
        send(NativeEnd.framed(kind, message));
    }

    @Override
    public void taken(int weight) {
        if (arrivals.taken(weight)) {
            client.onLoop(decoder::resume);
        }
    }

    @Override
    public void mayGoOn() {
        protocol.wakeSites();
    }

    @Override
    public void check(long nowNs) {
        session.problem().ifPresent(why -> end.close(Goodbye.Reason.NOT_AUTHENTICATED, why));
        long patienceMs = protocol.patienceMs();
        if (decoder.isLate(nowNs, patienceMs * NS_PER_MS)) {
            end.close(
                    Goodbye.Reason.TIMED_OUT,
                    (greeting.isOver() ? "a frame was not complete" : "there was no Hello") + " within " + patienceMs
                            + " ms");
        } else if (unread.areStuck(channel, nowNs)) {
            end.close(
                    Goodbye.Reason.SLOW_READER,
                    "the client has left " + unread.bytes() + " bytes of replies unread, and read nothing for "
                            + patienceMs + " ms");
        } else if (isOpen() && decoder.owesSignOfLife(nowNs)) {
            write(Wire.RESOLVED, Resolved.getDefaultInstance());
        }
    }

    @Override
    public void rejectTooMany(int maxConnections) {
        end.close(
                Goodbye.Reason.TOO_MANY_CONNECTIONS,
                "the server has " + maxConnections + " connections already; try again later");
    }

    @Override
    public void rejectPlaintext(ByteBuf in) {
        boolean http = in.readableBytes() >= Integer.BYTES && HttpAnswer.isAsked(in.getInt(in.readerIndex()));
        in.skipBytes(in.readableBytes());
        if (http) {
            askedByHttp();
        } else {
            end.close(
                    Goodbye.Reason.TLS_REQUIRED,
                    "this port speaks TLS only; connect with TLS (ClientSettings.withTls, --tls-ca)");
        }
    }

    @Override
    public void shutDown() {
        end.close(Goodbye.Reason.SHUTTING_DOWN, "the server has been closed");
    }

    @Override
    public ClientSession.Details details() {
        ClientSession.State state = !greeting.isOver()
                ? ClientSession.State.CONNECTING
                : arrivals.areWaiting() ? ClientSession.State.ACTIVE : ClientSession.State.IDLE;
        return new ClientSession.Details("native", number, session.user().login(), state, "", unread.bytes());
    }

    @Override
    public boolean cancelStatement() {
        return false;
    }

    @Override
    public void endSession() {
        end.close(Goodbye.Reason.SHUTTING_DOWN, "an operator has ended this connection");
    }

    @Override
    public void reject(Goodbye.Reason reason, String message) {
        end.close(reason, message);
    }

    @Override
    public void closeMalformed(String what) {
        end.close(Goodbye.Reason.MALFORMED, what);
    }

    @Override
    public void askedByHttp() {
        end.askedByHttp();
    }

    @Override
    public void cutOff(String why) {
        end.cutOff(why);
    }

    @Override
    public void closed() {
        end.closed();
        protocol.closed(this);
        if (passed != null) {
            passed.close();
        }
        protocol.wakeSites();
    }
}
