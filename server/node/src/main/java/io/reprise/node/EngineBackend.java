package io.reprise.node;

import io.reprise.engine.Reply;
import io.reprise.engine.Reprise;
import io.reprise.engine.RunLimits;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.net.session.Backend;
import io.reprise.net.session.FairTasks;
import io.reprise.net.session.PlanningQueues;
import io.reprise.net.session.StatementReply;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine as the network sees it. A statement that is not planned yet is planned on one of two threads, one for short
 * texts and one for long ones, and is then run, like those that are, by threads that wait for its end. In each of these
 * queues clients take turns.
 */
final class EngineBackend implements Backend {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.server");

    /** The most rows of a statement for many rows. */
    private static final int MOST_ROWS = 10_000;

    private final long largestResult;
    private final ExecutorService[] threads;
    private final FairTasks runs;
    private final PlanningQueues plans;
    private volatile Reprise engine;
    private volatile boolean stopping;

    EngineBackend(
            long largestResult,
            int mostWaiting,
            ExecutorService running,
            ExecutorService planning,
            ExecutorService longPlanning) {
        this.largestResult = largestResult;
        threads = new ExecutorService[] {running, planning, longPlanning};
        runs = new FairTasks(running, mostWaiting);
        plans = new PlanningQueues(planning, longPlanning, mostWaiting);
    }

    PlanningQueues planning() {
        return plans;
    }

    /** Sets the engine, before the first connection. */
    void open(Reprise opened) {
        engine = opened;
    }

    /** Refuses statements that have not begun. */
    void stop() {
        stopping = true;
    }

    void shutdown() {
        for (ExecutorService each : threads) {
            each.shutdown();
        }
    }

    @Override
    public Work procedure(String name) {
        return engine.procedures().get(name);
    }

    @Override
    public String noProcedure(String name) {
        return engine.noProcedure(name);
    }

    @Override
    public BucketMap buckets() {
        return engine.buckets();
    }

    @Override
    public int siteOf(int partition) {
        return engine.siteOf(partition);
    }

    @Override
    public boolean statement(String sql, Object[] arguments, boolean mayWrite, StatementReply reply) {
        return runs.submit(
                reply.client(), () -> begin(sql, mayWrite, reply, () -> run(sql, arguments, mayWrite, reply)));
    }

    @Override
    public boolean statementForRows(String sql, Object[] arguments, int rows, StatementReply reply) {
        return runs.submit(
                reply.client(), () -> begin(sql, true, reply, () -> runForRows(sql, arguments, rows, reply)));
    }

    private void runForRows(String sql, Object[] arguments, int rows, StatementReply reply) {
        if (rows > MOST_ROWS) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "a statement runs for " + MOST_ROWS + " rows at most, and these are " + rows
                            + "; send them in several requests");
        }
        RowsRun.of(engine.batches(RunLimits.ofResult(largestResult), sql, null), arguments, rows)
                .start(reply);
    }

    private void begin(String sql, boolean mayWrite, StatementReply reply, Runnable run) {
        answering(sql, reply, () -> {
            if (engine.isPlanned(sql)) {
                run.run();
                return;
            }
            if (!plans.submit(reply.client(), sql, () -> plan(sql, mayWrite, reply, run))) {
                throw overloaded();
            }
        });
    }

    private void plan(String sql, boolean mayWrite, StatementReply reply, Runnable run) {
        answering(sql, reply, () -> {
            boolean readsOnly = engine.plan(sql, reply::isWanted);
            if (!mayWrite && !readsOnly) {
                reply.notPermitted();
            } else if (!runs.submit(reply.client(), () -> answering(sql, reply, run))) {
                throw overloaded();
            }
        });
    }

    private void run(String sql, Object[] arguments, boolean mayWrite, StatementReply reply) {
        if (!mayWrite && !engine.readsOnly(sql)) {
            reply.notPermitted();
            return;
        }
        Reply response;
        try {
            response = engine.sqlWithin(RunLimits.ofResult(largestResult), sql, arguments);
        } catch (ProcedureException failure) {
            if (failure.code() != ErrorCode.MOVED) {
                throw failure;
            }
            reply.moved(engine.partitionOf(sql, arguments), failure.getMessage());
            return;
        }
        reply.committed(response.result());
    }

    @Override
    public boolean change(String script, byte[] jar, StatementReply reply) {
        return runs.submit(
                reply.client(),
                () -> answering(script, reply, () -> {
                    if (jar.length > 0) {
                        engine.deploy(jar, script);
                    } else {
                        engine.ddl(script);
                    }
                    reply.committed(new Result());
                }));
    }

    private static ProcedureException overloaded() {
        return new ProcedureException(ErrorCode.OVERLOADED, "too many statements wait already; try again later");
    }

    /** Runs a step of a statement; if it fails, or must not begin, that is the statement's reply. */
    private void answering(String sql, StatementReply reply, Runnable step) {
        if (stopping) {
            reply.failed(ErrorCode.SHUTTING_DOWN, "the server is closing; the statement was not run");
            return;
        }
        if (!reply.isWanted()) {
            reply.failed(ErrorCode.SHUTTING_DOWN, "the connection has ended; the statement was not run");
            return;
        }
        try {
            step.run();
        } catch (ProcedureException failure) {
            reply.failed(failure.code(), failure.getMessage());
        } catch (RuntimeException | Error failure) {
            LOG.error("A statement can't be run, and this is a bug: {}", sql, failure);
            reply.failed(ErrorCode.PROCEDURE_FAILURE, "the statement could not be run: " + failure);
        }
    }

    @Override
    public String software() {
        String version = Server.class.getPackage().getImplementationVersion();
        return "Reprise " + (version == null ? "development" : version);
    }
}
