package io.reprise.net.postgres;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.reprise.access.AuditLog;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.LoginStart;
import io.reprise.access.ScramExchange;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.ClientSession;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.session.Session;
import io.reprise.net.session.UnreadReplies;
import io.reprise.runtime.LogText;
import io.reprise.session.SessionException;
import io.reprise.session.SessionSettings;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import io.reprise.session.StartedEnd;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>Owned by its network loop, except the running of messages: one task at a time takes them from the queue, on a thread of its own,
 * and ends when there are none. It doesn't begin while the client has too much to read. A request that has to wait for nothing is run by
 * the loop itself ({@link StartableRequest}).
 */
final class PostgresConnection implements PortConnection, MessageDecoder.Receiver, UnreadReplies.Reader {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");
    private static final long NS_PER_MS = 1_000_000;
    private static final int AUTHENTICATION_OK = 0;
    private static final int CLEARTEXT_PASSWORD = 3;
    private static final int SSL_REQUEST_BYTES = 8;

    /** A longer result is written by a thread of its own. */
    private static final int MOST_ROWS_OF_LOOP = 200;

    /** Replies are handed over when they are this long, or when no message waits. */
    private static final int SEND_BYTES = 1 << 16;

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
    private final ConcurrentLinkedQueue<FrontendMessage> messages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingBytes = new AtomicInteger();
    private final AtomicBoolean running = new AtomicBoolean();
    private SortedMap<String, String> parameters;
    private boolean started;

    /** The login by SCRAM; null: none. */
    private ScramLogin scram;

    /** Set by the loop before the first message is run. */
    private volatile MessageRunner runner;

    PostgresConnection(PostgresProtocol protocol, ClientChannel client, int number, int secret) {
        this.protocol = protocol;
        this.client = client;
        this.number = number;
        this.secret = secret;
        channel = client.netty();
        decoder = new MessageDecoder(this, protocol::nowNs, protocol.limits().maxFrameBytes());
        unread = protocol.unread(this);
        session = protocol.session();
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
        return started;
    }

    @Override
    public boolean isLoggedIn() {
        return runner != null;
    }

    @Override
    public void startup(Startup message) {
        switch (message.code()) {
            case Startup.SSL_REQUEST, Startup.GSS_REQUEST -> {
                replies.out().int8('N');
                send();
            }
            case Startup.CANCEL_REQUEST -> cancelAnother(message);
            default -> begin(message);
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

    private void begin(Startup message) {
        if (!message.isSupported()) {
            reject("0A000", "unsupported frontend protocol: the server supports 3.0");
            return;
        }
        try {
            parameters = message.parameters();
        } catch (SessionException malformed) {
            reject(malformed.state(), malformed.getMessage());
            return;
        }
        started = true;
        var unknown = Startup.unknownOptions(parameters);
        if (message.minor() > 0 || !unknown.isEmpty()) {
            replies.negotiateVersion(0, unknown);
        }
        if (protocol.refusesNew()) {
            reject("57P03", "the database system is shutting down");
        } else if (!session.needsLogin()) {
            welcome();
        } else {
            session.start(claim(""), step -> client.onLoop(() -> loginStarted(step)));
        }
    }

    private Claim claim(String password) {
        return new Claim(
                parameters.get("user"), password, client.remoteAddress().getAddress(), client.certificates());
    }

    private void loginStarted(LoginStart step) {
        session.loginEnded();
        if (!isOpen()) {
            return;
        }
        switch (step) {
            case LoginStart.Decided(LoginOutcome outcome) -> loginEnded(outcome);
            case LoginStart.Scram(ScramExchange exchange) -> {
                scram = new ScramLogin(exchange, replies);
                replies.saslMechanisms(ScramExchange.MECHANISM);
                send();
            }
            case LoginStart.Password() -> {
                if (protocol.hasTls() || client.remoteAddress().getAddress().isLoopbackAddress()) {
                    replies.authentication(CLEARTEXT_PASSWORD);
                    send();
                } else {
                    reject("28000", "a password is taken over TLS only; use sslmode=require");
                }
            }
        }
    }

    private void scramMessage(byte[] body) {
        try {
            Optional<LoginOutcome> outcome = scram.message(body);
            if (outcome.isPresent()) {
                loginEnded(outcome.get());
            } else {
                send();
            }
        } catch (SessionException malformed) {
            reject(malformed.state(), malformed.getMessage());
        }
    }

    @Override
    public void message(FrontendMessage message) {
        if (runner == null) {
            password(message);
            return;
        }
        messages.add(message);
        if (waitingBytes.addAndGet(message.weight()) > protocol.limits().unreadBytes()) {
            decoder.pause();
            runMessages();
        }
    }

    @Override
    public void received() {
        runMessages();
    }

    private void password(FrontendMessage message) {
        if (message.kind() != FrontendMessage.PASSWORD || session.isLoggingIn()) {
            reject(SqlStates.PROTOCOL_VIOLATION, "expected a password");
            return;
        }
        byte[] body = message.body();
        if (scram != null) {
            scramMessage(body);
            return;
        }
        int length = body.length > 0 && body[body.length - 1] == 0 ? body.length - 1 : body.length;
        session.login(
                claim(new String(body, 0, length, StandardCharsets.UTF_8)),
                outcome -> client.onLoop(() -> loginEnded(outcome)));
    }

    private void loginEnded(LoginOutcome outcome) {
        session.loginEnded();
        if (!isOpen()) {
            return;
        }
        switch (outcome.kind()) {
            case ACCEPTED ->
                session.accept(outcome.user().orElseThrow())
                        .ifPresentOrElse(problem -> reject("28000", problem), this::welcome);
            case REFUSED -> reject(SqlStates.INVALID_PASSWORD, outcome.message());
            case TURNED_AWAY -> reject("53300", outcome.message());
        }
    }

    private void welcome() {
        String user = parameters.get("user");
        String database = parameters.getOrDefault("database", user);
        SqlSession sql = new SqlSession(
                protocol.engine(),
                () -> session.user().rights(),
                user,
                database,
                number,
                protocol.hashKey(),
                () -> !isOpen());
        SessionSettings settings = sql.settings();
        settings.atLogin("session_authorization", user);
        settings.atLogin("is_superuser", "on");
        try {
            Startup.settings(parameters.getOrDefault("options", "")).forEach(settings::startup);
            parameters.forEach(settings::startup);
        } catch (SessionException refused) {
            reject(refused.state(), refused.getMessage());
            return;
        }
        replies.authentication(AUTHENTICATION_OK);
        for (String name : SessionSettings.reported()) {
            replies.parameterStatus(name, settings.value(name));
        }
        replies.backendKey(number, secret);
        replies.ready('I');
        send();
        runner = new MessageRunner(
                sql,
                replies,
                new StatementTimer(channel.eventLoop()),
                protocol.span(),
                (act, end) -> AuditLog.act(session.user().login().orElse(""), client.remoteAddress(), act, end));
        decoder.loggedIn();
    }

    /** Any thread: has waiting messages run, unless they are being run or the client has enough to read. */
    private void runMessages() {
        if (!messages.isEmpty()
                && isOpen()
                && hasRoomToAnswer()
                && running.compareAndSet(false, true)
                && !isStarted(channel.eventLoop())) {
            onRunner(this::drain);
        }
    }

    private void onRunner(Runnable task) {
        try {
            protocol.runners().execute(task);
        } catch (RejectedExecutionException closed) {
            running.set(false);
            shutDown();
        }
    }

    /** Starts the next request on this loop, if the request has to wait for nothing. */
    private boolean isStarted(EventLoop loop) {
        if (!loop.inEventLoop() || runner == null) {
            return false;
        }
        try {
            while (!messages.isEmpty() && runner.runsAtOnce(messages.peek())) {
                runNext();
            }
            if (messages.isEmpty()) {
                send();
                stopped();
                return true;
            }
            if (!runner.gathersCommit(messages.peek())) {
                if (!runner.canStart(messages)) {
                    return false;
                }
                while (messages.peek().kind() != FrontendMessage.SYNC) {
                    runNext();
                }
                if (runner.isAnswered()) {
                    runNext();
                    send();
                    stopped();
                    return true;
                }
            }
            Optional<CompletableFuture<StartedEnd>> started = runner.start(loop);
            started.ifPresentOrElse(
                    future -> future.whenComplete((end, problem) -> client.onLoop(() -> ended(end, problem))),
                    () -> runner.runsInstead(messages.peek()));
            return started.isPresent();
        } catch (RuntimeException | Error failure) {
            failed(failure);
            stopped();
            return true;
        }
    }

    private void runNext() {
        FrontendMessage message = messages.poll();
        taken(message);
        runner.run(message);
    }

    /** A started request has ended. A long result is not written by the loop, which others wait for. */
    private void ended(StartedEnd end, Throwable problem) {
        if (runner.runsAgain(end, problem)) {
            runner.runsInstead(messages.peek());
            onRunner(this::drain);
        } else if (problem == null && end.rows() > MOST_ROWS_OF_LOOP) {
            onRunner(() -> answer(end, null));
        } else {
            answer(end, problem);
        }
    }

    private void answer(StartedEnd end, Throwable problem) {
        try {
            taken(messages.poll());
            runner.answerStarted(end, problem);
            send();
        } catch (RuntimeException | Error failure) {
            failed(failure);
        } finally {
            stopped();
        }
    }

    private void failed(Throwable failure) {
        LOG.error("A message of {} could not be run, and this is a bug", client.remoteAddress(), failure);
        cutOff("a message could not be run: " + failure);
    }

    /** Messages are not being run any more; others may have come. */
    private void stopped() {
        running.set(false);
        if (isOpen()) {
            runMessages();
        } else {
            endRunner();
        }
    }

    private boolean hasRoomToAnswer() {
        return unread.room(0, 0) >= 0;
    }

    private void drain() {
        try {
            FrontendMessage message = null;
            while (isOpen() && hasRoomToAnswer() && (message = messages.poll()) != null) {
                taken(message);
                if (!runner.run(message)) {
                    send();
                    end();
                    return;
                }
                if (messages.isEmpty() || replies.out().length() > SEND_BYTES) {
                    send();
                }
            }
            send();
        } catch (RuntimeException | Error failure) {
            failed(failure);
        } finally {
            stopped();
        }
    }

    /** Ends the session when no thread runs its messages any more. */
    private void endRunner() {
        if (running.compareAndSet(false, true) && runner != null) {
            runner.close();
        }
    }

    private void taken(FrontendMessage message) {
        int most = protocol.limits().unreadBytes();
        int before = waitingBytes.getAndAdd(-message.weight());
        if (before > most / 2 && before - message.weight() <= most / 2) {
            client.onLoop(decoder::resume);
        }
    }

    @Override
    public boolean hasRoom() {
        return waitingBytes.get() <= protocol.limits().unreadBytes() / 2;
    }

    /** The client has said goodbye. */
    private void end() {
        if (open.getAndSet(false)) {
            client.onLoop(client::closeAfterFlush);
        }
    }

    /** Any thread: the client asks by another connection. */
    void cancel() {
        MessageRunner of = runner;
        if (of != null) {
            of.cancel();
        }
    }

    /** Hands the written replies over. By the loop before messages are run, and then by the thread that runs them. */
    private void send() {
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
        runMessages();
    }

    @Override
    public void mayGoOn() {
        runMessages();
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
        MessageRunner of = runner;
        ClientSession.State state = of == null
                ? ClientSession.State.CONNECTING
                : running.get()
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
        endRunner();
    }
}
