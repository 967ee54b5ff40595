package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Procedure;
import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Failures;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.sql.compile.runtime.HeapRows;
import io.reprise.sql.compile.runtime.RowCodec;
import io.reprise.sql.compile.runtime.RowShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A call over partitions of several leaders, at its home. The procedure runs from its beginning in each round: statements
 * whose rows have come answer at once, the first other one ends the round. Its changes at home are taken back
 * before each run.
 *
 * <p>Owned by the home's thread.
 */
final class OverNodes implements Procedure, Elsewhere {
    private final EngineStore home;
    private final Execution call;
    private final byte[] opening;
    private final List<Action> actions = new ArrayList<>();

    /** The action that the run has reached. */
    private int reached;

    /** The statement that waits to be sent, or whose rows are awaited. */
    private Action pending;

    private boolean ended;

    /** The first round whose changes at other participants are to be taken back; -1 if there is none. */
    private int back = -1;

    private int round;

    /** A statement that ran elsewhere, or the return to a point before some. */
    private static final class Action {
        final int statement;
        final byte[] parameters;
        final int[] partitions;
        final RowShape shape;
        final boolean writes;
        int round;
        List<HeapRows> rows;
        Result failure;

        Action(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
            this.statement = statement;
            this.parameters = parameters;
            this.partitions = partitions;
            this.shape = shape;
            this.writes = writes;
        }

        boolean isReturn() {
            return partitions == null;
        }
    }

    OverNodes(EngineStore home, Execution call, byte[] opening) {
        this.home = home;
        this.call = call;
        this.opening = opening;
    }

    @Override
    public byte[] opening() {
        return opening;
    }

    @Override
    public boolean runsAtHome() {
        return true;
    }

    // ---- Rounds

    @Override
    public Step next(int number, SortedMap<Integer, Result> rows) {
        round = number;
        if (number == 0) {
            return begin(rows);
        }
        if (pending != null) {
            take(rows);
        }
        return run();
    }

    private Step begin(SortedMap<Integer, Result> opened) {
        actions.clear();
        pending = null;
        back = -1;
        call.stamp(home.id());
        Partition partition = home.partition();
        if (call.work().retired()) {
            call.outcome()
                    .failStale(call.work().name() + " was changed or dropped while this call waited; call it again");
            return end(Step.Kind.ABORT);
        }
        for (Result each : opened.values()) {
            if (each.aborted()) {
                return fail(EngineStore.code(each), EngineStore.message(each));
            }
        }
        if (call.request().sequence() != 0 && partition.outcomes().answer(call.request(), call.outcome())) {
            return end(Step.Kind.ABORT);
        }
        return call.work().splits() ? merge(partition, opened) : run();
    }

    private Step merge(Partition partition, SortedMap<Integer, Result> parts) {
        Work work = call.work();
        parts.forEach((participant, result) -> RowCodec.decode(
                ByteBuffer.wrap(result.rows()),
                work.shapeOfPart(partition),
                call.part(call.positionOf(participant)).rows()));
        if (work.readOnly()) {
            partition.beginMerge(call);
        }
        RunMonitor monitor = partition.monitor();
        monitor.begin(call.request().cancellation());
        try {
            work.merge(partition, call);
        } catch (RuntimeException | StackOverflowError failure) {
            Failures.fail(call, failure);
        }
        return finish(monitor.end(call.request().cancellation()));
    }

    private Step run() {
        home.restart();
        reached = 0;
        ended = false;
        Partition partition = home.partition();
        RunMonitor monitor = partition.monitor();
        monitor.begin(call.request().cancellation());
        try {
            call.work().runOver(partition, call, this);
        } catch (RuntimeException | Error failure) {
            if (!ended) {
                Failures.fail(call, failure);
            }
        }
        RunMonitor.Verdict verdict = monitor.end(call.request().cancellation());
        if (ended) {
            return send();
        }
        if (call.outcome().succeeded() && back >= 0) {
            pending = null;
            return send();
        }
        return finish(verdict);
    }

    private Step send() {
        SortedMap<Integer, byte[]> statements = new TreeMap<>();
        if (pending != null) {
            pending.round = round;
            byte[] work = ByteBuffer.allocate(5 + pending.parameters.length)
                    .put(EngineStore.STATEMENT)
                    .putInt(pending.statement)
                    .put(pending.parameters)
                    .array();
            for (int partition : pending.partitions) {
                statements.put(partition, work);
            }
        }
        int first = back;
        back = -1;
        return new Step(Step.Kind.STATEMENTS, statements, first);
    }

    /** The rows of the pending statement have come. */
    private void take(SortedMap<Integer, Result> rows) {
        Action of = pending;
        pending = null;
        List<HeapRows> found = new ArrayList<>();
        for (int partition : of.partitions) {
            Result result = rows.get(partition);
            if (result.aborted()) {
                of.failure = of.failure == null ? result : of.failure;
            } else if (of.failure == null) {
                HeapRows decoded = new HeapRows();
                RowCodec.decode(ByteBuffer.wrap(result.rows()), of.shape, decoded);
                found.add(decoded);
            }
        }
        of.rows = found;
        if (of.failure != null && of.writes && of.partitions.length > 1) {
            takeBack(of.round);
        }
        actions.add(of);
    }

    private void takeBack(int from) {
        back = back < 0 ? from : Math.min(back, from);
    }

    private Step finish(RunMonitor.Verdict verdict) {
        Failures.failUnlessInTime(call, verdict);
        if (!call.outcome().succeeded()) {
            return end(Step.Kind.ABORT);
        }
        if (!call.work().readOnly()) {
            home.remember(call);
            if (!home.isLoggable()) {
                return fail(ErrorCode.VALUE_TOO_LONG, "the transaction writes more than a record of the log can hold");
            }
        }
        return end(call.work().keepsWrites() ? Step.Kind.COMMIT : Step.Kind.ABORT);
    }

    private Step fail(ErrorCode code, String message) {
        call.outcome().fail(code, message);
        return end(Step.Kind.ABORT);
    }

    private static Step end(Step.Kind kind) {
        return new Step(kind, new TreeMap<>(), -1);
    }

    // ---- The procedure's side

    @Override
    public List<HeapRows> run(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
        if (ended || reached == actions.size()) {
            if (!ended) {
                pending = new Action(statement, parameters, partitions, shape, writes);
            }
            ended = true;
            throw new RoundEnded();
        }
        Action known = actions.get(reached);
        if (known.isReturn() || known.statement != statement || !Arrays.equals(known.parameters, parameters)) {
            throw differs();
        }
        reached++;
        if (known.failure != null) {
            throw new ProcedureException(EngineStore.code(known.failure), EngineStore.message(known.failure));
        }
        known.rows.forEach(HeapRows::rewind);
        return known.rows;
    }

    private IllegalStateException differs() {
        return new IllegalStateException("procedure " + call.work().name()
                + " runs other statements each time that it is run; a procedure has to be deterministic");
    }

    @Override
    public int savepoint() {
        return reached;
    }

    @Override
    public void rollbackTo(int savepoint) {
        if (ended) {
            throw new RoundEnded();
        }
        if (savepoint == reached) {
            return;
        }
        if (reached < actions.size()) {
            if (!actions.get(reached).isReturn()) {
                throw differs();
            }
            reached++;
            return;
        }
        for (Action each : actions.subList(savepoint, reached)) {
            if (!each.isReturn() && each.writes) {
                takeBack(each.round);
                break;
            }
        }
        actions.add(new Action(0, null, null, null, false));
        reached++;
    }
}
