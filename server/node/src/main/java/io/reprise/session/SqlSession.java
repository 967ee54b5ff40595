package io.reprise.session;

import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.catalog.Catalog;
import io.reprise.engine.Batches;
import io.reprise.engine.DrawnValues;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
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
    private final PreparedStatements statements = new PreparedStatements();
    private final SessionLocks locks;
    private final List<Notice> notices = new ArrayList<>();
    private final TapeRunner tape;
    private final TransactionStatements transactionStatements;
    private final Preparation preparation;
    private final SettingStatements settingStatements;
    private final DrawnValues drawn = new DrawnValues();
    private final StartedRequests started;

    /** Whether the client has gone. */
    private final BooleanSupplier gone;

    /** Whether a statement has asked to cancel or end sessions. */
    private boolean reachedSessions;

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
     * @param gone whether the client has gone
     */
    public SqlSession(
            SessionEngine engine,
            Supplier<Rights> rights,
            String user,
            String database,
            int processId,
            long hashKey,
            BooleanSupplier gone) {
        this.gone = gone;
        locks = new SessionLocks(engine.advisoryLocks());
        this.engine = engine;
        this.rights = rights;
        tape = new TapeRunner(engine, transaction, hashKey);
        transactionStatements = new TransactionStatements(tape, transaction, settings, cursors, locks, notices);
        preparation = new Preparation(
                engine,
                new SessionFunctions(settings, engine, user, database, processId),
                () -> new VisibleBackends(engine.backends(), rights.get(), user, () -> reachedSessions = true));
        settingStatements = new SettingStatements(settings, transaction);
        started = new StartedRequests(
                engine, transaction, tape, transactionStatements, this::checkMayRun, () -> cancellation);
    }

    /** Its settings. */
    public SessionSettings settings() {
        return settings;
    }

    /** Its prepared statements. */
    public PreparedStatements statements() {
        return statements;
    }

    /** Its requests that are started without waiting. */
    public StartedRequests started() {
        return started;
    }

    /** The client has gone, and nothing of it runs any more. */
    public void close() {
        locks.close();
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

    /** Takes whether a statement has asked to cancel or end sessions since the last call. */
    public boolean takeReachedSessions() {
        boolean taken = reachedSessions;
        reachedSessions = false;
        return taken;
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
        if (!TransactionStatements.endsTransaction(statement)) {
            transaction.checkNotFailed();
        }
        try {
            if (statement.word(0).equals("FETCH")) {
                return Preparation.session(ClientStatement.Kind.SESSION, statement, cursors.fetched(statement));
            }
            if (statement.kind() == ClientStatement.Kind.EXECUTE) {
                return Preparation.executed(statement, statements.find(SettingStatements.name(statement, 1)));
            }
            return preparation.prepare(cancellation, statement, declared);
        } catch (SessionException failure) {
            throw failure.movedBy(statement.offset());
        }
    }

    /** Binds values to the parameters of a statement. */
    public Bound bind(Prepared prepared, RawParameter... values) {
        if (prepared.kind() == ClientStatement.Kind.EXECUTE) {
            return execute(prepared, values);
        }
        if (prepared.query() != null) {
            return new Bound(prepared, bind(prepared.query(), values));
        }
        boolean arrays = prepared.translation() != null
                && prepared.translation().hasArrays()
                && values.length == prepared.parameterTypes().size();
        return arrays ? bindArrays(prepared, values) : bindValues(prepared, values);
    }

    /** EXECUTE runs another statement, which counts from then on. */
    private Bound execute(Prepared execute, RawParameter... values) {
        if (values.length > 0) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION, "bind message supplies parameters, but EXECUTE has none");
        }
        RawParameter[] arguments = PrepareStatement.arguments(execute.statement());
        Prepared target = execute.query();
        int expected = target.parameterTypes().size();
        if (arguments.length != expected) {
            throw new SessionException(
                    SqlStates.SYNTAX_ERROR,
                    "wrong number of parameters for prepared statement \""
                            + SettingStatements.name(execute.statement(), 1) + "\"",
                    ErrorFields.NONE.withDetail(
                            "Expected " + expected + " parameters but got " + arguments.length + "."));
        }
        return bind(target, arguments);
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

    /** Ends an implicit transaction at the end of its statements. */
    public void endImplicit() {
        transactionStatements.endImplicit(cancellation);
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
                tape.runAtOnce(cancellation, group);
            } else {
                if (transaction.state() == Transaction.State.IDLE) {
                    transaction.begin(true, settings.isOn("default_transaction_read_only"));
                }
                tape.preview(cancellation, group);
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

    /** Runs a statement that is not grouped, and keeps its answer or failure in it. */
    public void runAlone(Bound bound) {
        try {
            bound.answered(run(bound));
        } catch (SessionException failure) {
            bound.failed(failure);
        }
    }

    private void checkMayRun(Bound bound) {
        Prepared prepared = bound.prepared();
        if (!rights.get().has(prepared.readOnly() ? Right.READ : Right.SQL)) {
            throw new SessionException(
                    SqlStates.NOT_PERMITTED,
                    "permission denied: the statement needs the role " + (prepared.readOnly() ? "read" : "sql"));
        }
        if (!prepared.readOnly()) {
            checkMayWrite(prepared.statement().word(0));
        }
    }

    /** Throws if the transaction, or the next one, is read-only. */
    private void checkMayWrite(String what) {
        boolean only = transaction.state() == Transaction.State.IDLE
                ? settings.isOn("default_transaction_read_only")
                : transaction.isReadOnly();
        if (only) {
            throw new SessionException("25006", "cannot execute " + what + " in a read-only transaction");
        }
    }

    /** Draws the values of sequences, which stay the statement's however often it runs. */
    private void draw(Bound bound) {
        String sql = bound.prepared().translation().sql();
        bound.filled(TapeRunner.asked(bound, () -> engine.filled(sql, drawn, bound.arguments())));
    }

    /** Plans a COPY. */
    public CopyPlan prepareCopy(ClientStatement statement) {
        return CopyPlanner.plan(this, statement);
    }

    /** Begins a COPY FROM. */
    public CopyIn copyIn(CopyPlan plan) {
        checkMayRun(new Bound(plan.prepared()));
        transaction.checkNotFailed();
        if (!settings.isOn("reprise.copy_atomic")) {
            transactionStatements.commitBefore(
                    cancellation, "COPY commits in batches, because reprise.copy_atomic is off");
            return new CopyIn(plan, new CopyBatches(batches(plan), plan));
        }
        return new CopyIn(plan, new CopyTransaction(this, plan, transaction.copyRoom()));
    }

    /** Whether a transaction is open. */
    boolean isInTransaction() {
        return transaction.state() != Transaction.State.IDLE;
    }

    /** Batches of the INSERT of a COPY, each a transaction of its own. */
    Batches batches(CopyPlan plan) {
        return engine.batches(cancellation, plan.prepared().translation().sql(), drawn);
    }

    /** Inserts the rows of a COPY as a part of the session's transaction. */
    void runCopied(List<Bound> rows) {
        transaction.copies(true);
        try {
            runGroup(rows, false);
        } finally {
            transaction.copies(false);
        }
    }

    /** Runs a statement that is not grouped. */
    public Answer run(Bound bound) {
        Prepared prepared = bound.prepared();
        return switch (prepared.kind()) {
            case DDL -> changeSchema(prepared);
            case CALL -> call(bound);
            case SYSTEM -> runSystem(bound);
            case DECLARE -> declare(bound);
            case PREPARE -> prepareNamed(prepared.statement());
            case TRUNCATE -> truncate(prepared.statement());
            case ADVISORY -> lock(bound);
            case SET_CONFIG -> {
                transaction.checkNotFailed();
                yield settingStatements.setConfig(bound);
            }
            default -> runSessionStatement(prepared.statement());
        };
    }

    private Answer truncate(ClientStatement statement) {
        Truncation truncation = Truncation.parse(statement);
        if (truncation.restarts()) {
            transactionStatements.commitBefore(
                    cancellation, "TRUNCATE with RESTART IDENTITY is a transaction of its own");
        }
        List<String> tables = truncation.inOrder(engine.catalog(), settings.searchPath());
        List<Bound> group = tables.stream()
                .map(table -> new Bound(prepare(Truncation.of(table))))
                .toList();
        runGroup(group, truncation.restarts());
        group.forEach(Bound::answer);
        if (truncation.restarts()) {
            transactionStatements.commitBefore(cancellation, "TRUNCATE with RESTART IDENTITY ends here");
            Truncation.restarts(engine.catalog(), tables).forEach(engine::change);
        }
        return Answer.done("TRUNCATE TABLE");
    }

    private Answer prepareNamed(ClientStatement statement) {
        PrepareStatement prepare = PrepareStatement.parse(statement);
        statements.checkNew(prepare.name());
        statements.put(prepare.name(), prepare(prepare.statement(), prepare.types()));
        return Answer.done("PREPARE");
    }

    private Answer lock(Bound bound) {
        transaction.checkNotFailed();
        AdvisoryCall call = AdvisoryCall.of(bound.prepared().statement()).orElseThrow();
        Object value = locks.run(call, () -> cancellation.isCanceled() || gone.getAsBoolean(), bound.arguments());
        checkCanceled();
        if (call.frees() && Boolean.FALSE.equals(value)) {
            notices.add(Notice.warning("01000", "you don't own a lock of this key"));
        }
        if (transaction.state() == Transaction.State.IDLE) {
            locks.transactionEnded();
        }
        List<Object[]> rows = new ArrayList<>();
        rows.add(new Object[] {value});
        return Answer.of("SELECT", bound.prepared().columns(), rows);
    }

    /** DISCARD: ALL is for pools that give the session to another program. */
    private Answer discard(ClientStatement statement) {
        String what = statement.word(1);
        switch (what) {
            case "ALL" -> {
                if (transaction.state() != Transaction.State.IDLE && !transaction.isImplicit()) {
                    throw new SessionException("25001", "DISCARD ALL cannot run inside a transaction block");
                }
                settings.resetAll();
                statements.clear();
                cursors.closeAll();
                drawn.clear();
                locks.freeAll();
            }
            case "SEQUENCES" -> drawn.clear();
            case "PLANS", "TEMP", "TEMPORARY" -> {
                // Plans are the engine's, and there are no temporary tables.
            }
            default -> throw SessionException.syntax("DISCARD takes ALL, PLANS, SEQUENCES or TEMP", statement.offset());
        }
        return Answer.done("DISCARD " + what);
    }

    /** Whether an ALTER TABLE IF EXISTS has nothing to change. */
    private boolean isOfMissingTable(ClientStatement statement) {
        if (!Translator.isAlterIfExists(statement.tokens())) {
            return false;
        }
        RelationName written = RelationName.at(statement, Translator.nameOfAlter(statement.tokens()));
        String name = written.in(engine.catalog(), settings.searchPath());
        if (engine.catalog().table(name).isPresent()) {
            return false;
        }
        notices.add(Notice.notice("relation \"" + Names.simple(name) + "\" does not exist, skipping"));
        return true;
    }

    private Answer changeSchema(Prepared prepared) {
        if (!rights.get().has(Right.ADMINISTER)) {
            throw new SessionException(SqlStates.NOT_PERMITTED, "permission denied: DDL needs the role administer");
        }
        checkMayWrite(DdlNotices.tag(prepared.statement()));
        if (isOfMissingTable(prepared.statement())) {
            return Answer.done(DdlNotices.tag(prepared.statement()));
        }
        transactionStatements.commitBefore(cancellation, "a change of the schema is a transaction of its own");
        Catalog before = engine.catalog();
        long rows;
        try {
            rows = engine.change(prepared.translation().sql());
        } catch (ProcedureException e) {
            throw Preparation.failure(e, prepared.translation())
                    .movedBy(prepared.statement().offset());
        }
        if (engine.catalog().tables().size() > before.tables().size()) {
            DdlNotices.of(prepared.statement()).ifPresent(notices::add);
        }
        notices.addAll(DdlNotices.ofKeys(before, engine.catalog()));
        if (rows >= 0) {
            return Answer.done("SELECT " + rows);
        }
        return Answer.done(DdlNotices.tag(prepared.statement()));
    }

    /** The catalogue is no part of transactions: a query shows the schema of the moment. */
    private Answer runSystem(Bound bound) {
        transaction.checkNotFailed();
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
        Result result = TapeRunner.asked(
                bound,
                () -> engine.call(cancellation, prepared.procedure(), bound.arguments())
                        .result());
        return ProcedureAnswers.of(prepared, result);
    }

    private Answer runSessionStatement(ClientStatement statement) {
        if (!TransactionStatements.endsTransaction(statement)) {
            transaction.checkNotFailed();
        }
        if (!ClientStatement.beginnings().contains(statement.word(0))) {
            throw SettingStatements.unknown(statement);
        }
        return switch (statement.word(0)) {
            case "FETCH", "MOVE" -> cursors.move(statement);
            case "CLOSE" -> cursors.close(statement);
            case "DEALLOCATE" -> statements.deallocate(statement);
            case "DISCARD" -> discard(statement);
            default ->
                TransactionStatements.isOne(statement)
                        ? transactionStatements.run(cancellation, statement)
                        : settingStatements.run(statement);
        };
    }
}
