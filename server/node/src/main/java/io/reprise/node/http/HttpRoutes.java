package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.access.AuditLog;
import io.reprise.access.Right;
import io.reprise.engine.RepairReport;
import io.reprise.engine.Reprise;
import io.reprise.net.listen.ClientSessions;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
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
    private static final int FIRST_FAILURE = 400;

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.http");
    private static final int MOST_SQL_BYTES = 1 << 16;
    private static final int MOST_CHANGE_BYTES = 64 << 20;
    private static final int MOST_DISCARDED_BYTES = 1 << 20;

    /** The sender of a change may administer the node. */
    private static final int MOST_DISCARDED_CHANGE_BYTES = 1 << 30;

    /** A request with it gets a question instead of a change; the page asks, and sends the statement again without. */
    private static final String ASK_HEADER = "X-Reprise-Ask";

    private static final String PROCEDURE = "procedure=";
    private static final int MOST_ID_BYTES = 64;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";

    private final boolean loopbackOnly;
    private final long largestResult;
    private final NodeState state;
    private final Recent recent;
    private final HttpEndpoint.Actions actions;
    private final HttpGuard guard;
    private final AnswerLimit limit;

    /** Those that tell something, but for whether the node is well, and those that have something done, which may wait for a disk. */
    private final FewThreads telling;

    private final FewThreads doing;

    HttpRoutes(
            boolean loopbackOnly,
            long largestResult,
            NodeState state,
            Recent recent,
            HttpEndpoint.Actions actions,
            HttpGuard guard,
            AnswerLimit limit,
            FewThreads telling,
            FewThreads doing) {
        this.loopbackOnly = loopbackOnly;
        this.largestResult = largestResult;
        this.state = state;
        this.recent = recent;
        this.actions = actions;
        this.guard = guard;
        this.limit = limit;
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
                send(exchange, 500, JSON, StatusJson.problem("this is a bug; the node's log has it: " + e));
            }
        } catch (IOException e) {
            LOG.debug("{} has gone: {}", exchange.getRemoteAddress(), e.toString());
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        if (loopbackOnly && !isOwnHost(exchange.getRequestHeaders().getFirst("Host"))) {
            send(
                    exchange,
                    403,
                    JSON,
                    StatusJson.problem(
                            "ask for localhost, or the machine's own address such as 127.0.0.1, by that name"));
            return;
        }
        String path = exchange.getRequestURI().getPath();
        switch (path) {
            case "/health" -> getUnasked(exchange, this::health);
            case "/ready" -> getUnasked(exchange, this::ready);
            case "/metrics" -> get(exchange, e -> send(e, 200, PrometheusText.CONTENT_TYPE, MetricsPage.of(state)));
            case "/status" -> get(exchange, this::status);
            case "/history" -> get(exchange, e -> send(e, 200, JSON, recent.history(after(e))));
            case "/schema" -> get(exchange, this::schema);
            case "/me" -> get(exchange, this::me);
            case "/latency" -> get(exchange, this::latency);
            case "/sessions" -> get(exchange, this::sessions);
            case "/sessions/cancel" -> post(exchange, (e, rights) -> onSession(e, false), Right.ADMINISTER);
            case "/sessions/end" -> post(exchange, (e, rights) -> onSession(e, true), Right.ADMINISTER);
            case "/rebuild" -> post(exchange, (e, rights) -> rebuild(e), Right.ADMINISTER);
            case "/cluster" -> post(exchange, (e, rights) -> operate(e), Right.ADMINISTER);
            case "/snapshot" -> post(exchange, (e, rights) -> snapshot(e), Right.ADMINISTER);
            case "/repair" -> post(exchange, (e, rights) -> repair(e), Right.ADMINISTER);
            case "/sql" -> post(exchange, this::sql, Right.READ, Right.ADMINISTER);
            case "/ddl" -> post(exchange, (e, rights) -> change(e, false), Right.ADMINISTER);
            case "/deploy" -> post(exchange, (e, rights) -> change(e, true), Right.ADMINISTER);
            case "/" -> get(exchange, e -> page(e, "page.html", "text/html; charset=utf-8"));
            case "/page.css" -> get(exchange, e -> page(e, "page.css", "text/css; charset=utf-8"));
            case "/icon.svg" -> get(exchange, e -> page(e, "icon.svg", "image/svg+xml"));
            case "/page.js",
                    "/dom.js",
                    "/chart.js",
                    "/schema.js",
                    "/sql.js",
                    "/views.js",
                    "/sessions.js",
                    "/cluster.js",
                    "/procedures.js" ->
                get(exchange, e -> page(e, path.substring(1), "text/javascript; charset=utf-8"));
            default -> send(exchange, 404, JSON, StatusJson.problem("there is nothing at " + path));
        }
    }

    private interface Route {
        void answer(HttpExchange exchange) throws IOException;
    }

    private interface Change {
        void answer(HttpExchange exchange, HttpGuard.Answer asker) throws IOException;
    }

    /** A path that everybody may read. */
    private void getUnasked(HttpExchange exchange, Route route) throws IOException {
        String method = exchange.getRequestMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
            route.answer(exchange);
        } else {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            send(exchange, 405, JSON, StatusJson.problem("this can only be read"));
        }
    }

    /** A path about the data, which needs a right if there are users. */
    private void get(HttpExchange exchange, Route route) throws IOException {
        if (permitted(exchange, Right.WATCH).isPresent() && !telling.run(() -> getUnasked(exchange, route))) {
            refuse(exchange);
        }
    }

    private void post(HttpExchange exchange, Change change, Right... oneOf) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            send(exchange, 405, JSON, StatusJson.problem("this takes a POST"));
            return;
        }
        Optional<HttpGuard.Answer> asker = permitted(exchange, oneOf);
        boolean administers = oneOf.length == 1 && oneOf[0] == Right.ADMINISTER;
        // A request without the right is rejected before it takes a thread.
        boolean refused = asker.isPresent()
                && !doing.run(() -> {
                    change.answer(exchange, asker.get());
                    if (administers) {
                        audit(exchange, asker.get(), "POST " + exchange.getRequestURI());
                    }
                });
        if (refused) {
            refuse(exchange);
        }
    }

    private static void audit(HttpExchange exchange, HttpGuard.Answer asker, String act) {
        int code = exchange.getResponseCode();
        AuditLog.act(
                asker.user(),
                exchange.getRemoteAddress(),
                act,
                code < FIRST_FAILURE ? "done" : "failed with status " + code);
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
        send(exchange, answer.code(), JSON, StatusJson.problem(answer.why()));
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

    private void health(HttpExchange exchange) throws IOException {
        NodeState.Now now = state.now();
        boolean failed = now.phase() == NodeState.Phase.FAILED;
        send(exchange, failed ? 503 : 200, TEXT, failed ? now.problem() + "\n" : "healthy\n");
    }

    private void ready(HttpExchange exchange) throws IOException {
        var notReady = state.notReady();
        StringBuilder body = new StringBuilder(notReady.orElse("ready")).append('\n');
        state.fullPartitions()
                .forEach(partition -> body.append("warning: partition ")
                        .append(partition)
                        .append(" is at its memory limit, see /status\n"));
        send(exchange, notReady.isPresent() ? 503 : 200, TEXT, body.toString());
    }

    private void status(HttpExchange exchange) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        if (accept != null && accept.contains("application/json")) {
            send(exchange, 200, JSON, StatusJson.of(state, recent));
        } else {
            send(exchange, 200, TEXT, StatusText.of(state, recent));
        }
    }

    /** Whatever else is asked: all points. */
    private static long after(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        return query != null && query.matches("after=[0-9]{1,18}") ? Long.parseLong(query.substring(6)) : 0;
    }

    private void schema(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.now().engine();
        if (engine.isEmpty()) {
            send(exchange, 503, JSON, StatusJson.problem(state.notReady().orElse("it is not ready")));
        } else {
            send(exchange, 200, JSON, SchemaJson.of(engine.get()));
        }
    }

    private void operate(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.open();
        if (engine.isEmpty()) {
            send(exchange, 503, JSON, StatusJson.problem(state.notReady().orElse("")));
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(ClusterOperations.MOST_BYTES);
        ClusterOperations.Answer answer = ClusterOperations.run(engine.get(), new String(body, StandardCharsets.UTF_8));
        if (answer.isGood()) {
            send(exchange, answer.code(), TEXT, answer.text() + "\n");
        } else {
            send(exchange, answer.code(), JSON, StatusJson.problem(answer.text()));
        }
    }

    private void snapshot(HttpExchange exchange) throws IOException {
        try {
            send(exchange, 200, TEXT, actions.snapshot() + "\n");
        } catch (IllegalStateException | ProcedureException e) {
            send(exchange, 503, TEXT, e.getMessage() + "\n");
        }
    }

    private void rebuild(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_ID_BYTES);
        try {
            Reprise engine = state.open()
                    .orElseThrow(
                            () -> new IllegalStateException(state.notReady().orElse("it is not ready")));
            send(exchange, 200, TEXT, RebuildRequest.run(engine, body));
        } catch (IllegalArgumentException e) {
            send(exchange, 400, TEXT, e.getMessage() + "\n");
        } catch (ProcedureException e) {
            send(exchange, isOfNode(e.code()) ? 503 : 400, TEXT, e.getMessage() + "\n");
        } catch (IllegalStateException e) {
            send(exchange, 503, TEXT, e.getMessage() + "\n");
        }
    }

    private void repair(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.open();
        String query = exchange.getRequestURI().getQuery();
        if (engine.isEmpty()) {
            send(exchange, 503, JSON, StatusJson.problem(state.notReady().orElse("")));
        } else if (query == null || !query.matches("bucket=[0-9]{1,9}")) {
            send(exchange, 400, TEXT, "name the bucket: /repair?bucket=17\n");
        } else {
            repair(exchange, engine.get(), Integer.parseInt(query.substring(query.indexOf('=') + 1)));
        }
    }

    private void repair(HttpExchange exchange, Reprise engine, int bucket) throws IOException {
        try {
            RepairReport report = engine.repair(bucket);
            if (report.succeeded()) {
                send(
                        exchange,
                        200,
                        TEXT,
                        "Bucket " + bucket + " is rebuilt from snapshot " + report.source() + ": " + report.rowsBefore()
                                + " rows were taken out, " + report.rowsAfter() + " put in. Its calls waited "
                                + report.parkedNs() / 1_000_000 + " ms.\n");
            } else {
                send(exchange, 503, TEXT, "Bucket " + bucket + " is not repaired: " + report.problem() + "\n");
            }
        } catch (IllegalArgumentException e) {
            send(exchange, 400, TEXT, e.getMessage() + "\n");
        } catch (IllegalStateException | ProcedureException e) {
            send(exchange, 503, TEXT, e.getMessage() + "\n");
        }
    }

    private void me(HttpExchange exchange) throws IOException {
        send(exchange, 200, JSON, ConsoleJson.me(guard.ask(exchange, Right.WATCH), guard.hasUsers()));
    }

    private void latency(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        String name = query != null && query.startsWith(PROCEDURE) ? query.substring(PROCEDURE.length()) : "";
        Optional<String> answer =
                state.now().engine().flatMap(engine -> ConsoleJson.latency(engine.metrics(), recent.window(), name));
        if (answer.isPresent()) {
            send(exchange, 200, JSON, answer.get());
        } else {
            send(exchange, 404, JSON, StatusJson.problem("no procedure of this name was called: " + name));
        }
    }

    /** The texts of statements may have data in them, so that a watcher is not sent them. */
    private void sessions(HttpExchange exchange) throws IOException {
        boolean statements = guard.ask(exchange, Right.WATCH).rights().has(Right.ADMINISTER);
        send(exchange, 200, JSON, ConsoleJson.sessions(state.sessions().list(), statements));
    }

    private void onSession(HttpExchange exchange, boolean end) throws IOException {
        String id = new String(exchange.getRequestBody().readNBytes(MOST_ID_BYTES), StandardCharsets.UTF_8).strip();
        ClientSessions sessions = state.sessions();
        switch (end ? sessions.end(id) : sessions.cancel(id)) {
            case DONE -> send(exchange, 200, TEXT, end ? "The session is ended.\n" : "The statement is canceled.\n");
            case UNKNOWN -> send(exchange, 404, JSON, StatusJson.problem("there is no session " + id + " any more"));
            case UNSUPPORTED ->
                send(
                        exchange,
                        409,
                        JSON,
                        StatusJson.problem("a native client's calls can't be canceled once they run; end the session"));
        }
    }

    /** There are too many that wait for something. */
    private void refuse(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Connection", "close");
        send(
                exchange,
                503,
                JSON,
                StatusJson.problem("too many requests wait for an answer already"
                        + state.notReady().map(why -> ": " + why).orElse("; try again later")));
    }

    private void sql(HttpExchange exchange, HttpGuard.Answer asker) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_SQL_BYTES + 1);
        Optional<Reprise> engine = state.open();
        if (body.length > MOST_SQL_BYTES) {
            discard(exchange, MOST_DISCARDED_BYTES);
            exchange.getResponseHeaders().set("Connection", "close");
            send(exchange, 413, JSON, StatusJson.problem("a statement here has at most " + MOST_SQL_BYTES + " bytes"));
        } else if (engine.isEmpty()) {
            send(exchange, 503, JSON, StatusJson.problem(state.notReady().orElse("it is not ready")));
        } else {
            boolean asks = exchange.getRequestHeaders().containsKey(ASK_HEADER);
            SqlAnswer answer = SqlAnswer.of(engine.get(), body, asker.rights(), largestResult, asks);
            if (answer.code() == 403) {
                state.access().refusedRequest();
            }
            send(exchange, answer.code(), JSON, answer.toString());
            if (answer.changesSchema()) {
                audit(exchange, asker, new String(body, StandardCharsets.UTF_8));
            }
        }
    }

    /** An unread body would break the connection before the answer arrives; a long one is not read without end. */
    private static void discard(HttpExchange exchange, int most) throws IOException {
        InputStream body = exchange.getRequestBody();
        byte[] some = new byte[1 << 16];
        int left = most;
        for (int count = 0; count >= 0 && left > 0; left -= count) {
            count = body.read(some, 0, Math.min(left, some.length));
        }
    }

    private void change(HttpExchange exchange, boolean withJar) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_CHANGE_BYTES + 1);
        Optional<Reprise> engine = state.open();
        if (body.length > MOST_CHANGE_BYTES) {
            discard(exchange, MOST_DISCARDED_CHANGE_BYTES);
            exchange.getResponseHeaders().set("Connection", "close");
            send(exchange, 413, TEXT, "a change of the schema has at most " + MOST_CHANGE_BYTES + " bytes here\n");
            return;
        }
        try {
            Reprise at = engine.orElseThrow(
                    () -> new IllegalStateException(state.notReady().orElse("it is not ready")));
            SchemaRequest request = withJar ? SchemaRequest.withJar(body) : SchemaRequest.of(body);
            request.run(at);
            send(exchange, 200, TEXT, "The schema has changed.\n");
        } catch (ProcedureException e) {
            send(exchange, isOfNode(e.code()) ? 503 : 400, TEXT, e.getMessage() + "\n");
        } catch (IllegalStateException e) {
            send(exchange, 503, TEXT, e.getMessage() + "\n");
        }
    }

    /** Whether the failure tells of the node's state and not of the request. */
    private static boolean isOfNode(ErrorCode code) {
        return switch (code) {
            case STORAGE_UNAVAILABLE, OVERLOADED, SHUTTING_DOWN, OUTCOME_UNKNOWN, MOVED, PARTITION_UNAVAILABLE -> true;
            default -> false;
        };
    }

    /** The page runs nothing but its own script, so that no name or value from the database can. */
    private void page(HttpExchange exchange, String file, String type) throws IOException {
        try (InputStream content = HttpRoutes.class.getResourceAsStream(file)) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Security-Policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                                    + " connect-src 'self';"
                                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            send(exchange, 200, type, content.readAllBytes());
        }
    }

    private void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        send(exchange, code, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private void send(HttpExchange exchange, int code, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        limit.during(() -> {
            exchange.sendResponseHeaders(code, head ? -1 : bytes.length);
            if (!head) {
                exchange.getResponseBody().write(bytes);
            }
        });
    }
}
