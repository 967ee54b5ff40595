package io.reprise.node;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.listen.Listener;
import io.reprise.net.reprise.NativeProtocol;
import io.reprise.net.reprise.PortSettings;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
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
public final class Server implements AutoCloseable {
    private static final int STATEMENT_THREADS = 4;
    private static final int WAITING_STATEMENTS = 256;
    private static final int WAITING_HANDSHAKES = 256;
    private static final int PROCESSORS_PER_HANDSHAKE_THREAD = 4;
    private static final long IDLE_SECONDS = 10;

    private final Listener listener;
    private final Reprise engine;
    private final EngineBackend backend;
    private final ThreadPoolExecutor handshakes;

    private Server(Listener listener, Reprise engine, EngineBackend backend, ThreadPoolExecutor handshakes) {
        this.listener = listener;
        this.engine = engine;
        this.backend = backend;
        this.handshakes = handshakes;
    }

    /**
     * Takes the port, opens an engine, whose options are given sites with room for as many calls as the settings say, and listens. A port
     * that is another's is found out before the engine begins to recover; nobody can connect before it has.
     */
    public static Server open(Options options, PortSettings settings) {
        return open(options, settings, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeListening run when the engine is open and before anybody can connect; if it throws, all is closed again
     */
    public static Server open(Options options, PortSettings settings, Runnable beforeListening) {
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
        Listener listener = new Listener(settings.listen(), protocol, options.clock(), handshakes);
        int waiting =
                Math.max(options.sites().inboundCapacity(), settings.limits().callsPerSite());
        options.sites(options.sites().withInboundCapacity(waiting)).siteAgent(protocol::agent);
        listener.reserve();
        Reprise engine = null;
        try {
            engine = options.open();
            backend.open(engine);
            beforeListening.run();
            listener.open(threads(prefix + "-network-"));
            return new Server(listener, engine, backend, handshakes);
        } catch (RuntimeException | Error failure) {
            if (engine != null) {
                engine.close();
            }
            listener.close();
            throw failure;
        }
    }

    /** A handshake takes milliseconds of a processor, and whoever can connect can begin one. */
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

    /** The engine, for whoever is in the same process. */
    public Reprise engine() {
        return engine;
    }

    /** The address for clients. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** The number of connected clients. */
    public int connections() {
        return listener.connections();
    }

    /** From now on nobody can connect, and calls and statements are refused; those under way go on. */
    public void stopAccepting() {
        backend.stop();
        listener.stopAccepting();
    }

    @Override
    public void close() {
        stopAccepting();
        try {
            engine.close();
        } finally {
            backend.shutdown();
            listener.close();
            handshakes.shutdown();
        }
    }
}
