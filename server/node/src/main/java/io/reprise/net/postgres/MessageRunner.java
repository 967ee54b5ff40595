package io.reprise.net.postgres;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.session.ClientStatement;
import io.reprise.session.Prepared;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import io.reprise.session.StartedEnd;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a client's messages in their order: simple queries, and the extended protocol with prepared statements and portals.
 *
 * <p>Statements that are executed one after the other, without Sync between them, are gathered and run as one transaction at Sync.
 * The messages that follow a gathered statement are answered behind its result, so their answers are held back until then.
 *
 * <p>Owned by the thread that runs the connection's messages, except {@link #cancel}.
 */
final class MessageRunner {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    /** Queries that begin or end a transaction, as drivers send them. */
    private static final Set<String> BEGINS_OR_ENDS = Set.of("BEGIN", "COMMIT", "ROLLBACK");

    /** The longest of them, with a semicolon and the byte at the end. */
    private static final int MOST_BYTES = "ROLLBACK;\0".length();

    private final SqlSession session;
    private final Replies replies;
    private final StatementTimer timer;
    private final RequestSpan span;
    private final GatheredStatements gathered;
    private final PortalRuns runs;
    private final CopyExchange copy;
    private final SimpleQueries simple;
    private final ExtendedQueries extended;

    /** Cancels the request under way, or the next one. */
    private volatile Cancellation cancellation = new Cancellation();

    /** Whether a request is under way: a message has come since ReadyForQuery. */
    private volatile boolean underWay;

    /** The statement under way or the last one, and the transaction's status, for operators. */
    private volatile String statement = "";

    private volatile char status = 'I';

    /** After an error everything up to Sync is skipped. */
    private boolean skipping;

    /** Whether the request under way will be started. */
    private boolean starts;

    /** The failure of a message behind statements that were to be started; Sync runs them and reports it. Null: none. */
    private SessionException delayed;

    /**
     * Runs the messages of a session.
     *
     * @param span the span of the request under way
     * @param audit takes each act of administration and its end
     */
    MessageRunner(
            SqlSession session,
            Replies replies,
            StatementTimer timer,
            RequestSpan span,
            BiConsumer<String, String> audit) {
        this.span = span;
        this.session = session;
        this.replies = replies;
        this.timer = timer;
        gathered = new GatheredStatements(session);
        runs = new PortalRuns(session, replies, audit);
        copy = new CopyExchange(session, replies, runs::run, runs::notices);
        simple = new SimpleQueries(session, replies, gathered, runs, copy);
        extended = new ExtendedQueries(session, replies, gathered, runs, copy, this::said);
    }

    /** Any thread: the client has gone, and waits for nothing. */
    void leave() {
        cancellation.leave();
    }

    /** Any thread: cancels the request under way, up to ReadyForQuery. A session without one has nothing to cancel. */
    void cancel() {
        Cancellation present = cancellation;
        if (underWay) {
            present.cancel("canceling statement due to user request");
        }
    }

    /** Any thread: the statement under way, or the last one. */
    String statement() {
        return statement;
    }

    /** Any thread: the status of the transaction at the last ReadyForQuery. */
    char status() {
        return status;
    }

    /** The client has gone. */
    void close() {
        session.close();
    }

    /** Runs a message. Returns false if the client ends the session. */
    boolean run(FrontendMessage message) {
        if (message.kind() == FrontendMessage.TERMINATE) {
            return false;
        }
        if (skipping && message.kind() != FrontendMessage.SYNC) {
            return true;
        }
        begin();
        ended(message.kind(), failure(message.kind(), () -> dispatch(message, new BodyReader(message.body()))));
        return true;
    }

    private void begin() {
        if (!underWay) {
            underWay = true;
            session.cancelBy(cancellation);
            timer.begin(session.settings().statementTimeoutMs(), cancellation);
        }
    }

    private void ended(byte kind, SessionException failure) {
        if (failure != null && starts && !gathered.isEmpty()) {
            // The loop must not wait for what was gathered before.
            delayed = failure;
            skipping = true;
        } else if (failure != null) {
            fail(failure);
            boolean isSimple = kind == FrontendMessage.QUERY || simple.isSuspended();
            simple.abandon();
            copy.abort();
            skipping = kind != FrontendMessage.SYNC && !isSimple;
            if (!skipping) {
                ready();
            }
        }
    }

    private boolean isBetweenRequests() {
        return !underWay && !skipping && !copy.isReceiving() && !simple.isSuspended() && gathered.isEmpty();
    }

    /** A message that is a query that begins or ends a transaction and nothing else. Empty for another one, and for none: null. */
    private Optional<Prepared> beginOrEnd(FrontendMessage message) {
        if (message == null
                || message.kind() != FrontendMessage.QUERY
                || message.body().length > MOST_BYTES
                || !isBetweenRequests()) {
            return Optional.empty();
        }
        byte[] body = message.body();
        try {
            String text = new BodyReader(body).string();
            String word = text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
            return BEGINS_OR_ENDS.contains(word.toUpperCase(Locale.ROOT))
                    ? Optional.of(session.prepare(ClientStatement.split(text).getFirst()))
                    : Optional.empty();
        } catch (SessionException toldWhenItRuns) {
            return Optional.empty();
        }
    }

    /** Whether a message is a query that begins or ends a transaction, and waits for nothing. */
    boolean runsAtOnce(FrontendMessage message) {
        return beginOrEnd(message).filter(session.started()::runsAtOnce).isPresent();
    }

    /** Gathers a COMMIT that comes as a query and waits for the engine; {@link #start} takes it then. Returns whether it is one. */
    boolean gathersCommit(FrontendMessage message) {
        Optional<Prepared> commit = beginOrEnd(message).filter(session.started()::isWaitingCommit);
        if (commit.isEmpty() || session.settings().statementTimeoutMs() > 0) {
            return false;
        }
        begin();
        said(commit.get().statement().text());
        Portal portal = new Portal(session.bind(commit.get()));
        portal.submit();
        gathered.add(portal.bound(), () -> runs.simpleResult(portal));
        return true;
    }

    /** Whether messages are a request that {@link #start} takes: planned statements, or one that begins or ends a transaction. */
    boolean canStart(Iterable<FrontendMessage> messages) {
        starts = false;
        gathered.takesCommit(false);
        if (!isBetweenRequests() || session.settings().statementTimeoutMs() > 0) {
            return false;
        }
        List<Prepared> group = StartableRequest.statements(messages, session.statements());
        if (group.isEmpty()) {
            return false;
        }
        boolean startsCommit = group.size() == 1 && session.started().isWaitingCommit(group.getFirst());
        gathered.takesCommit(startsCommit);
        starts = startsCommit
                || group.size() == 1 && session.started().runsAtOnce(group.getFirst())
                || session.started().canStart(group);
        return starts;
    }

    /** Whether all that was sent before Sync is answered, so that Sync has nothing to wait for. */
    boolean isAnswered() {
        return gathered.isEmpty();
    }

    /** Starts what is gathered, without waiting. Empty: the last message has to be run as any message. */
    Optional<CompletableFuture<StartedEnd>> start(Executor loop) {
        starts = false;
        gathered.takesCommit(false);
        return delayed == null ? session.started().start(gathered.statements(), loop) : Optional.empty();
    }

    /** A message runs the started request after all; a query gathers for itself. */
    void runsInstead(FrontendMessage message) {
        if (message.kind() == FrontendMessage.QUERY) {
            gathered.forget();
        }
    }

    /** Whether what was started has to run again, by a thread that may wait. */
    boolean runsAgain(StartedEnd end, Throwable problem) {
        return session.started().runsAgain(gathered.statements(), end, problem);
    }

    /** Answers what was started, which has ended, and its Sync. */
    void answerStarted(StartedEnd end, Throwable problem) {
        session.started().ended(gathered.statements(), end, problem);
        List<Runnable> answers = gathered.takeAnswers();
        ended(FrontendMessage.SYNC, failure(FrontendMessage.SYNC, () -> {
            skipping = false;
            answers.forEach(Runnable::run);
            ready();
        }));
    }

    /** Runs a message. Returns its failure, or null. */
    private SessionException failure(byte kind, Runnable work) {
        try {
            work.run();
            return null;
        } catch (SessionException failure) {
            return failure;
        } catch (ProcedureException failure) {
            return new SessionException(SqlStates.of(failure.code(), failure.getMessage()), failure.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("A message of kind {} could not be run, and this is a bug", (char) kind, bug);
            return new SessionException("XX000", "internal error: " + bug);
        }
    }

    private void dispatch(FrontendMessage message, BodyReader in) {
        if (copy.isReceiving()) {
            receive(message);
            return;
        }
        switch (message.kind()) {
            case FrontendMessage.QUERY -> query(in.string());
            case FrontendMessage.PARSE -> extended.parse(in);
            case FrontendMessage.BIND -> extended.bind(in);
            case FrontendMessage.DESCRIBE -> extended.describe(in);
            case FrontendMessage.EXECUTE -> extended.execute(in);
            case FrontendMessage.CLOSE -> extended.close(in);
            case FrontendMessage.FLUSH -> gathered.run(false);
            case FrontendMessage.SYNC -> sync();
            case FrontendMessage.COPY_DATA, FrontendMessage.COPY_DONE, FrontendMessage.COPY_FAIL -> {
                // The client has not noticed yet that its COPY has failed.
            }
            case FrontendMessage.FUNCTION_CALL ->
                throw new SessionException(SqlStates.NOT_SUPPORTED, "the function call message is not supported");
            default ->
                throw new SessionException(
                        SqlStates.PROTOCOL_VIOLATION, "invalid message type " + (message.kind() & 0xFF));
        }
    }

    private void receive(FrontendMessage message) {
        if (copy.message(message) && simple.isSuspended() && simple.resume()) {
            ready();
        }
    }

    /** Reports a failure behind the answers of what was gathered before it. */
    private void fail(SessionException failure) {
        SessionException told = failure;
        try {
            gathered.run(false);
        } catch (SessionException earlier) {
            told = earlier;
        }
        gathered.forget();
        session.failed();
        runs.notices();
        span.failed(told.state());
        replies.error(session.told(told));
    }

    private void ready() {
        if (session.isImplicit()) {
            try {
                session.endImplicit();
            } catch (SessionException failure) {
                replies.error(failure);
            }
        }
        session.settings()
                .takeChanged()
                .forEach(
                        name -> replies.parameterStatus(name, session.settings().value(name)));
        if (session.status() == 'I') {
            extended.dropPortals();
        }
        timer.end();
        span.ended();
        underWay = false;
        cancellation = new Cancellation();
        session.cancelBy(cancellation);
        status = session.status();
        replies.ready(status);
    }

    private void said(String text) {
        statement = text;
        span.statement(text);
    }

    private void query(String text) {
        said(text);
        extended.dropUnnamedPortal();
        if (simple.run(text)) {
            ready();
        }
    }

    private void sync() {
        skipping = false;
        starts = false;
        if (delayed != null) {
            SessionException failure = delayed;
            delayed = null;
            throw failure;
        }
        gathered.run(true);
        ready();
    }
}
