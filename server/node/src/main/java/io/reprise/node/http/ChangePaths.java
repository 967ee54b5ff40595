package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.configuration.ConfigurationException;
import io.reprise.engine.RepairReport;
import io.reprise.engine.Reprise;
import io.reprise.net.listen.ClientSessions;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The paths that change the node or its data, for senders with the right to it. Used by any of the server's threads. */
final class ChangePaths {
    private static final int MOST_CHANGE_BYTES = 64 << 20;

    /** The sender of a change may administer the node. */
    private static final int MOST_DISCARDED_CHANGE_BYTES = 1 << 30;

    private static final int MOST_ID_BYTES = 64;

    private final NodeState state;
    private final HttpEndpoint.Actions actions;
    private final HttpAnswers answers;

    ChangePaths(NodeState state, HttpEndpoint.Actions actions, HttpAnswers answers) {
        this.state = state;
        this.actions = actions;
        this.answers = answers;
    }

    void operate(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.open();
        if (engine.isEmpty()) {
            answers.problem(exchange, 503, state.notReady().orElse(""));
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(ClusterOperations.MOST_BYTES);
        ClusterOperations.Answer answer = ClusterOperations.run(engine.get(), new String(body, StandardCharsets.UTF_8));
        if (answer.isGood()) {
            answers.text(exchange, answer.code(), answer.text() + "\n");
        } else {
            answers.problem(exchange, answer.code(), answer.text());
        }
    }

    void snapshot(HttpExchange exchange) throws IOException {
        try {
            answers.text(exchange, 200, actions.snapshot() + "\n");
        } catch (IllegalStateException | ProcedureException e) {
            answers.text(exchange, 503, e.getMessage() + "\n");
        }
    }

    void reload(HttpExchange exchange) throws IOException {
        try {
            answers.text(exchange, 200, actions.reload() + "\n");
        } catch (IllegalStateException | ConfigurationException e) {
            answers.text(exchange, 409, e.getMessage() + "\n");
        }
    }

    void rebuild(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_ID_BYTES);
        try {
            Reprise engine = state.open()
                    .orElseThrow(
                            () -> new IllegalStateException(state.notReady().orElse("it is not ready")));
            answers.text(exchange, 200, RebuildRequest.run(engine, body));
        } catch (IllegalArgumentException e) {
            answers.text(exchange, 400, e.getMessage() + "\n");
        } catch (ProcedureException e) {
            answers.text(exchange, isOfNode(e.code()) ? 503 : 400, e.getMessage() + "\n");
        } catch (IllegalStateException e) {
            answers.text(exchange, 503, e.getMessage() + "\n");
        }
    }

    void repair(HttpExchange exchange) throws IOException {
        Optional<Reprise> engine = state.open();
        String query = exchange.getRequestURI().getQuery();
        if (engine.isEmpty()) {
            answers.problem(exchange, 503, state.notReady().orElse(""));
        } else if (query == null || !query.matches("bucket=[0-9]{1,9}")) {
            answers.text(exchange, 400, "name the bucket: /repair?bucket=17\n");
        } else {
            repair(exchange, engine.get(), Integer.parseInt(query.substring(query.indexOf('=') + 1)));
        }
    }

    private void repair(HttpExchange exchange, Reprise engine, int bucket) throws IOException {
        try {
            RepairReport report = engine.repair(bucket);
            if (report.succeeded()) {
                answers.text(
                        exchange,
                        200,
                        "Bucket " + bucket + " is rebuilt from snapshot " + report.source() + ": " + report.rowsBefore()
                                + " rows were taken out, " + report.rowsAfter() + " put in. Its calls waited "
                                + report.parkedNs() / 1_000_000 + " ms.\n");
            } else {
                answers.text(exchange, 503, "Bucket " + bucket + " is not repaired: " + report.problem() + "\n");
            }
        } catch (IllegalArgumentException e) {
            answers.text(exchange, 400, e.getMessage() + "\n");
        } catch (IllegalStateException | ProcedureException e) {
            answers.text(exchange, 503, e.getMessage() + "\n");
        }
    }

    void onSession(HttpExchange exchange, boolean end) throws IOException {
        String id = new String(exchange.getRequestBody().readNBytes(MOST_ID_BYTES), StandardCharsets.UTF_8).strip();
        ClientSessions sessions = state.sessions();
        switch (end ? sessions.end(id) : sessions.cancel(id)) {
            case DONE -> answers.text(exchange, 200, end ? "The session is ended.\n" : "The statement is canceled.\n");
            case UNKNOWN -> answers.problem(exchange, 404, "there is no session " + id + " any more");
            case UNSUPPORTED ->
                answers.problem(
                        exchange, 409, "a native client's calls can't be canceled once they run; end the session");
        }
    }

    void change(HttpExchange exchange, boolean withJar) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_CHANGE_BYTES + 1);
        Optional<Reprise> engine = state.open();
        if (body.length > MOST_CHANGE_BYTES) {
            answers.discard(exchange, MOST_DISCARDED_CHANGE_BYTES);
            answers.text(exchange, 413, "a change of the schema has at most " + MOST_CHANGE_BYTES + " bytes here\n");
            return;
        }
        try {
            Reprise at = engine.orElseThrow(
                    () -> new IllegalStateException(state.notReady().orElse("it is not ready")));
            SchemaRequest request = withJar ? SchemaRequest.withJar(body) : SchemaRequest.of(body);
            request.run(at);
            answers.text(exchange, 200, "The schema has changed.\n");
        } catch (ProcedureException e) {
            answers.text(exchange, isOfNode(e.code()) ? 503 : 400, e.getMessage() + "\n");
        } catch (IllegalStateException e) {
            answers.text(exchange, 503, e.getMessage() + "\n");
        }
    }

    /** Whether the failure tells of the node's state and not of the request. */
    private static boolean isOfNode(ErrorCode code) {
        return switch (code) {
            case STORAGE_UNAVAILABLE, OVERLOADED, SHUTTING_DOWN, OUTCOME_UNKNOWN, MOVED, PARTITION_UNAVAILABLE -> true;
            default -> false;
        };
    }
}
