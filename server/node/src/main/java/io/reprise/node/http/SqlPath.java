package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.runtime.file.TcpTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The path of statements. A statement is planned in the queues of the port for clients, and then run by one of the few threads for changes.
 * The request's own thread waits meanwhile, and looks whether the client is still there. For a client that has gone no statement is
 * planned, and none that only reads is run to its end; a change ends as it would have, because a client may send it and close.
 *
 * <p>Used by any of the server's threads.
 */
final class SqlPath {
    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_DISCARDED_BYTES = 1 << 20;
    private static final long LOOK_MS = 250;

    /** A request with it gets a question instead of a change; the page asks, and sends the statement again without. */
    private static final String ASK_HEADER = "X-Reprise-Ask";

    private final long largestResult;
    private final NodeState state;
    private final HttpAnswers answers;
    private final FewThreads threads;

    SqlPath(long largestResult, NodeState state, HttpAnswers answers, FewThreads threads) {
        this.largestResult = largestResult;
        this.state = state;
        this.answers = answers;
        this.threads = threads;
    }

    /** Answers a request; false if too many wait already. */
    boolean answer(HttpExchange exchange, HttpGuard.Answer asker) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        Optional<Reprise> engine = state.open();
        if (body.length > MOST_BYTES) {
            answers.discard(exchange, MOST_DISCARDED_BYTES);
            answers.problem(exchange, 413, "a statement here has at most " + MOST_BYTES + " bytes");
            return true;
        }
        if (engine.isEmpty()) {
            answers.problem(exchange, 503, state.notReady().orElse("it is not ready"));
            return true;
        }
        boolean asks = exchange.getRequestHeaders().containsKey(ASK_HEADER);
        SqlRequest request = SqlRequest.of(body, asker.rights(), largestResult, asks);
        if (!new Sender(exchange, asker, engine.get(), request).run()) {
            return false;
        }
        if (request.changesSchema()) {
            HttpGuard.audit(exchange, asker, new String(body, StandardCharsets.UTF_8));
        }
        return true;
    }

    /** A client that waits for its answer. */
    private final class Sender {
        private final HttpExchange exchange;
        private final HttpGuard.Answer asker;
        private final Reprise engine;
        private final SqlRequest request;
        private final Cancellation cancellation = new Cancellation();
        private final TcpTable.Connection connection;

        Sender(HttpExchange exchange, HttpGuard.Answer asker, Reprise engine, SqlRequest request) {
            this.exchange = exchange;
            this.asker = asker;
            this.engine = engine;
            this.request = request;
            connection = TcpTable.connection(exchange.getLocalAddress(), exchange.getRemoteAddress());
        }

        /** Runs the request to its answer, and sends that; false if too many wait already. */
        boolean run() throws IOException {
            while (!request.isAnswered()) {
                Optional<String> text = request.textToPlan();
                if (text.isPresent() && !plan(text.get())) {
                    continue;
                }
                boolean taken = threads.run(this::runAndAnswer, LOOK_MS, this::look);
                if (!taken || request.isAnswered()) {
                    return taken;
                }
            }
            send();
            return true;
        }

        /** The answer is sent by the same thread, so that no more results are kept than there are threads. */
        private void runAndAnswer() throws IOException {
            request.run(engine, cancellation);
            if (request.isAnswered()) {
                send();
            }
        }

        private void send() throws IOException {
            SqlAnswer answer = request.answer();
            if (answer.code() == 403) {
                state.access().refusedRequest();
            }
            answers.json(exchange, answer.code(), answer.toString());
        }

        /** Whether the statement can be run. If not, the request has an answer, or another text to plan. */
        private boolean plan(String sql) {
            CompletableFuture<Boolean> readsOnly = new CompletableFuture<>();
            try {
                if (!state.planning().submit(client(), sql, () -> plan(sql, readsOnly))) {
                    throw new ProcedureException(
                            ErrorCode.OVERLOADED, "too many statements wait already; try again later");
                }
                request.planned(await(readsOnly));
                return !request.isAnswered();
            } catch (ProcedureException e) {
                request.failed(e);
                return false;
            }
        }

        private void plan(String sql, CompletableFuture<Boolean> readsOnly) {
            try {
                readsOnly.complete(engine.plan(sql, this::isWanted));
            } catch (RuntimeException | Error failure) {
                readsOnly.completeExceptionally(failure);
            }
        }

        private boolean isWanted() {
            return cancellation.isWanted() && state.open().isPresent();
        }

        private Object client() {
            return asker.user().isEmpty() ? exchange.getRemoteAddress().getAddress() : asker.user();
        }

        private void look() {
            if (connection.isGone()) {
                cancellation.leave();
                if (request.onlyReads()) {
                    cancellation.cancel("its client has gone");
                }
            }
        }

        private boolean await(Future<Boolean> planned) {
            try {
                while (true) {
                    try {
                        return planned.get(LOOK_MS, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException stillPlanning) {
                        look();
                    }
                }
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case ProcedureException refused -> throw refused;
                    case RuntimeException bug -> throw bug;
                    case Error bug -> throw bug;
                    default -> throw new IllegalStateException(e.getCause());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                cancellation.leave();
                throw new ProcedureException(
                        ErrorCode.SHUTTING_DOWN, "the server is closing; the statement was not run");
            }
        }
    }
}
