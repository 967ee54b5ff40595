package io.reprise.node.http;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.reprise.access.Protection;
import io.reprise.access.Tls;
import io.reprise.net.session.PlanningQueues;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The node's HTTP server: its address and its threads. {@link HttpRoutes} has the paths.
 *
 * <p>It listens on the machine itself unless it is told otherwise. There it answers only requests that name the machine
 * itself as their host, so that no foreign page in a browser can read it by giving its own name this address. A
 * POST needs the node's token, which is in a file of the data directory. If there are users, every path but /health and
 * /ready needs a login or the token.
 */
public final class HttpEndpoint implements AutoCloseable {
    /** The header that carries the token. */
    public static final String TOKEN_HEADER = "X-Reprise-Token";

    private static final int WAITING = 64;
    private static final int PROCESSORS_FOR_A_HANDSHAKE = 4;
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);

    static {
        // A client that sends slowly holds a thread, which is a virtual one, and one of these connections: the server
        // gives up on it. Read
        // once, by the class. AnswerLimit ends slow readers.
        defaultProperty("sun.net.httpserver.maxReqTime", "10");
        defaultProperty("jdk.httpserver.maxConnections", "200");
        // The process has no other virtual threads, and these shake hands: as many processors as that may take at the
        // other
        // port.
        defaultProperty(
                "jdk.virtualThreadScheduler.parallelism",
                String.valueOf(Math.max(1, Runtime.getRuntime().availableProcessors() / PROCESSORS_FOR_A_HANDSHAKE)));
    }

    private final HttpServer server;
    private final ExecutorService readers;
    private final List<FewThreads> threads;
    private final Recent recent;
    private final AnswerLimit limit;

    /** The actions that a request can start. */
    public interface Actions {
        /** Makes a snapshot; returns what to tell, or throws IllegalStateException with why there is none. */
        String snapshot();

        /** Reads the configuration again; returns the changes, or throws IllegalStateException with why there are none. */
        default String reload() {
            throw new IllegalStateException("this node has no configuration file");
        }
    }

    /**
     * The address and the rules of the port.
     *
     * @param address a name or address
     * @param port 0: any that is free
     * @param protection the demands on those that connect
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

    private HttpEndpoint(
            HttpServer server,
            String nodeName,
            Recent recent,
            AnswerLimit limit,
            List<FewThreads> threads,
            HttpRoutes routes) {
        this.server = server;
        this.limit = limit;
        this.recent = recent;
        this.threads = threads;
        // The JDK's server shakes hands and reads a request on one of these, and waits there for what a client does not
        // send.
        readers = Executors.newThreadPerTaskExecutor(Thread.ofVirtual()
                .name("reprise-" + nodeName + "-http-read-", 0)
                .factory());
        server.setExecutor(readers);
        server.createContext("/", routes::answer);
    }

    /** Begins to listen. Until the node has a port for clients, statements are planned on threads of this server. */
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
            String prefix = "reprise-" + state.name() + "-http-";
            FewThreads telling = new FewThreads(prefix);
            FewThreads doing = new FewThreads(prefix + "post-");
            FewThreads planning = new FewThreads(prefix + "planning-", 1);
            FewThreads longPlanning = new FewThreads(prefix + "long-planning-", 1);
            state.planBy(new PlanningQueues(planning, longPlanning, FewThreads.WAITING));
            HttpAnswers answers = new HttpAnswers(limit);
            HttpRoutes routes = new HttpRoutes(
                    address.isLoopbackAddress(),
                    state,
                    guard,
                    answers,
                    new WatchPaths(state, recent, guard, answers),
                    new ChangePaths(state, actions, answers),
                    new SqlPath(settings.largestResult(), state, answers, doing),
                    telling,
                    doing);
            List<FewThreads> threads = List.of(telling, doing, planning, longPlanning);
            HttpEndpoint endpoint = new HttpEndpoint(server, state.name(), recent, limit, threads, routes);
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
        readers.shutdown();
        threads.forEach(FewThreads::close);
        limit.close();
    }
}
