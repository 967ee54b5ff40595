package io.reprise.net.postgres;

import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.session.Answer;
import io.reprise.session.Bound;
import io.reprise.session.ClientStatement;
import io.reprise.session.Notice;
import io.reprise.session.Prepared;
import io.reprise.session.RawParameter;
import io.reprise.session.SessionException;
import io.reprise.session.SqlSession;
import io.reprise.session.SqlStates;
import io.reprise.session.StartedEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    /** The tags of commands that tell the number of rows. */
    private static final Set<String> COUNTED = Set.of("SELECT", "INSERT 0", "UPDATE", "DELETE", "FETCH");

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    /** Queries that begin or end a transaction, as drivers send them. */
    private static final Set<String> BEGINS_OR_ENDS = Set.of("BEGIN", "COMMIT", "ROLLBACK");

    /** The longest of them, with a semicolon and the byte at the end. */
    private static final int MOST_BYTES = "ROLLBACK;\0".length();

    /** The most statements that are gathered; more are run as previews before Sync. */
    private static final int MOST_GATHERED = 256;

    private final SqlSession session;
    private final Replies replies;
    private final Map<String, Portal> portals = new HashMap<>();
    private final List<Bound> gathered = new ArrayList<>();

    /** Answers behind the first gathered statement. */
    private final List<Runnable> held = new ArrayList<>();

    private final StatementTimer timer;
    private final RequestSpan span;
    private final BiConsumer<String, String> audit;
    private final CopyExchange copy;

    /** The rest of a simple query whose COPY FROM is under way; null: none is, or it is of the extended protocol. */
    private Iterator<ClientStatement> rest;

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

    /** Whether it is a COMMIT. */
    private boolean startsCommit;

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
        this.audit = audit;
        this.session = session;
        this.replies = replies;
        this.timer = timer;
        copy = new CopyExchange(session, replies, this::runAudited, this::notices);
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
            boolean simple = kind == FrontendMessage.QUERY || rest != null;
            rest = null;
            copy.abort();
            skipping = kind != FrontendMessage.SYNC && !simple;
            if (!skipping) {
                ready();
            }
        }
    }

    private boolean isBetweenRequests() {
        return !underWay && !skipping && !copy.isReceiving() && rest == null && gathered.isEmpty();
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
        gather(portal.bound(), () -> simpleResult(portal));
        return true;
    }

    /** Whether messages are a request that {@link #start} takes: planned statements, or one that begins or ends a transaction. */
    boolean canStart(Iterable<FrontendMessage> messages) {
        starts = false;
        startsCommit = false;
        if (!isBetweenRequests() || session.settings().statementTimeoutMs() > 0) {
            return false;
        }
        List<Prepared> group = StartableRequest.statements(messages, session.statements());
        if (group.isEmpty()) {
            return false;
        }
        startsCommit = group.size() == 1 && session.started().isWaitingCommit(group.getFirst());
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
        startsCommit = false;
        return delayed == null ? session.started().start(gathered, loop) : Optional.empty();
    }

    /** A message runs the started request after all; a query gathers for itself. */
    void runsInstead(FrontendMessage message) {
        if (message.kind() == FrontendMessage.QUERY) {
            gathered.clear();
            held.clear();
        }
    }

    /** Whether what was started has to run again, by a thread that may wait. */
    boolean runsAgain(StartedEnd end, Throwable problem) {
        return session.started().runsAgain(gathered, end, problem);
    }

    /** Answers what was started, which has ended, and its Sync. */
    void answerStarted(StartedEnd end, Throwable problem) {
        session.started().ended(gathered, end, problem);
        List<Runnable> answers = List.copyOf(held);
        gathered.clear();
        held.clear();
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
            case FrontendMessage.PARSE -> parse(in);
            case FrontendMessage.BIND -> bind(in);
            case FrontendMessage.DESCRIBE -> describe(in);
            case FrontendMessage.EXECUTE -> execute(in);
            case FrontendMessage.CLOSE -> close(in);
            case FrontendMessage.FLUSH -> flush(false);
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
        if (copy.message(message) && rest != null) {
            Iterator<ClientStatement> parts = rest;
            rest = null;
            runParts(parts);
        }
    }

    /** Reports a failure behind the answers of what was gathered before it. */
    private void fail(SessionException failure) {
        SessionException told = failure;
        try {
            flush(false);
        } catch (SessionException earlier) {
            told = earlier;
        }
        gathered.clear();
        held.clear();
        session.failed();
        notices();
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
            portals.clear();
        }
        timer.end();
        span.ended();
        underWay = false;
        cancellation = new Cancellation();
        session.cancelBy(cancellation);
        status = session.status();
        replies.ready(status);
    }

    private void notices() {
        for (Notice notice : session.takeNotices()) {
            replies.notice(notice);
        }
    }

    /** Answers now, or behind the gathered statements. */
    private void answer(Runnable written) {
        if (gathered.isEmpty()) {
            written.run();
        } else {
            held.add(written);
        }
    }

    /** Runs what was gathered. */
    private void flush(boolean last) {
        if (gathered.isEmpty()) {
            return;
        }
        List<Bound> group = List.copyOf(gathered);
        List<Runnable> answers = List.copyOf(held);
        gathered.clear();
        held.clear();
        session.checkCanceled();
        if (session.isGrouped(group.getFirst().prepared())) {
            session.runGroup(group, last);
        } else {
            // A COMMIT that could not be started.
            session.runAlone(group.getFirst());
        }
        answers.forEach(Runnable::run);
    }

    private void gather(Bound bound, Runnable answer) {
        gathered.add(bound);
        held.add(answer);
        if (gathered.size() >= MOST_GATHERED) {
            flush(false);
        }
    }

    private void said(String text) {
        statement = text;
        span.statement(text);
    }

    private void query(String text) {
        said(text);
        portals.remove("");
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.isEmpty()) {
            replies.emptyQuery();
        }
        runParts(parts.iterator());
    }

    /** Runs the statements of a simple query, up to a COPY FROM, whose data the client has to send first. */
    private void runParts(Iterator<ClientStatement> parts) {
        while (parts.hasNext()) {
            ClientStatement part = parts.next();
            Prepared prepared = session.prepare(part);
            if (!prepared.parameterTypes().isEmpty()) {
                throw new SessionException("42P02", "there is no parameter $1");
            }
            if (prepared.kind() == ClientStatement.Kind.COPY) {
                flush(false);
                copy.begin(part, !parts.hasNext());
                if (copy.isReceiving()) {
                    rest = parts;
                    return;
                }
                continue;
            }
            Portal portal = new Portal(session.bind(prepared));
            if (session.isGrouped(portal.bound().prepared())) {
                portal.submit();
                gather(portal.bound(), () -> simpleResult(portal));
            } else {
                flush(false);
                session.checkCanceled();
                runNow(portal);
                simpleResult(portal);
            }
        }
        flush(true);
        ready();
    }

    private void simpleResult(Portal portal) {
        Answer answer = portal.answer();
        if (answer.returnsRows()) {
            replies.rowDescription(answer.columns());
        }
        result(portal, 0);
    }

    private void result(Portal portal, int most) {
        Answer answer = portal.answer();
        notices();
        if (!answer.returnsRows()) {
            replies.commandComplete(answer.tag());
        } else if (portal.writeRows(replies.out(), most)) {
            replies.portalSuspended();
        } else {
            String tag = answer.tag();
            replies.commandComplete(COUNTED.contains(tag) ? tag + " " + portal.sent() : tag);
        }
    }

    private void parse(BodyReader in) {
        String name = in.string();
        String text = in.string();
        int[] types = new int[in.int16()];
        for (int i = 0; i < types.length; i++) {
            types[i] = in.int32();
        }
        in.end();
        session.statements().checkNew(name);
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.size() > 1) {
            throw new SessionException(
                    SqlStates.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
        }
        said(text);
        session.statements().put(name, parts.isEmpty() ? null : session.prepare(parts.getFirst(), types));
        answer(replies::parseComplete);
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new SessionException(SqlStates.UNKNOWN_PORTAL, "portal \"" + name + "\" does not exist");
        }
        return portal;
    }

    private void bind(BodyReader in) {
        String name = in.string();
        Prepared prepared = session.statements().find(in.string());
        int[] formats = formats(in);
        int count = in.int16();
        if (formats.length > 1 && formats.length != count) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION,
                    "bind message has " + formats.length + " parameter formats but " + count + " parameters");
        }
        RawParameter[] values = new RawParameter[count];
        for (int i = 0; i < count; i++) {
            int length = in.int32();
            values[i] = new RawParameter(length < 0 ? null : in.bytes(length), Replies.isBinary(formats, i));
        }
        int[] resultFormats = formats(in);
        in.end();
        if (!name.isEmpty() && portals.containsKey(name)) {
            throw new SessionException("42P03", "portal \"" + name + "\" already exists");
        }
        if (prepared != null
                && resultFormats.length > 1
                && prepared.hasKnownColumns()
                && resultFormats.length != prepared.columns().size()) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION,
                    "bind message has " + resultFormats.length + " result formats but query has "
                            + prepared.columns().size() + " columns");
        }
        portals.put(name, new Portal(prepared == null ? null : session.bind(prepared, values), resultFormats));
        answer(replies::bindComplete);
    }

    private static int[] formats(BodyReader in) {
        int[] formats = new int[in.int16()];
        for (int i = 0; i < formats.length; i++) {
            formats[i] = in.int16();
            if (formats[i] > 1) {
                throw new SessionException(SqlStates.INVALID_SETTING, "unsupported format code: " + formats[i]);
            }
        }
        return formats;
    }

    private void describe(BodyReader in) {
        byte what = in.int8();
        String name = in.string();
        in.end();
        if (what == 'S') {
            Prepared prepared = session.statements().find(name);
            answer(() -> {
                replies.parameterDescription(prepared == null ? List.of() : prepared.parameterTypes());
                describeColumns(prepared);
            });
            return;
        }
        if (!portals.containsKey(name) && session.hasCursor(name)) {
            answer(() -> replies.rowDescription(session.cursorColumns(name)));
            return;
        }
        Portal portal = portal(name);
        if (portal.bound() == null) {
            answer(replies::noData);
            return;
        }
        Prepared prepared = portal.bound().prepared();
        if (!prepared.hasKnownColumns() && !portal.isSubmitted()) {
            runAlone(portal);
        }
        if (prepared.hasKnownColumns()) {
            answer(() -> describeColumns(prepared, portal.formats()));
        } else if (portal.answer().returnsRows()) {
            replies.rowDescription(portal.answer().columns(), portal.formats());
        } else {
            replies.noData();
        }
    }

    private void describeColumns(Prepared prepared, int... formats) {
        if (prepared == null || !prepared.returnsRows()) {
            replies.noData();
        } else {
            replies.rowDescription(prepared.columns(), formats);
        }
    }

    private void runAlone(Portal portal) {
        flush(false);
        session.checkCanceled();
        runNow(portal);
    }

    private void runNow(Portal portal) {
        portal.answered(runAudited(portal.bound()));
    }

    /** Runs a statement. It is an act of administration if it changes the schema, or asks to cancel or end sessions. */
    private Answer runAudited(Bound bound) {
        try {
            Answer answer = session.run(bound);
            audit(bound, "done");
            return answer;
        } catch (SessionException failure) {
            audit(bound, failure.getMessage());
            throw failure;
        }
    }

    private void audit(Bound bound, String end) {
        if (session.takeReachedSessions() || bound.prepared().changesSchema()) {
            audit.accept(bound.prepared().statement().text(), end);
        }
    }

    private void execute(BodyReader in) {
        Portal portal = portal(in.string());
        int most = Math.max(0, in.int32());
        in.end();
        if (portal.bound() == null) {
            answer(replies::emptyQuery);
            return;
        }
        if (portal.bound().prepared().kind() == ClientStatement.Kind.COPY) {
            flush(false);
            copy.begin(portal.bound().prepared().statement(), false);
        } else if (portal.isSubmitted()) {
            flush(false);
            result(portal, most);
        } else if (startsCommit || session.isGrouped(portal.bound().prepared())) {
            portal.submit();
            gather(portal.bound(), () -> result(portal, most));
        } else {
            runAlone(portal);
            result(portal, most);
        }
    }

    private void close(BodyReader in) {
        byte what = in.int8();
        String name = in.string();
        in.end();
        if (what == 'S') {
            session.statements().remove(name);
        } else {
            portals.remove(name);
        }
        answer(replies::closeComplete);
    }

    private void sync() {
        skipping = false;
        starts = false;
        if (delayed != null) {
            SessionException failure = delayed;
            delayed = null;
            throw failure;
        }
        flush(true);
        ready();
    }
}
