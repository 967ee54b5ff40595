package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.reprise.access.Protection;
import io.reprise.access.Tls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The node's HTTP server: where it listens, and with which threads. {@link HttpRoutes} says what can be asked.
 *
 * <p>It listens on the machine itself unless it is told otherwise. There it answers only requests that name the machine
 * itself as their host, so that no page in somebody's browser can read it by giving its own name this address. What
 * is posted asks for the node's token, which is in a file that only who may read the data directory can read. Where there
 * are users, all but /health and /ready asks for one of these, or for the token.
 */
public final class HttpEndpoint implements AutoCloseable {
    /** The header that carries the token. */
    public static final String TOKEN_HEADER = "X-Reprise-Token";

    /** Those that only tell something, and those that have something done, which may wait for a disk: nobody is told less meanwhile. */
    private static final int THREADS = 4;

    private static final int WAITING = 64;
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);

    static {
        // A client that sends slowly holds one of few threads: the server gives up on it. Read once, by the class.
        // Who reads slowly is AnswerLimit's.
        defaultProperty("sun.net.httpserver.maxReqTime", "10");
        defaultProperty("jdk.httpserver.maxConnections", "200");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor tellers;
    private final ThreadPoolExecutor doers;
    private final Recent recent;
    private final AnswerLimit limit;

    /** What can be asked to be done. */
    public interface Actions {
        /** Makes a snapshot; returns what to tell, or throws IllegalStateException with why there is none. */
        String snapshot();
    }

    /**
     * Where it listens.
     *
     * @param address a name or address
     * @param port 0: any that is free
     * @param protection what is asked of whoever connects
     * @param largestResult bytes that clients are sent of a result: a statement that finds more is ended here too
     */
    public record Settings(String address, int port, Protection protection, long largestResult) {}

    /** Asks clients for certificates where these count. */
    private static final class AskingConfigurator extends HttpsConfigurator {
        private final Tls tls;

        AskingConfigurator(Tls tls) {
            super(tls.context());
            this.tls = tls;
        }

        @Override
        public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(tls.parameters());
        }
    }

    private HttpEndpoint(HttpServer server, String nodeName, Recent recent, AnswerLimit limit, HttpRoutes routes) {
        this.server = server;
        this.limit = limit;
        this.recent = recent;
        tellers = threads("reprise-" + nodeName + "-http-");
        doers = threads("reprise-" + nodeName + "-http-post-");
        server.setExecutor(tellers);
        server.createContext("/", exchange -> answer(exchange, routes));
    }

    private static ThreadPoolExecutor threads(String prefix) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(WAITING),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name(prefix + number.getAndIncrement())
                        .unstarted(task));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private void answer(HttpExchange exchange, HttpRoutes routes) {
        if (!exchange.getRequestMethod().equals("POST")) {
            routes.answer(exchange);
            return;
        }
        try {
            doers.execute(() -> routes.answer(exchange));
        } catch (RejectedExecutionException full) {
            routes.refuse(exchange);
        }
    }

    /** Begins to listen. */
    public static HttpEndpoint open(Settings settings, NodeState state, Actions actions, String token) {
        InetAddress address;
        try {
            address = InetAddress.getByName(settings.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("http.address: there is no address " + settings.address(), e);
        }
        Protection protection = settings.protection();
        InetSocketAddress at = new InetSocketAddress(address, settings.port());
        if (!protection.allows(at)) {
            throw new IllegalArgumentException("http.address is " + settings.address()
                    + ", which other machines reach, and "
                    + protection.missing() + "; name a certificate and a file of users in the section security, use"
                    + " 127.0.0.1, or set http.allowRemote to true if that is meant");
        }
        try {
            HttpServer server = server(at, protection);
            HttpGuard guard = new HttpGuard(token, protection.logins());
            Recent recent = new Recent(state);
            AnswerLimit limit = new AnswerLimit(state.name(), LONGEST_ANSWER);
            HttpRoutes routes = new HttpRoutes(
                    address.isLoopbackAddress(), settings.largestResult(), state, recent, actions, guard, limit);
            HttpEndpoint endpoint = new HttpEndpoint(server, state.name(), recent, limit, routes);
            server.start();
            recent.start();
            return endpoint;
        } catch (BindException e) {
            throw new IllegalArgumentException(
                    "can't listen on " + settings.address() + ", port " + settings.port() + ": " + e.getMessage()
                            + "; set http.port (--http-port) to another one, or to 0 for any that is free",
                    e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "can't listen on " + settings.address() + ", port " + settings.port() + ": " + e.getMessage(), e);
        }
    }

    private static HttpServer server(InetSocketAddress at, Protection protection) throws IOException {
        if (protection.tls().isEmpty()) {
            return HttpServer.create(at, WAITING);
        }
        HttpsServer server = HttpsServer.create(at, WAITING);
        server.setHttpsConfigurator(new AskingConfigurator(protection.tls().get()));
        return server;
    }

    /** The port on which it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    /** The address by which this machine reaches it. */
    public String url() {
        InetAddress address = server.getAddress().getAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        String scheme = server instanceof HttpsServer ? "https://" : "http://";
        return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    private static void defaultProperty(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }

    @Override
    public void close() {
        recent.close();
        server.stop(0);
        tellers.shutdown();
        doers.shutdown();
        limit.close();
    }
}
