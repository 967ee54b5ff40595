package io.reprise.node.http;

import com.sun.net.httpserver.HttpExchange;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The path of statements. A statement that is not planned yet is planned in the node's queues, and is then run by one of the few threads for
 * changes. The request's own thread waits meanwhile. The JDK's server does not tell that a client has gone, so its statement ends as it
 * would have.
 *
 * <p>Used by any of the server's threads.
 */
final class SqlPath {
    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_DISCARDED_BYTES = 1 << 20;

    /** The node's end is looked for so often while a statement waits to be planned. */
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
        return new Sender(exchange, asker, engine.get(), request, body).run();
    }

    /** A client that waits for its answer. */
    private final class Sender {
        private final HttpExchange exchange;
        private final HttpGuard.Answer asker;
        private final Reprise engine;
        private final SqlRequest request;
        private final byte[] body;

        Sender(HttpExchange exchange, HttpGuard.Answer asker, Reprise engine, SqlRequest request, byte[] body) {
            this.exchange = exchange;
            this.asker = asker;
            this.engine = engine;
            this.request = request;
            this.body = body;
        }

        /** Runs the request to its answer, and sends that; false if too many wait already. */
        boolean run() throws IOException {
            while (!request.isAnswered()) {
                Optional<String> text = request.textToPlan();
                if (text.isPresent() && !engine.isPlanned(text.get()) && !plan(text.get())) {
                    continue;
                }
                boolean taken = threads.run(this::runAndAnswer);
                if (!taken || request.isAnswered()) {
                    return taken;
                }
            }
            send();
            return true;
        }

        /** The answer is sent by the same thread, so that no more results are kept than there are threads. */
        private void runAndAnswer() throws IOException {
            request.run(engine);
            if (request.isAnswered()) {
                send();
            }
        }

        private void send() throws IOException {
            SqlAnswer answer = request.answer();
            if (answer.code() == 403) {
                state.access().refusedRequest();
            }
            if (request.changesSchema()) {
                // Before the answer, which a client that has gone does not take.
                HttpGuard.audit(exchange, asker, new String(body, StandardCharsets.UTF_8), answer.code());
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
                readsOnly.complete(engine.plan(sql, this::isOpen));
            } catch (RuntimeException | Error failure) {
                readsOnly.completeExceptionally(failure);
            }
        }

        private boolean isOpen() {
            return state.open().isPresent();
        }

        private Object client() {
            return asker.user().isEmpty() ? exchange.getRemoteAddress().getAddress() : asker.user();
        }

        /** Waits until a statement is planned. A node that ends may close the queues before. */
        private boolean await(Future<Boolean> planned) {
            try {
                while (true) {
                    try {
                        return planned.get(LOOK_MS, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException stillPlanning) {
                        if (!isOpen()) {
                            throw closing();
                        }
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
                throw closing();
            }
        }

        private static ProcedureException closing() {
            return new ProcedureException(ErrorCode.SHUTTING_DOWN, "the server is closing; the statement was not run");
        }
    }
}
