package io.reprise.net.postgres;

import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.listen.Protocol;
import io.reprise.net.session.ReplyMemory;
import io.reprise.net.session.Session;
import io.reprise.net.session.SessionLimits;
import io.reprise.net.session.UnreadReplies;
import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.Clock;
import io.reprise.session.SessionEngine;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The PostgreSQL protocol of one engine: the shared state of its connections. */
public final class PostgresProtocol implements Protocol {
    private final PostgresSettings settings;
    private final SessionLimits limits;
    private final SessionEngine engine;
    private final Clock clock;
    private final Executor runners;
    private final ReplyMemory memory;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, PostgresConnection> connections = new ConcurrentHashMap<>();
    private final long hashKey = ByteBuffer.wrap(Secrets.bytes(Long.BYTES)).getLong();
    private volatile boolean refusesNew;

    /**
     * The protocol of an engine that is about to be opened.
     *
     * @param runners run the messages of connections; a task waits for the engine
     */
    public PostgresProtocol(PostgresSettings settings, SessionEngine engine, Clock clock, Executor runners) {
        this.settings = settings;
        this.engine = engine;
        this.clock = clock;
        this.runners = runners;
        limits = settings.limits();
        memory = new ReplyMemory(limits.maxAllUnreadBytes(), clock);
    }

    @Override
    public void begin() {}

    @Override
    public PortConnection connect(ClientChannel channel) {
        int number = numbers.incrementAndGet() & Integer.MAX_VALUE;
        int secret = ByteBuffer.wrap(Secrets.bytes(Integer.BYTES)).getInt();
        return new PostgresConnection(this, channel, number, secret);
    }

    @Override
    public void refuseNew() {
        refusesNew = true;
    }

    boolean refusesNew() {
        return refusesNew;
    }

    void opened(int number, PostgresConnection connection, UnreadReplies unread) {
        connections.put(number, connection);
        memory.add(unread);
    }

    void closed(int number, UnreadReplies unread) {
        connections.remove(number);
        memory.remove(unread);
    }

    /** Cancels the statement under way of a connection, if the secret is right. */
    void cancel(int number, int secret) {
        PostgresConnection connection = connections.get(number);
        if (connection != null && connection.secret() == secret) {
            connection.cancel();
        }
    }

    UnreadReplies unread(UnreadReplies.Reader reader) {
        return new UnreadReplies(memory, limits, patienceMs(), reader, nowNs());
    }

    Session session() {
        return new Session(settings.listen().protection().logins());
    }

    SessionEngine engine() {
        return engine;
    }

    RequestSpan span() {
        return new RequestSpan(settings.tracing(), clock);
    }

    Executor runners() {
        return runners;
    }

    boolean hasTls() {
        return settings.listen().protection().tls().isPresent();
    }

    SessionLimits limits() {
        return limits;
    }

    long hashKey() {
        return hashKey;
    }

    long patienceMs() {
        return settings.listen().patienceMs();
    }

    long nowNs() {
        return clock.nanoTime();
    }
}
