package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.access.Right;
import io.reprise.runtime.LogText;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of the HTTP server, and their answers:
 *
 * <pre>
 *  GET  /health    200 while the process does what it should, also while it recovers; 503 when the engine has failed
 *  GET  /ready     200 when calls are taken and can be answered; 503 with the reason, and how far a recovery is
 *  GET  /metrics   for Prometheus
 *  GET  /status    for people; with Accept: application/json for programs
 *  GET  /history   the last five minutes, a point for each second; ?after=N: those behind point N only
 *  GET  /schema    tables with columns and indexes, procedures with their statements
 *  GET  /me        the name and the rights of the sender
 *  GET  /latency   the histograms of a procedure: ?procedure=NAME
 *  GET  /sessions  the connected clients; the texts of their statements only for those who may administer
 *  POST /sessions/cancel, /sessions/end  cancels the statement of the session whose id is the body, or ends the session
 *  POST /snapshot  makes a snapshot, and waits for it
 *  POST /reload    reads the configuration again, and takes over what can change
 *  POST /rebuild   rebuilds the partition whose number is the body, and waits for it
 *  POST /cluster   runs the operation on the cluster's nodes that is the body, see {@link ClusterOperations}
 *  POST /repair    rebuilds the bucket of ?bucket=N, and waits for it
 *  POST /sql       runs the statement in the body; with the header X-Reprise-Ask it answers a change by a question
 *  POST /ddl       runs the script in the body, all of it or nothing
 *  POST /deploy    the same with a jar of procedure classes. Body: the script's length in bytes as a decimal number, a line
 *                  end, the script, the jar
 *  GET  /          the page, which shows all this
 * </pre>
 *
 * <p>Any of the server's threads, several at a time.
 */
final class HttpRoutes {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.http");

    private final boolean loopbackOnly;
    private final NodeState state;
    private final HttpGuard guard;
    private final HttpAnswers answers;
    private final WatchPaths watching;
    private final ChangePaths changing;
    private final SqlPath statements;

    /** Threads for paths about the data. The paths about the node's health need none. */
    private final FewThreads telling;

    /** Threads for changes, which may wait for a disk. */
    private final FewThreads doing;

    HttpRoutes(
            boolean loopbackOnly,
            NodeState state,
            HttpGuard guard,
            HttpAnswers answers,
            WatchPaths watching,
            ChangePaths changing,
            SqlPath statements,
            FewThreads telling,
            FewThreads doing) {
        this.loopbackOnly = loopbackOnly;
        this.state = state;
        this.guard = guard;
        this.answers = answers;
        this.watching = watching;
        this.changing = changing;
        this.statements = statements;
        this.telling = telling;
        this.doing = doing;
    }

    /** Answers a request, and ends it. */
    void answer(HttpExchange exchange) {
        try (exchange) {
            try {
                route(exchange);
            } catch (RuntimeException | Error e) {
                LOG.error(
                        "{} {}: this is a bug",
                        LogText.of(exchange.getRequestMethod()),
                        LogText.of(exchange.getRequestURI().toString()),
                        e);
                answers.problem(exchange, 500, "this is a bug; the node's log has it: " + e);
            }
        } catch (IOException e) {
            LOG.debug("{} has gone: {}", exchange.getRemoteAddress(), e.toString());
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        if (loopbackOnly && !isOwnHost(exchange.getRequestHeaders().getFirst("Host"))) {
            answers.problem(
                    exchange, 403, "ask for localhost, or the machine's own address such as 127.0.0.1, by that name");
            return;
        }
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/health" -> getUnasked(exchange, watching::health);
            case "/ready" -> getUnasked(exchange, watching::ready);
            case "/metrics" -> get(exchange, watching::metrics);
            case "/status" -> get(exchange, watching::status);
            case "/history" -> get(exchange, watching::history);
            case "/schema" -> get(exchange, watching::schema);
            case "/me" -> get(exchange, watching::me);
            case "/latency" -> get(exchange, watching::latency);
            case "/sessions" -> get(exchange, watching::sessions);
            case "/sessions/cancel" -> administer(exchange, e -> changing.onSession(e, false));
            case "/sessions/end" -> administer(exchange, e -> changing.onSession(e, true));
            case "/rebuild" -> administer(exchange, changing::rebuild);
            case "/cluster" -> administer(exchange, changing::operate);
            case "/snapshot" -> administer(exchange, changing::snapshot);
            case "/reload" -> administer(exchange, changing::reload);
            case "/repair" -> administer(exchange, changing::repair);
            case "/sql" -> post(exchange, statements::answer, Right.READ, Right.ADMINISTER);
            case "/ddl" -> administer(exchange, e -> changing.change(e, false));
            case "/deploy" -> administer(exchange, e -> changing.change(e, true));
            case "/" -> get(exchange, e -> watching.page(e, "page.html", "text/html; charset=utf-8"));
            case "/page.css" -> get(exchange, e -> watching.page(e, "page.css", "text/css; charset=utf-8"));
            case "/icon.svg" -> get(exchange, e -> watching.page(e, "icon.svg", "image/svg+xml"));
            case "/page.js",
                    "/dom.js",
                    "/chart.js",
                    "/schema.js",
                    "/sql.js",
                    "/views.js",
                    "/sessions.js",
                    "/cluster.js",
                    "/procedures.js" ->
                get(exchange, e -> watching.page(e, path.substring(1), "text/javascript; charset=utf-8"));
            default -> answers.problem(exchange, 404, "there is nothing at " + path);
        }
    }

    private interface Route {
        void answer(HttpExchange exchange) throws IOException;
    }

    private interface Change {
        /** Returns false if too many wait already. */
        boolean answer(HttpExchange exchange, HttpGuard.Answer asker) throws IOException;
    }

    /** A path that needs no right. */
    private void getUnasked(HttpExchange exchange, Route route) throws IOException {
        String method = exchange.getRequestMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
            route.answer(exchange);
        } else {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            answers.problem(exchange, 405, "this can only be read");
        }
    }

    /** A path about the data, which needs a right if there are users. */
    private void get(HttpExchange exchange, Route route) throws IOException {
        if (permitted(exchange, Right.WATCH).isPresent() && !telling.run(() -> getUnasked(exchange, route))) {
            refuse(exchange);
        }
    }

    private void administer(HttpExchange exchange, Route change) throws IOException {
        Change audited = (e, asker) -> doing.run(() -> {
            try {
                change.answer(e);
            } finally {
                // The sender may have gone before its answer.
                HttpGuard.audit(e, asker, "POST " + e.getRequestURI());
            }
        });
        post(exchange, audited, Right.ADMINISTER);
    }

    private void post(HttpExchange exchange, Change change, Right... oneOf) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            answers.problem(exchange, 405, "this takes a POST");
            return;
        }
        // A request without the right is rejected before it takes a thread.
        Optional<HttpGuard.Answer> asker = permitted(exchange, oneOf);
        if (asker.isPresent() && !change.answer(exchange, asker.get())) {
            refuse(exchange);
        }
    }

    /** The asking user; empty if the rights are not enough, which the user has been told. */
    private Optional<HttpGuard.Answer> permitted(HttpExchange exchange, Right... oneOf) throws IOException {
        HttpGuard.Answer answer = guard.ask(exchange, oneOf);
        if (answer.isEnough()) {
            return Optional.of(answer);
        }
        if (answer.code() == 401) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"Reprise\", charset=\"UTF-8\"");
        }
        answers.problem(exchange, answer.code(), answer.why());
        return Optional.empty();
    }

    /** Whether it names the machine itself, by localhost or an address: others may have defined other names. */
    private static boolean isOwnHost(String host) {
        if (host == null) {
            return false;
        }
        int colon = host.lastIndexOf(':');
        String name = host.endsWith("]") || colon < 0 ? host : host.substring(0, colon);
        try {
            return name.equalsIgnoreCase("localhost")
                    || InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
    }

    /** Rejects a request because too many wait for a thread. */
    private void refuse(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Connection", "close");
        answers.problem(
                exchange,
                503,
                "too many requests wait for an answer already"
                        + state.notReady().map(why -> ": " + why).orElse("; try again later"));
    }
}
