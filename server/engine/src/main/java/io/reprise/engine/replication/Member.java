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
import java.util.List;
import java.util.SortedMap;

/**
 * A call of a {@link Batch}, at its home. The procedure runs from its beginning in each round: statements whose rows have come
 * answer at once, the first other one ends the run. The batch takes the changes of a run that has not ended the procedure back.
 *
 * <p>A write without a use of its count does not end the run. It is sent with the next statement that does, or with the request for the
 * vote. If it fails, the procedure should have met the failure: the batch is broken up, and the member awaits each statement
 * from then on. Prefetched queries are sent with the next statement that is awaited, and answer later ones if the member has
 * written nothing to their partition in between.
 *
 * <p>Owned by the home's thread.
 */
final class Member implements Elsewhere {
    private static final int NO_ROUND = -1;

    private final Execution call;
    private final byte[] request;
    private final List<RemoteStatement> statements = new ArrayList<>();

    /** Whether it shares no batch, because its changes at other partitions are to be taken back alone. */
    private boolean alone;

    /** The statement that the run has reached. */
    private int reached;

    /** The statement that is awaited, or null. */
    private RemoteStatement pending;

    /** In their order, the statements that are to be sent or whose results are to come. */
    private final List<RemoteStatement> open = new ArrayList<>();

    private final Prefetches prefetched = new Prefetches();

    /** Whether each statement is awaited, because one that was not has failed. */
    private boolean cautious;

    /** Whether the run has ended at a statement without rows. */
    private boolean paused;

    /** Whether the run only looks for queries to prefetch, and whether the last such run has found none. */
    private boolean looking;

    private boolean hasLooked;

    private boolean done;
    private boolean wroteElsewhere;

    /** The first round whose changes at other participants are to be taken back. */
    private int back = NO_ROUND;

    /** A statement elsewhere has left the scope or needs rows that can't be loaded, so the call must not commit. */
    private Result violation;

    /** Whether the run has met rows that are not loaded, so that the call has to come again. */
    private boolean missed;

    /** The number of runs that have met such rows, and the time of the first. */
    private int misses;

    private long missedSinceNs;

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
        statements.clear();
        open.clear();
        prefetched.clear();
        pending = null;
        paused = false;
        hasLooked = false;
        done = false;
        wroteElsewhere = false;
        back = NO_ROUND;
        violation = null;
        missed = false;
        call.runAgain();
        call.stamp(id);
    }

    /** Whether it has to come again, because rows were not loaded. Then it has left no changes at home. */
    boolean hasMissed() {
        return missed;
    }

    /**
     * The call needs rows that are not loaded: whatever its procedure makes of that, it comes again, or is refused.
     *
     * @param problem why they can't be loaded; null if they are on their way
     */
    void miss(String problem) {
        missed = problem == null;
        done = true;
        paused = false;
        pending = null;
        open.clear();
        call.outcome()
                .fail(
                        ErrorCode.PARTITION_UNAVAILABLE,
                        missed
                                ? "rows that " + call.work().name()
                                        + " needs are being loaded; the call had no effect. Try again later"
                                : problem + "; " + call.work().name() + " had no effect");
    }

    /** Counts a miss. Returns the number so far. */
    int countMiss(long nowNs) {
        missedSinceNs = misses == 0 ? nowNs : missedSinceNs;
        misses++;
        return misses;
    }

    /** The time of the first miss. */
    long missedSinceNs() {
        return missedSinceNs;
    }

    void fail(Result failure) {
        missed = MemberRuns.isMissed(failure);
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
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError failure) {
            Failures.fail(call, failure);
        }
        Failures.failUnlessInTime(call, monitor.end(call.request().cancellation()));
        done = true;
    }

    /** Runs the procedure from its beginning. It has ended if it is {@link #isDone} then; else a statement waits to be sent. */
    void run(Partition home) {
        reached = 0;
        prefetched.beginRun();
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
        if (missed) {
            miss(null);
            return;
        }
        if (paused) {
            return;
        }
        pending = null;
        open.removeIf(each -> !each.writes);
        if (call.outcome().succeeded() && back >= 0) {
            // The other participants return to that round first.
            return;
        }
        Failures.failUnlessInTime(call, verdict);
        if (call.outcome().succeeded() && violation != null) {
            fail(violation);
        }
        if (!call.outcome().succeeded()) {
            open.clear();
        }
        done = true;
    }

    /** Whether another run may find queries to prefetch before the call has its turn. */
    boolean mayLookAhead() {
        return !hasLooked && statements.isEmpty();
    }

    /**
     * Runs the procedure while an earlier call has a bucket of its home, up to its first query or write elsewhere. The query is
     * prefetched. The run that counts sends it again if its parameters are others by then. Everything else is taken back.
     */
    void lookAhead(Partition home) {
        int before = open.size();
        reached = 0;
        prefetched.beginRun();
        paused = false;
        looking = true;
        RunMonitor monitor = home.monitor();
        monitor.begin(call.request().cancellation());
        try {
            call.work().runOver(home, call, this);
        } catch (RuntimeException | Error failure) {
            // The run that counts meets it again, unless the rows at home have changed by then.
        }
        monitor.end(call.request().cancellation());
        looking = false;
        call.runAgain();
        hasLooked = open.size() == before;
    }

    /** The first round whose changes the other participants are to take back, or -1. */
    int back() {
        return back;
    }

    /** The participants have returned to that round. */
    void wentBack() {
        back = NO_ROUND;
    }

    /** Whether statements are to be sent, or their results are to come. */
    boolean hasOpen() {
        return !open.isEmpty();
    }

    /** The statements that are sent in this round, in their order. */
    List<RemoteStatement> send(int round) {
        for (RemoteStatement each : open) {
            each.round = round;
            wroteElsewhere |= each.writes;
        }
        return open;
    }

    /**
     * All results of the round have come. Returns false if a statement failed that was not awaited: then the batch has to be broken
     * up.
     */
    boolean taken() {
        int from = NO_ROUND;
        for (RemoteStatement each : open) {
            boolean counts = each == pending || each.writes;
            if (each.failure == null || !counts) {
                continue;
            }
            if (MemberRuns.code(each.failure) == ErrorCode.SCOPE_VIOLATION || MemberRuns.isLost(each.failure)) {
                violation = each.failure;
            }
            if (each != pending) {
                cautious = true;
                return false;
            }
            from = each.writes && each.partitions.length > 1 ? each.round : NO_ROUND;
        }
        open.clear();
        if (from >= 0) {
            takeBack(from, statements.size());
        }
        if (pending != null) {
            statements.add(pending);
            pending = null;
        }
        return true;
    }

    /** All changes from a round on are taken back. Statements that stay are sent again. */
    private void takeBack(int from, int staying) {
        back = back < 0 ? from : Math.min(back, from);
        List<RemoteStatement> again = new ArrayList<>();
        for (RemoteStatement each : statements.subList(0, staying)) {
            if (each.writes && each.round >= from) {
                each.sendAgain();
                again.add(each);
            }
        }
        open.addAll(0, again);
    }

    // ---- The procedure's side

    @Override
    public List<HeapRows> run(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
        if (looking) {
            return lookUp(statement, parameters, partitions, shape, writes);
        }
        if (!paused && reached == statements.size()) {
            RemoteStatement ready = writes ? null : prefetched.of(statement, parameters);
            if (ready == null || !ready.isSent()) {
                await(ready, new RemoteStatement(statement, parameters, partitions, shape, writes));
            } else {
                statements.add(ready);
            }
        }
        RemoteStatement known = known(statement, parameters);
        if (known.failure != null) {
            missed |= MemberRuns.isMissed(known.failure);
            throw new ProcedureException(MemberRuns.code(known.failure), MemberRuns.message(known.failure));
        }
        return known.rows();
    }

    /** The rows of a query that was prefetched. Another one is prefetched, and ends the run, as a write does. */
    private List<HeapRows> lookUp(int statement, byte[] parameters, int[] partitions, RowShape shape, boolean writes) {
        RemoteStatement ready = writes || paused ? null : prefetched.of(statement, parameters);
        if (ready != null && ready.isSent()) {
            return ready.rows();
        }
        if (ready == null && !writes && !paused && partitions.length == 1) {
            RemoteStatement query = new RemoteStatement(statement, parameters, partitions, shape, false);
            prefetched.add(query);
            open.add(query);
        }
        paused = true;
        throw new RoundEnded();
    }

    /** The run ends at this statement. If it was prefetched and not sent yet, it keeps its place. */
    private void await(RemoteStatement prefetch, RemoteStatement next) {
        if (prefetch == null) {
            open.add(next);
            pending = next;
        } else {
            pending = prefetch;
        }
        if (next.writes) {
            prefetched.forget(next.partitions);
        }
        paused = true;
    }

    /** The statement that an earlier run has met at this place. */
    private RemoteStatement known(int statement, byte[] parameters) {
        if (paused) {
            throw new RoundEnded();
        }
        RemoteStatement known = statements.get(reached);
        if (!known.isLike(statement, parameters)) {
            throw differs();
        }
        reached++;
        return known;
    }

    @Override
    public void runUnread(int statement, byte[] parameters, int partition, RowShape shape) {
        int[] partitions = {partition};
        if (cautious || looking) {
            run(statement, parameters, partitions, shape, true);
            return;
        }
        if (!paused && reached == statements.size()) {
            RemoteStatement next = new RemoteStatement(statement, parameters, partitions, shape, true);
            statements.add(next);
            open.add(next);
            prefetched.forget(partitions);
        }
        known(statement, parameters);
    }

    @Override
    public void prefetch(int statement, byte[] parameters, int partition, RowShape shape) {
        if (paused) {
            throw new RoundEnded();
        }
        if (prefetched.isNextNew()) {
            RemoteStatement query = new RemoteStatement(statement, parameters, new int[] {partition}, shape, false);
            prefetched.add(query);
            open.add(query);
        }
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
        if (looking || savepoint == reached) {
            return;
        }
        if (reached < statements.size()) {
            if (!statements.get(reached).isReturn()) {
                throw differs();
            }
            reached++;
            return;
        }
        int from = NO_ROUND;
        for (RemoteStatement each : statements.subList(savepoint, reached)) {
            if (each.writes) {
                open.remove(each);
                from = from < 0 ? each.round : from;
            }
        }
        if (from >= 0) {
            takeBack(from, savepoint);
        }
        prefetched.forgetSent();
        statements.add(RemoteStatement.back());
        reached++;
    }
}
