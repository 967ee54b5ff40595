package io.reprise.session;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.engine.DrawnValues;
import io.reprise.engine.Reply;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.execution.work.TapeAnswer;
import io.reprise.execution.work.TapeEntry;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A client's SQL session: prepares statements, runs them, and keeps the tape of its transaction.
 *
 * <p>Outside of a transaction a statement, or a group of statements, is one transaction of the engine. In a transaction each statement
 * is a preview, which the engine rolls back: it runs after the tape's earlier writes. COMMIT runs the tape as one transaction and
 * compares each answer with what the client was told; a difference is SQLSTATE 40001. Between statements nothing is held but the tape.
 *
 * <p>Owned by the thread that runs the session's messages; it waits for the engine.
 */
public final class SqlSession {
    private final SessionEngine engine;
    private final Supplier<Rights> rights;
    private final SessionSettings settings = new SessionSettings();
    private final Transaction transaction = new Transaction();
    private final Cursors cursors = new Cursors();
    private final List<Notice> notices = new ArrayList<>();
    private final Preparation preparation;
    private final SettingStatements settingStatements;
    private final DrawnValues drawn = new DrawnValues();
    private final long hashKey;

    /** Cancels the request under way. */
    private Cancellation cancellation = new Cancellation();

    /**
     * A session.
     *
     * @param rights the present rights of its user
     * @param user the name of its user
     * @param database the name that the client gave to the database
     * @param processId the number by which the client knows the session
     * @param hashKey of the hashes of results
     */
    public SqlSession(
            SessionEngine engine, Supplier<Rights> rights, String user, String database, int processId, long hashKey) {
        this.engine = engine;
        this.rights = rights;
        this.hashKey = hashKey;
        preparation =
                new Preparation(engine, new SessionFunctions(settings, engine.software(), user, database, processId));
        settingStatements = new SettingStatements(settings, transaction);
    }

    /** Its settings. */
    public SessionSettings settings() {
        return settings;
    }

    /** Sets the means to cancel the client's next request. */
    public void cancelBy(Cancellation by) {
        cancellation = by;
    }

    /** Throws if the request under way was canceled. */
    public void checkCanceled() {
        if (cancellation.isCanceled()) {
            throw new SessionException(SqlStates.CANCELED, cancellation.reason());
        }
    }

    /** A failure as the client is told it: one that a cancellation has caused has the reason of the cancellation. */
    public SessionException told(SessionException failure) {
        return failure.state().equals(SqlStates.CANCELED) && cancellation.isCanceled()
                ? new SessionException(SqlStates.CANCELED, cancellation.reason())
                : failure;
    }

    /** The state for ReadyForQuery: I, T or E. */
    public char status() {
        return switch (transaction.state()) {
            case IDLE -> 'I';
            case OPEN -> transaction.isImplicit() ? 'I' : 'T';
            case FAILED -> transaction.isImplicit() ? 'I' : 'E';
        };
    }

    /** Takes the notices since the last call. */
    public List<Notice> takeNotices() {
        List<Notice> taken = List.copyOf(notices);
        notices.clear();
        return taken;
    }

    /**
     * Prepares a statement.
     *
     * @param declared the types of parameters that the client declared, by number; 0: none
     */
    public Prepared prepare(ClientStatement statement, int... declared) {
        if (transaction.state() == Transaction.State.FAILED && !endsTransaction(statement)) {
            throw failedTransaction();
        }
        try {
            if (statement.word(0).equals("FETCH")) {
                return Preparation.session(ClientStatement.Kind.SESSION, statement, cursors.fetched(statement));
            }
            return preparation.prepare(cancellation, statement, declared);
        } catch (SessionException failure) {
            throw failure.movedBy(statement.offset());
        }
    }

    /** Binds values to the parameters of a statement. */
    public Bound bind(Prepared prepared, RawParameter... values) {
        if (prepared.query() != null) {
            return new Bound(prepared, bind(prepared.query(), values));
        }
        boolean arrays = prepared.translation() != null
                && prepared.translation().hasArrays()
                && values.length == prepared.parameterTypes().size();
        return arrays ? bindArrays(prepared, values) : bindValues(prepared, values);
    }

    /** A statement with arrays is planned for their lengths. */
    private Bound bindArrays(Prepared prepared, RawParameter... values) {
        SortedMap<Integer, ArrayParameter> arrays = new TreeMap<>();
        SortedMap<Integer, Integer> places = new TreeMap<>();
        Translation translation = prepared.translation();
        for (int i = 0; i < translation.parameters().length; i++) {
            int parameter = translation.parameters()[i];
            if (translation.elements()[i] >= 0 && !arrays.containsKey(parameter)) {
                arrays.put(parameter, ArrayParameter.of(values[parameter]));
                places.put(parameter, arrays.get(parameter).places());
            }
        }
        Prepared sized = preparation.planned(cancellation, prepared.statement(), places, prepared.declared());
        return new Bound(sized, Preparation.arrayArguments(sized, arrays, values));
    }

    private static Bound bindValues(Prepared prepared, RawParameter... values) {
        return new Bound(prepared, Preparation.arguments(prepared, values));
    }

    /** Whether a statement can wait to be run with others, in one transaction. */
    public boolean isGrouped(Prepared prepared) {
        return prepared.isEngineStatement();
    }

    /** A statement failed, or could not be prepared: an open transaction is failed. */
    public void failed() {
        transaction.fail();
    }

    /** Whether there is a transaction that the client did not begin. */
    public boolean isImplicit() {
        return transaction.state() != Transaction.State.IDLE && transaction.isImplicit();
    }

    /**
     * Runs statements together. Those behind a failed one don't run.
     *
     * @param last whether nothing of the client's implicit transaction follows
     */
    public void runGroup(List<Bound> group, boolean last) {
        try {
            group.forEach(this::checkMayRun);
            if (transaction.state() != Transaction.State.FAILED) {
                group.forEach(this::draw);
            }
            if (transaction.state() == Transaction.State.IDLE && last) {
                runAtOnce(group);
            } else {
                if (transaction.state() == Transaction.State.IDLE) {
                    transaction.begin(true, settings.isOn("default_transaction_read_only"));
                }
                preview(group);
            }
        } catch (SessionException failure) {
            transaction.fail();
            group.stream()
                    .filter(bound -> !bound.ran())
                    .findFirst()
                    .orElse(group.getLast())
                    .failed(failure);
        }
    }

    private void checkMayRun(Bound bound) {
        Prepared prepared = bound.prepared();
        if (!rights.get().has(prepared.readOnly() ? Right.READ : Right.SQL)) {
            throw new SessionException(
                    SqlStates.NOT_PERMITTED,
                    "permission denied: the statement needs the role " + (prepared.readOnly() ? "read" : "sql"));
        }
        boolean only = transaction.state() == Transaction.State.IDLE
                ? settings.isOn("default_transaction_read_only")
                : transaction.isReadOnly();
        if (!prepared.readOnly() && only) {
            throw new SessionException(
                    "25006", "cannot execute " + prepared.statement().word(0) + " in a read-only transaction");
        }
    }

    /** Draws the values of sequences, which stay the statement's however often it runs. */
    private void draw(Bound bound) {
        String sql = bound.prepared().translation().sql();
        bound.filled(asked(bound, () -> engine.filled(sql, drawn, bound.arguments())));
    }

    private void runAtOnce(List<Bound> group) {
        if (group.size() == 1) {
            Bound bound = group.getFirst();
            bound.answered(answer(bound.prepared(), asked(bound, () -> {
                Reply reply =
                        engine.run(cancellation, bound.prepared().translation().sql(), bound.arguments());
                return reply.result();
            })));
            return;
        }
        List<TapeStep> steps = new ArrayList<>();
        group.forEach(bound -> steps.add(step(bound)));
        TapeReply reply = engine.tape(cancellation, steps, false, 0, hashKey);
        if (!reply.succeeded() && reply.failed() < 0) {
            throw failure(group.getFirst().prepared(), reply.error(), reply.message(), reply.subject());
        }
        answers(group, reply, 0);
    }

    private static TapeStep step(Bound bound) {
        return TapeStep.statement(bound.prepared().translation().sql(), bound.arguments());
    }

    private static <T> T asked(Bound bound, Supplier<T> run) {
        try {
            return run.get();
        } catch (ProcedureException e) {
            throw Preparation.failure(e, bound.prepared().translation())
                    .movedBy(bound.prepared().statement().offset());
        }
    }

    private static SessionException failure(Prepared prepared, ErrorCode code, String message, ErrorSubject subject) {
        return Preparation.failure(new ProcedureException(code, message, subject), prepared.translation());
    }

    private void preview(List<Bound> group) {
        if (transaction.state() == Transaction.State.FAILED) {
            throw failedTransaction();
        }
        transaction.checkRoom();
        transaction.fixNow(engine.nowMicros());
        int before = transaction.steps().size();
        List<TapeStep> steps = new ArrayList<>(transaction.steps());
        group.forEach(bound -> steps.add(step(bound)));
        TapeReply reply =
                asked(group.getFirst(), () -> engine.tape(cancellation, steps, true, transaction.nowMicros(), hashKey));
        if (reply.conflict() >= 0) {
            throw conflict(reply.message());
        }
        if (!reply.succeeded() && reply.failed() < 0) {
            throw failure(group.getFirst().prepared(), reply.error(), reply.message(), reply.subject());
        }
        answers(group, reply, before);
        for (int i = 0; i < group.size(); i++) {
            TapeEntry entry = reply.entries().get(before + i);
            if (!entry.ran()) {
                break;
            }
            transaction.add(
                    step(group.get(i)).told(told(entry)),
                    !group.get(i).prepared().readOnly());
        }
        if (!reply.succeeded()) {
            transaction.fail();
        }
    }

    private TapeAnswer told(TapeEntry entry) {
        if (entry.error() != null) {
            return TapeAnswer.failed(entry.error());
        }
        return entry.rows() == null ? TapeAnswer.counted(entry.count()) : TapeAnswer.of(entry.rows(), hashKey);
    }

    private static void answers(List<Bound> group, TapeReply reply, int before) {
        for (int i = 0; i < group.size(); i++) {
            TapeEntry entry = reply.entries().get(before + i);
            Prepared prepared = group.get(i).prepared();
            if (!entry.ran()) {
                return;
            }
            if (entry.error() != null) {
                group.get(i).failed(failure(prepared, entry.error(), entry.message(), entry.subject()));
            } else if (entry.rows() != null) {
                group.get(i).answered(Answer.of(tag(prepared), prepared.columns(), entry.rows()));
            } else {
                group.get(i).answered(Answer.done(writeTag(prepared, entry.count())));
            }
        }
    }

    private static Answer answer(Prepared prepared, Result result) {
        return result.kind() == Result.Kind.ROWS
                ? Answer.of(tag(prepared), prepared.columns(), (RowBuffer) result.rows())
                : Answer.done(writeTag(prepared, result.word()));
    }

    private static String tag(Prepared prepared) {
        if (prepared.kind() == ClientStatement.Kind.EXPLAIN) {
            return "EXPLAIN";
        } else if (prepared.readOnly()) {
            return "SELECT";
        }
        String word = prepared.statement().word(0);
        return word.equals("INSERT") || word.equals("UPSERT") ? "INSERT 0" : word;
    }

    private static String writeTag(Prepared prepared, long count) {
        String word = prepared.statement().word(0);
        return switch (word) {
            case "INSERT", "UPSERT" -> "INSERT 0 " + count;
            case "TRUNCATE" -> "TRUNCATE TABLE";
            case "WITH" -> "UPDATE " + count;
            default -> word + " " + count;
        };
    }

    private static SessionException conflict(String message) {
        return new SessionException(
                SqlStates.SERIALIZATION_FAILURE,
                "could not serialize access due to concurrent update",
                "Run the transaction again: " + message,
                0);
    }

    private static SessionException failedTransaction() {
        return new SessionException(
                SqlStates.FAILED_TRANSACTION,
                "current transaction is aborted, commands ignored until end of transaction block");
    }

    private static boolean endsTransaction(ClientStatement statement) {
        return switch (statement.word(0)) {
            case "COMMIT", "END", "ROLLBACK", "ABORT" -> true;
            default -> false;
        };
    }

    /** Plans a COPY. */
    public CopyPlan prepareCopy(ClientStatement statement) {
        CopyStatement copy = CopyStatement.parse(statement);
        if (!copy.query().isEmpty()) {
            Prepared query = prepareText(copy, statement, copy.query());
            return new CopyPlan(copy, query, query.columns());
        }
        String list = copy.columns().isEmpty() ? "*" : String.join(", ", copy.columns());
        Prepared query = prepareText(copy, statement, "SELECT " + list + " FROM " + copy.table());
        if (!copy.fromClient()) {
            return new CopyPlan(copy, query, query.columns());
        }
        StringJoiner names = new StringJoiner(", ", " (", ")");
        StringJoiner values = new StringJoiner(", ", " VALUES (", ")");
        for (int i = 0; i < query.columns().size(); i++) {
            names.add('"' + query.columns().get(i).name().replace("\"", "\"\"") + '"');
            values.add("$" + (i + 1));
        }
        Prepared insert = prepareText(copy, statement, "INSERT INTO " + copy.table() + names + values);
        return new CopyPlan(copy, insert, query.columns());
    }

    private Prepared prepareText(CopyStatement copy, ClientStatement of, String text) {
        List<ClientStatement> parts = ClientStatement.split(text);
        if (parts.size() != 1) {
            throw SessionException.syntax("COPY takes one query", of.offset() + copy.queryOffset());
        }
        try {
            return prepare(parts.getFirst());
        } catch (SessionException failure) {
            throw new SessionException(
                    failure.state(),
                    failure.getMessage(),
                    failure.fields().withPosition(of.offset() + copy.queryOffset() + 1));
        }
    }

    /** Begins a COPY FROM. */
    public CopyIn copyIn(CopyPlan plan) {
        checkMayRun(new Bound(plan.prepared()));
        if (transaction.state() == Transaction.State.FAILED) {
            throw failedTransaction();
        }
        if (!settings.isOn("reprise.copy_atomic")) {
            commitBefore("COPY commits in batches, because reprise.copy_atomic is off");
            return new CopyIn(plan, new CopyBatches(engine, cancellation, plan));
        }
        int mostRows = transaction.state() == Transaction.State.IDLE
                ? CopyIn.AllOrNothing.MOST_ROWS
                : Transaction.MOST_STEPS - transaction.steps().size();
        return new CopyIn(plan, new CopyIn.AllOrNothing(this, plan, mostRows));
    }

    /** Inserts the rows of a COPY: as a transaction of their own, or as a part of the session's. */
    void runCopied(List<Bound> rows) {
        runGroup(rows, transaction.state() == Transaction.State.IDLE);
    }

    /** Runs a statement that is not grouped. */
    public Answer run(Bound bound) {
        Prepared prepared = bound.prepared();
        return switch (prepared.kind()) {
            case DDL -> changeSchema(prepared);
            case CALL -> call(bound);
            case SYSTEM -> runSystem(bound);
            case DECLARE -> declare(bound);
            default -> runSessionStatement(prepared.statement());
        };
    }

    private Answer changeSchema(Prepared prepared) {
        if (!rights.get().has(Right.ADMINISTER)) {
            throw new SessionException(SqlStates.NOT_PERMITTED, "permission denied: DDL needs the role administer");
        }
        commitBefore("a change of the schema is a transaction of its own");
        try {
            engine.change(prepared.translation().sql());
        } catch (ProcedureException e) {
            throw Preparation.failure(e, prepared.translation())
                    .movedBy(prepared.statement().offset());
        }
        DdlNotices.of(prepared.statement()).ifPresent(notices::add);
        return Answer.done(DdlNotices.tag(prepared.statement()));
    }

    /** Commits what an open transaction has done before a statement that can't be a part of it. */
    private void commitBefore(String why) {
        if (transaction.state() != Transaction.State.OPEN || !transaction.hasSteps()) {
            return;
        }
        boolean implicit = transaction.isImplicit();
        boolean only = transaction.isReadOnly();
        commit();
        transaction.begin(implicit, only);
        if (!implicit) {
            notices.add(Notice.warning("01000", why + ": what came before it in this transaction has been committed"));
        }
    }

    /** The catalogue is no part of transactions: a query shows the schema of the moment. */
    private Answer runSystem(Bound bound) {
        if (transaction.state() == Transaction.State.FAILED) {
            throw failedTransaction();
        }
        String[] literals = java.util.Arrays.copyOf(bound.arguments(), bound.arguments().length, String[].class);
        SystemCatalog.Found found = preparation.runSystem(bound.prepared().statement(), literals);
        return Answer.of("SELECT", found.columns(), found.rows());
    }

    private Answer declare(Bound bound) {
        Cursors.Declaration declaration =
                Cursors.Declaration.parse(bound.prepared().statement());
        boolean idle = transaction.state() == Transaction.State.IDLE;
        if (!declaration.hold() && idle) {
            throw new SessionException(
                    SqlStates.NO_TRANSACTION, "DECLARE CURSOR can only be used in transaction blocks");
        }
        cursors.checkNew(declaration.name());
        Bound query = bound.query();
        Answer answer;
        if (isGrouped(query.prepared())) {
            runGroup(List.of(query), idle);
            answer = query.answer();
        } else {
            answer = run(query);
        }
        cursors.open(declaration, answer);
        return Answer.done("DECLARE CURSOR");
    }

    /** Whether there is a cursor of this name. */
    public boolean hasCursor(String name) {
        return cursors.has(name);
    }

    /** The columns of a cursor. */
    public List<ResultColumn> cursorColumns(String name) {
        return cursors.columns(name);
    }

    private Answer call(Bound bound) {
        Prepared prepared = bound.prepared();
        if (transaction.state() != Transaction.State.IDLE && !transaction.isImplicit()) {
            throw SessionException.unsupported("a procedure is a transaction of its own: CALL it outside of BEGIN");
        }
        Work work = engine.procedure(prepared.procedure());
        if (work != null && !rights.get().calls(work.name(), work.readOnly())) {
            throw new SessionException(
                    SqlStates.NOT_PERMITTED,
                    "permission denied for procedure " + prepared.procedure(),
                    "It needs the role call, or call:" + work.name() + ".",
                    0);
        }
        Result result = asked(
                bound,
                () -> engine.call(cancellation, prepared.procedure(), bound.arguments())
                        .result());
        return ProcedureAnswers.of(prepared, result);
    }

    private Answer runSessionStatement(ClientStatement statement) {
        String word = statement.word(0);
        if (transaction.state() == Transaction.State.FAILED && !endsTransaction(statement)) {
            throw failedTransaction();
        }
        return switch (word) {
            case "BEGIN" -> begin(statement, "BEGIN");
            case "FETCH", "MOVE" -> cursors.move(statement);
            case "CLOSE" -> cursors.close(statement);
            case "START" -> begin(statement, "START TRANSACTION");
            case "COMMIT", "END" -> commitStatement(statement);
            case "ROLLBACK", "ABORT" -> rollback(statement);
            case "SAVEPOINT" -> {
                requireTransaction("SAVEPOINT");
                transaction.savepoint(SettingStatements.name(statement, 1));
                yield Answer.done("SAVEPOINT");
            }
            case "RELEASE" -> {
                requireTransaction("RELEASE SAVEPOINT");
                transaction.release(
                        SettingStatements.name(statement, statement.word(1).equals("SAVEPOINT") ? 2 : 1));
                yield Answer.done("RELEASE");
            }
            case "LOCK" -> {
                requireTransaction("LOCK TABLE");
                yield Answer.done("LOCK TABLE");
            }
            default -> settingStatements.run(statement);
        };
    }

    private void requireTransaction(String what) {
        if (transaction.state() == Transaction.State.IDLE || transaction.isImplicit()) {
            throw new SessionException(SqlStates.NO_TRANSACTION, what + " can only be used in transaction blocks");
        }
    }

    private Answer begin(ClientStatement statement, String tag) {
        boolean only =
                SettingStatements.isReadOnly(statement).orElseGet(() -> settings.isOn("default_transaction_read_only"));
        if (transaction.state() == Transaction.State.IDLE) {
            transaction.begin(false, only);
        } else if (transaction.isImplicit()) {
            transaction.becomeExplicit();
        } else {
            notices.add(Notice.warning("25001", "there is already a transaction in progress"));
        }
        return Answer.done(tag);
    }

    private Answer commitStatement(ClientStatement statement) {
        if (statement.word(1).equals("PREPARED")) {
            throw SessionException.unsupported("two-phase commit is not supported");
        }
        if (transaction.state() == Transaction.State.FAILED) {
            endTransaction();
            return Answer.done("ROLLBACK");
        }
        if (transaction.state() == Transaction.State.IDLE || transaction.isImplicit() && !transaction.hasSteps()) {
            notices.add(Notice.warning(SqlStates.NO_TRANSACTION, "there is no transaction in progress"));
        }
        commit();
        return Answer.done("COMMIT");
    }

    /** Ends an implicit transaction at the end of its statements. */
    public void endImplicit() {
        if (transaction.state() == Transaction.State.FAILED) {
            endTransaction();
        } else {
            commit();
        }
    }

    private void commit() {
        try {
            if (transaction.state() == Transaction.State.OPEN && transaction.hasSteps()) {
                TapeReply reply = engine.tape(cancellation, toCommit(), false, transaction.nowMicros(), hashKey);
                if (reply.conflict() >= 0) {
                    throw conflict(reply.message());
                }
                if (!reply.succeeded()) {
                    throw Preparation.failure(
                            new ProcedureException(reply.error(), reply.message(), reply.subject()), null);
                }
            }
        } catch (ProcedureException e) {
            throw Preparation.failure(e, null);
        } finally {
            endTransaction();
        }
    }

    /** A single query has been a serial transaction already; it only waits until what it has read is durable. */
    private List<TapeStep> toCommit() {
        List<TapeStep> steps = transaction.steps();
        if (steps.size() == 1 && !transaction.hasWrites()) {
            TapeStep only = steps.getFirst();
            boolean failed = only.told().map(TapeAnswer::error).isPresent();
            if (only.kind() == TapeEntry.Kind.STATEMENT && !failed) {
                return List.of(TapeStep.statement(only.sql(), only.arguments()));
            }
        }
        return steps;
    }

    private Answer rollback(ClientStatement statement) {
        int at = statement.word(1).equals("WORK") || statement.word(1).equals("TRANSACTION") ? 2 : 1;
        if (statement.word(at).equals("PREPARED")) {
            throw SessionException.unsupported("two-phase commit is not supported");
        }
        if (statement.word(at).equals("TO")) {
            requireTransaction("ROLLBACK TO SAVEPOINT");
            transaction.rollbackTo(
                    SettingStatements.name(statement, statement.word(at + 1).equals("SAVEPOINT") ? at + 2 : at + 1));
            return Answer.done("ROLLBACK");
        }
        if (transaction.state() == Transaction.State.IDLE) {
            notices.add(Notice.warning(SqlStates.NO_TRANSACTION, "there is no transaction in progress"));
        }
        endTransaction();
        return Answer.done("ROLLBACK");
    }

    private void endTransaction() {
        cursors.transactionEnded();
        transaction.end();
        settings.transactionEnded();
    }
}
