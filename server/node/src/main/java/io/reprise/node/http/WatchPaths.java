package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.access.Right;
import io.reprise.engine.Reprise;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The paths that only read: the node's state for people and for programs, and the page. Used by any of the server's threads. */
final class WatchPaths {
    private static final String PROCEDURE = "procedure=";

    private final NodeState state;
    private final Recent recent;
    private final HttpGuard guard;
    private final HttpAnswers answers;

    WatchPaths(NodeState state, Recent recent, HttpGuard guard, HttpAnswers answers) {
        this.state = state;
        this.recent = recent;
        this.guard = guard;
        this.answers = answers;
    }

    void health(HttpExchange exchange) throws IOException {
        NodeState.Now now = state.now();
        boolean failed = now.phase() == NodeState.Phase.FAILED;
        answers.text(exchange, failed ? 503 : 200, failed ? now.problem() + "\n" : "healthy\n");
    }

    void ready(HttpExchange exchange) throws IOException {
        var notReady = state.notReady();
        StringBuilder body = new StringBuilder(notReady.orElse("ready")).append('\n');
        state.fullPartitions()
                .forEach(partition -> body.append("warning: partition ")
                        .append(partition)
                        .append(" is at its memory limit, see /status\n"));
        answers.text(exchange, notReady.isPresent() ? 503 : 200, body.toString());
    }

    void status(HttpExchange exchange) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        if (accept != null && accept.contains("application/json")) {
            answers.json(exchange, 200, StatusJson.of(state, recent));
        } else {
            answers.text(exchange, 200, StatusText.of(state, recent));
        }
    }

    void metrics(HttpExchange exchange) throws IOException {
        answers.send(exchange, 200, PrometheusText.CONTENT_TYPE, MetricsPage.of(state));
    }

    void history(HttpExchange exchange) throws IOException {
        answers.json(exchange, 200, recent.history(after(exchange)));
    }

    /** The last point that the sender knows; 0 for all points, also if the query makes no sense. */
    private static long after(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        return query != null && query.matches("after=[0-9]{1,18}") ? Long.parseLong(query.substring(6)) : 0;
    }

    void schema(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.now().engine();
        if (engine.isEmpty()) {
            answers.problem(exchange, 503, state.notReady().orElse("it is not ready"));
        } else {
            answers.json(exchange, 200, SchemaJson.of(engine.get()));
        }
    }

    void me(HttpExchange exchange) throws IOException {
        answers.json(exchange, 200, ConsoleJson.me(guard.ask(exchange, Right.WATCH), guard.hasUsers()));
    }

    void latency(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        String name = query != null && query.startsWith(PROCEDURE) ? query.substring(PROCEDURE.length()) : "";
        Optional<String> answer =
                state.now().engine().flatMap(engine -> ConsoleJson.latency(engine.metrics(), recent.window(), name));
        if (answer.isPresent()) {
            answers.json(exchange, 200, answer.get());
        } else {
            answers.problem(exchange, 404, "no procedure of this name was called: " + name);
        }
    }

    /** The texts of statements may have data in them, so that a watcher is not sent them. */
    void sessions(HttpExchange exchange) throws IOException {
        boolean statements = guard.ask(exchange, Right.WATCH).rights().has(Right.ADMINISTER);
        answers.json(exchange, 200, ConsoleJson.sessions(state.sessions().list(), statements));
    }

    /** The page runs nothing but its own script, so that no name or value from the database can. */
    void page(HttpExchange exchange, String file, String type) throws IOException {
        try (InputStream content = WatchPaths.class.getResourceAsStream(file)) {
            exchange.getResponseHeaders()
                    .set(
                            "Content-Security-Policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                                    + " connect-src 'self';"
                                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
            exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
            answers.send(exchange, 200, type, content.readAllBytes());
        }
    }
}
