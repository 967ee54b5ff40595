package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.engine.Batches;
import io.reprise.engine.DrawnValues;
import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunLimits;
import io.reprise.engine.StatementShape;
import io.reprise.engine.TapeReply;
import io.reprise.engine.TapeStep;
import io.reprise.execution.Work;
import io.reprise.net.session.PlanningQueues;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.runtime.time.Clock;
import io.reprise.session.AdvisoryLocks;
import io.reprise.session.Backends;
import io.reprise.session.SessionEngine;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The engine as SQL sessions see it. A statement that is not planned yet is planned on one of two threads, one for short texts and one for long
 * ones. A session has one statement at a time, so sessions take turns.
 */
final class EngineSessions implements SessionEngine {
    private final long largestResult;
    private final Executor planning;
    private final Executor longPlanning;
    private final Clock clock;
    private final String software;
    private final Optional<AdvisoryLocks> locks;
    private volatile Reprise engine;
    private volatile Backends backends = Backends.NONE;
    private volatile boolean stopping;

    EngineSessions(
            long largestResult,
            Executor planning,
            Executor longPlanning,
            Clock clock,
            String software,
            boolean inCluster) {
        locks = inCluster ? Optional.empty() : Optional.of(new AdvisoryLocks());
        this.largestResult = largestResult;
        this.planning = planning;
        this.longPlanning = longPlanning;
        this.clock = clock;
        this.software = software;
    }

    /** Sets the engine, before the first connection. */
    void open(Reprise opened) {
        engine = opened;
    }

    /** Sets the sessions of the port. */
    void connected(Backends ofPort) {
        backends = ofPort;
    }

    /** Refuses what has not begun. */
    void stop() {
        stopping = true;
    }

    private Reprise open() {
        if (stopping) {
            throw new ProcedureException(ErrorCode.SHUTTING_DOWN, "the server is closing; the statement was not run");
        }
        return engine;
    }

    @Override
    public StatementShape shape(Cancellation by, String sql) {
        Reprise running = open();
        if (running.isPlanned(sql)) {
            return running.shape(sql, () -> true);
        }
        try {
            return CompletableFuture.supplyAsync(
                            () -> running.shape(sql, () -> !stopping && by.isWanted()),
                            sql.length() <= PlanningQueues.SHORT_TEXT ? planning : longPlanning)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ProcedureException failure) {
                if (by.isCanceled() && failure.code() == ErrorCode.SHUTTING_DOWN) {
                    throw new ProcedureException(ErrorCode.CANCELED, "the statement was canceled while it was planned");
                }
                throw failure;
            }
            throw e;
        } catch (RejectedExecutionException full) {
            throw new ProcedureException(
                    ErrorCode.OVERLOADED, "too many statements wait to be planned already; try again later");
        }
    }

    @Override
    public Object[] filled(String sql, DrawnValues session, Object... arguments) {
        return open().filled(sql, session, arguments);
    }

    @Override
    public Reply run(Cancellation by, String sql, Object... arguments) {
        return open().sqlWithin(limits(by), sql, arguments);
    }

    @Override
    public boolean isPlanned(String sql) {
        return engine.isPlanned(sql);
    }

    @Override
    public Optional<CompletableFuture<Reply>> start(
            Cancellation by, Executor replies, String sql, Object... arguments) {
        return stopping ? Optional.empty() : engine.start(limits(by), replies, sql, arguments);
    }

    @Override
    public Optional<CompletableFuture<TapeReply>> startTape(
            Cancellation by, Executor replies, List<TapeStep> steps, boolean preview, long nowMicros, long key) {
        return stopping ? Optional.empty() : engine.startTape(limits(by), replies, steps, preview, nowMicros, key);
    }

    @Override
    public TapeReply tape(Cancellation by, List<TapeStep> steps, boolean preview, long nowMicros, long key) {
        return open().tape(steps, preview, nowMicros, key, limits(by));
    }

    @Override
    public Batches batches(Cancellation by, String sql, DrawnValues session) {
        return open().batches(limits(by), sql, session);
    }

    @Override
    public Reply call(Cancellation by, String procedure, Object... arguments) {
        return open().callWithin(limits(by), procedure, arguments);
    }

    private RunLimits limits(Cancellation by) {
        return new RunLimits(largestResult, by);
    }

    @Override
    public Work procedure(String name) {
        return engine.procedures().get(name);
    }

    @Override
    public long change(String script) {
        return open().change(script);
    }

    @Override
    public Catalog catalog() {
        return engine.catalog();
    }

    @Override
    public long nowMicros() {
        return clock.epochMicros();
    }

    @Override
    public Optional<AdvisoryLocks> advisoryLocks() {
        return locks;
    }

    @Override
    public Backends backends() {
        return backends;
    }

    @Override
    public String software() {
        return software;
    }
}
