package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Result;
import io.reprise.execution.Elsewhere;
import io.reprise.execution.Execution;
import io.reprise.execution.Failures;
import io.reprise.execution.Partition;
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

/**
 * A call of a {@link Batch}, at its home. The procedure runs from its beginning in each round: statements whose rows have come
 * answer at once, the first other one ends the run. The batch takes the changes of a run that has not ended the procedure back.
 *
 * <p>Owned by the home's thread.
 */
final class Member implements Elsewhere {
    private static final int NO_ROUND = -1;

    private final Execution call;
    private final byte[] request;
    private final List<Action> actions = new ArrayList<>();

    /** Whether it shares no batch, because its changes at other partitions are to be taken back alone. */
    private boolean alone;

    /** The action that the run has reached. */
    private int reached;

    /** The statement that waits to be sent, or whose rows are awaited. */
    private Action pending;

    /** Whether the run has ended at a statement without rows. */
    private boolean paused;

    private boolean done;
    private boolean wroteElsewhere;

    /** The first round whose changes at other participants are to be taken back. */
    private int back = NO_ROUND;

    /** A statement elsewhere has left the scope, so the call must not commit. */
    private Result violation;

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

    /** A member with its encoded request. */
    Member(Execution call, byte[] request) {
        this.call = call;
        this.request = request;
    }

    Execution call() {
        return call;
    }

    byte[] request() {
        return request;
    }

    boolean isAlone() {
        return alone;
    }

    /** From now on it shares no batch. */
    void leaveAlone() {
        alone = true;
    }

    /** Whether the call has its outcome. */
    boolean isDone() {
        return done;
    }

    void done() {
        done = true;
    }

    /** Whether one of its statements may have changed rows elsewhere. */
    boolean wroteElsewhere() {
        return wroteElsewhere;
    }

    /** Whether its changes are to be committed. */
    boolean isKept() {
        return done
                && call.outcome().succeeded()
                && !call.outcome().hasRunBefore()
                && !call.work().readOnly()
                && call.work().keepsWrites();
    }

    /** Begins anew with an id. */
    void begin(long id) {
        actions.clear();
        pending = null;
        paused = false;
        done = false;
        wroteElsewhere = false;
        back = NO_ROUND;
        violation = null;
        call.runAgain();
        call.stamp(id);
    }

    void fail(Result failure) {
        call.outcome().fail(MemberRuns.code(failure), MemberRuns.message(failure));
        done = true;
    }

    // ---- Rounds

    /** Merges the parts of a split statement. */
    void merge(Partition home, SortedMap<Integer, List<Result>> parts, int place) {
        for (int i = 0; i < call.participantCount(); i++) {
            byte[] rows = parts.get(call.participant(i)).get(place).rows();
            RowCodec.decode(
                    ByteBuffer.wrap(rows),
                    call.work().shapeOfPart(home),
                    call.part(i).rows());
        }
        RunMonitor monitor = home.monitor();
        monitor.begin(call.request().cancellation());
        try {
            call.work().merge(home, call);
        } catch (RuntimeException | StackOverflowError failure) {
            Failures.fail(call, failure);
        }
        Failures.failUnlessInTime(call, monitor.end(call.request().cancellation()));
        done = true;
    }

    /** Runs the procedure from its beginning. It has ended if it is {@link #isDone} then; else a statement waits to be sent. */
    void run(Partition home) {
        reached = 0;
        paused = false;
        RunMonitor monitor = home.monitor();
        monitor.begin(call.request().cancellation());
        try {
            call.work().runOver(home, call, this);
        } catch (RuntimeException | Error failure) {
            if (!paused) {
                Failures.fail(call, failure);
            }
        }
        RunMonitor.Verdict verdict = monitor.end(call.request().cancellation());
        if (paused) {
            return;
        }
        pending = null;
        if (call.outcome().succeeded() && back >= 0) {
            // The other participants return to that round first.
            return;
        }
        Failures.failUnlessInTime(call, verdict);
        if (call.outcome().succeeded() && violation != null) {
            fail(violation);
        }
        done = true;
    }

    /** The first round whose changes the other participants are to take back, or -1. */
    int back() {
        return back;
    }

    /** The participants have returned to that round. */
    void wentBack() {
        back = NO_ROUND;
    }

    boolean hasPending() {
        return pending != null;
    }

    /** The statement that waits is sent in this round. */
    void sent(int round) {
        pending.round = round;
        pending.rows = new ArrayList<>();
        wroteElsewhere |= pending.writes;
    }

    /** The partitions that run the statement. */
    int[] pendingPartitions() {
        return pending.partitions;
    }

    int pendingStatement() {
        return pending.statement;
    }

    byte[] pendingParameters() {
        return pending.parameters;
    }

    /** A partition's result of the statement, in the order of {@link #pendingPartitions}. */
    void take(Result result) {
        if (result.aborted()) {
            pending.failure = pending.failure == null ? result : pending.failure;
            violation = MemberRuns.code(result) == ErrorCode.SCOPE_VIOLATION ? result : violation;
        } else if (pending.failure == null) {
            HeapRows decoded = new HeapRows();
            RowCodec.decode(ByteBuffer.wrap(result.rows()), pending.shape, decoded);
            pending.rows.add(decoded);
        }
    }

    /** All results of the statement have come. */
    void taken() {
        if (pending.failure != null && pending.writes && pending.partitions.length > 1) {
            takeBack(pending.round);
        }
        actions.add(pending);
        pending = null;
    }

    private void takeBack(int from) {
        back = back < 0 ? from : Math.min(back, from);
    }

    // ---- The procedure's side

    @Override
    public List<HeapRows> run(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
        if (paused || reached == actions.size()) {
            if (!paused) {
                pending = new Action(statement, parameters, partitions, shape, writes);
            }
            paused = true;
            throw new RoundEnded();
        }
        Action known = actions.get(reached);
        if (known.isReturn() || known.statement != statement || !Arrays.equals(known.parameters, parameters)) {
            throw differs();
        }
        reached++;
        if (known.failure != null) {
            throw new ProcedureException(MemberRuns.code(known.failure), MemberRuns.message(known.failure));
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
        if (paused) {
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
