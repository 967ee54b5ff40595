package io.reprise.node;

import io.reprise.cluster.Topology;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.listen.ClientSession;
import io.reprise.net.listen.ClientSessions;
import io.reprise.net.listen.Listener;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.postgres.PostgresProtocol;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.NativeProtocol;
import io.reprise.net.reprise.PortSettings;
import io.reprise.net.session.PlanningQueues;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine that clients reach over the network.
 *
 * <pre>{@code
 * try (Server server = Server.open(Options.create().directory(path), PortSettings.at(address))) {
 *     ... server.engine() ...
 * }
 * }</pre>
 *
 * <p>Closing it refuses what has not begun, answers what has, and then closes the engine.
 */
public final class Server implements AutoCloseable, ClientSessions {
    private static final int STATEMENT_THREADS = 4;

    /** Half of them may be one client's. */
    private static final int WAITING_STATEMENTS = 512;

    private static final int WAITING_HANDSHAKES = 256;
    private static final int PROCESSORS_PER_HANDSHAKE_THREAD = 4;
    private static final long IDLE_SECONDS = 10;

    private final Listener listener;
    private final Optional<Listener> postgres;
    private final Reprise engine;
    private final EngineBackend backend;
    private final EngineSessions sessions;
    private final NativeProtocol protocol;
    private final ThreadPoolExecutor handshakes;

    private Server(
            Listener listener,
            Optional<Listener> postgres,
            Reprise engine,
            EngineBackend backend,
            EngineSessions sessions,
            NativeProtocol protocol,
            ThreadPoolExecutor handshakes) {
        this.protocol = protocol;
        this.listener = listener;
        this.postgres = postgres;
        this.engine = engine;
        this.backend = backend;
        this.sessions = sessions;
        this.handshakes = handshakes;
    }

    /**
     * Takes the port, opens an engine, whose options are given sites with room for as many calls as the settings say, and listens. A port
     * that is another's is found out before the engine begins to recover; no client can connect before the recovery ends.
     */
    public static Server open(Options options, PortSettings settings) {
        return open(options, settings, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeListening run when the engine is open and before the first connection; if it throws, all is closed again
     */
    public static Server open(Options options, PortSettings settings, Runnable beforeListening) {
        return open(options, settings, Optional.empty(), beforeListening);
    }

    /**
     * The same with a second port.
     *
     * @param postgres the port for PostgreSQL's clients; empty: none
     */
    public static Server open(
            Options options, PortSettings settings, Optional<PostgresSettings> postgres, Runnable beforeListening) {
        return open(options, settings, postgres, Optional.empty(), beforeListening);
    }

    /**
     * The same as a node of a cluster.
     *
     * @param cluster this node's number, and the port that requests are passed on through, which is closed after the server;
     *     empty: the node serves alone
     */
    public static Server open(
            Options options,
            PortSettings settings,
            Optional<PostgresSettings> postgres,
            Optional<ServerCluster> cluster,
            Runnable beforeListening) {
        String prefix = "reprise-" + options.name();
        // Both have threads only while there is something to do, so that nothing is left behind if this fails.
        EngineBackend backend = new EngineBackend(
                settings.limits().maxResultBytes(),
                WAITING_STATEMENTS,
                idling(STATEMENT_THREADS, WAITING_STATEMENTS, prefix + "-statements-"),
                idling(1, WAITING_STATEMENTS, prefix + "-planning-"),
                idling(1, WAITING_STATEMENTS, prefix + "-long-planning-"));
        ThreadPoolExecutor handshakes = idling(handshakeThreads(), WAITING_HANDSHAKES, prefix + "-handshakes-");
        NativeProtocol protocol = new NativeProtocol(settings, backend, options.clock());
        cluster.ifPresent(side -> protocol.joinCluster(side.node(), side.peers()));
        Listener listener = new Listener(settings.listen(), protocol, options.clock(), handshakes);
        EngineSessions sessions = new EngineSessions(
                settings.limits().maxResultBytes(),
                idling(1, WAITING_STATEMENTS, prefix + "-session-planning-"),
                idling(1, WAITING_STATEMENTS, prefix + "-long-session-planning-"),
                options.clock(),
                backend.software(),
                cluster.isPresent());
        Optional<Listener> postgresListener = postgres.map(asked -> new Listener(
                asked.listen(),
                new PostgresProtocol(asked, sessions, options.clock(), sessionThreads(prefix + "-sessions-")),
                options.clock(),
                handshakes));
        int waiting =
                Math.max(options.sites().inboundCapacity(), settings.limits().callsPerSite());
        options.sites(options.sites().withInboundCapacity(waiting)).siteAgent(protocol::agent);
        List<Listener> listeners = new ArrayList<>();
        listeners.add(listener);
        postgresListener.ifPresent(listeners::add);
        Reprise engine = null;
        try {
            listeners.forEach(Listener::reserve);
            engine = options.open();
            backend.open(engine);
            if (cluster.isPresent() && options.cluster().isPresent()) {
                engine.onTopology(protocol::topology);
            }
            sessions.open(engine);
            postgresListener.ifPresent(each -> sessions.connected(new PortBackends(each, options.clock())));
            beforeListening.run();
            listener.open(threads(prefix + "-network-"));
            postgresListener.ifPresent(each -> each.open(threads(prefix + "-postgres-")));
            return new Server(listener, postgresListener, engine, backend, sessions, protocol, handshakes);
        } catch (RuntimeException | Error failure) {
            if (engine != null) {
                engine.close();
            }
            listeners.forEach(Listener::close);
            throw failure;
        }
    }

    /** A handshake takes milliseconds of a processor, and any client that can connect can begin one. */
    private static int handshakeThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_PER_HANDSHAKE_THREAD);
    }

    /** Threads that end when there has been nothing to do for a while; with so many tasks waiting, the next is rejected. */
    private static ThreadPoolExecutor idling(int count, int waiting, String name) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waiting), threads(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private static ThreadFactory threads(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> Thread.ofPlatform()
                .daemon()
                .name(prefix + count.getAndIncrement())
                .unstarted(task);
    }

    /** Threads for the messages of sessions; one that waits for the engine holds no thread of the system. */
    private static Executor sessionThreads(String prefix) {
        ThreadFactory factory = Thread.ofVirtual().name(prefix, 0).factory();
        return task -> factory.newThread(task).start();
    }

    /** Any thread: the cluster has this topology now. Clients are told, and requests are passed on by it. */
    public void topology(Topology topology) {
        protocol.topology(topology);
    }

    /** The queues of statements to plan, for other ports of the same process. */
    public PlanningQueues planning() {
        return backend.planning();
    }

    /** The engine, for code in the same process. */
    public Reprise engine() {
        return engine;
    }

    /** The address for clients. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** The address for PostgreSQL's clients; empty if they can't connect. */
    public Optional<InetSocketAddress> postgresAddress() {
        return postgres.map(Listener::address);
    }

    @Override
    public List<ClientSession> list() {
        List<ClientSession> sessions = new ArrayList<>(listener.sessions());
        postgres.ifPresent(each -> sessions.addAll(each.sessions()));
        sessions.sort(
                Comparator.comparingDouble(ClientSession::connectedSeconds).reversed());
        return List.copyOf(sessions);
    }

    @Override
    public long passedOn() {
        return protocol.passedOn();
    }

    @Override
    public Outcome cancel(String id) {
        return connection(id)
                .map(each -> each.cancelStatement() ? Outcome.DONE : Outcome.UNSUPPORTED)
                .orElse(Outcome.UNKNOWN);
    }

    @Override
    public Outcome end(String id) {
        Optional<PortConnection> connection = connection(id);
        connection.ifPresent(PortConnection::endSession);
        return connection.isPresent() ? Outcome.DONE : Outcome.UNKNOWN;
    }

    private Optional<PortConnection> connection(String id) {
        return listener.session(id).or(() -> postgres.flatMap(each -> each.session(id)));
    }

    /** Changes the most connections of each port. Open ones stay. */
    public void mostConnections(int most) {
        listener.mostConnections(most);
        postgres.ifPresent(each -> each.mostConnections(most));
    }

    /** The number of connected clients. */
    public int connections() {
        return listener.connections() + postgres.map(Listener::connections).orElse(0);
    }

    /** Refuses new connections, calls and statements; those under way go on. */
    public void stopAccepting() {
        backend.stop();
        sessions.stop();
        listener.stopAccepting();
        postgres.ifPresent(Listener::stopAccepting);
    }

    @Override
    public void close() {
        stopAccepting();
        try {
            engine.close();
        } finally {
            backend.shutdown();
            listener.close();
            postgres.ifPresent(Listener::close);
            handshakes.shutdown();
        }
    }
}
