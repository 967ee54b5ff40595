package io.reprise.txn.coordinator;

import io.reprise.execution.CommitGate;
import io.reprise.execution.Failures;
import io.reprise.execution.Invocation;
import io.reprise.execution.Lent;
import io.reprise.execution.MultiPartition;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Succession;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.Rendezvous;

/**
 * Runs transactions that have several participants, without anybody waiting inside of one.
 *
 * <p><b>Lending.</b> A participant that reaches the transaction gives its partition away, but for one, the transaction's
 * home, or the last one to arrive where there is none: when all have arrived, that one runs the procedure on its own thread
 * over all of them, commits or rolls back all, and gives them back.
 *
 * <p><b>Splitting</b>, for single statements over all partitions: each participant runs its own part when it gets there.
 * A reader goes on at once, its rows having been copied; a writer keeps its transaction open and its partition lent. The
 * last one to arrive knows all outcomes: it commits or rolls back all, merges the rows and answers.
 *
 * <p>One for each site; it belongs to the site's thread and keeps nothing from one transaction to the next.
 */
public final class Coordinator implements MultiPartition {
    private final CommitGate gate;
    private final SiteMeter meter;
    private final Waker[] wakers;

    /**
     * A coordinator.
     *
     * @param wakers by slot, what wakes the site that runs the partition; null entries for this site and where nothing sleeps
     */
    public Coordinator(CommitGate gate, SiteMeter meter, Waker[] wakers) {
        this.gate = gate;
        this.meter = meter;
        this.wakers = wakers;
    }

    @Override
    public Arrival arrive(Partition partition, Invocation invocation) {
        return invocation.work().splits()
                ? arriveWithPart(partition, invocation)
                : arriveLending(partition, invocation);
    }

    private Arrival arriveLending(Partition partition, Invocation invocation) {
        // From its arrival on, the invocation is no longer the business of a participant that does not run it.
        int home = invocation.home();
        boolean last = invocation.rendezvous().arrive();
        if (home != Invocation.ANYWHERE && home != partition.id()) {
            if (last) {
                wake(partition.peers().slotOf(home));
            }
            return Arrival.LENT;
        }
        if (last) {
            run(partition, invocation);
            return Arrival.DONE;
        }
        return home == Invocation.ANYWHERE ? Arrival.LENT : Arrival.AWAITS;
    }

    @Override
    public void run(Partition partition, Invocation invocation) {
        invocation.rendezvous().begin(meter.nowNs());
        meter.begin(invocation);
        if ((!invocation.work().retired() || Succession.resolve(invocation)) && !partition.hasRun(invocation)) {
            runLent(partition, invocation);
        }
        leave(invocation);
        end(partition, invocation);
    }

    private void leave(Invocation invocation) {
        for (int i = 0; i < invocation.participantCount(); i++) {
            gate.leaving(i, invocation);
        }
    }

    private void runLent(Partition partition, Invocation invocation) {
        Lent lent = partition.lent();
        RunMonitor monitor = partition.monitor(invocation.work());
        lent.begin(invocation);
        monitor.begin();
        try {
            invocation.work().runLent(partition, invocation);
        } catch (Throwable failure) {
            invocation.fail(Failures.code(failure), Failures.message(invocation.work(), failure));
        }
        RunMonitor.Verdict ended = monitor.end();
        if (ended != RunMonitor.Verdict.IN_TIME) {
            invocation.fail(Failures.code(ended), Failures.message(invocation.work(), ended));
        }
        settle(partition, invocation);
    }

    /** Commits or rolls back everywhere. */
    private void settle(Partition partition, Invocation invocation) {
        Lent lent = partition.lent();
        if (invocation.succeeded()) {
            invocation.writeHash(lent.writeHash());
            gate.commit(partition, invocation);
        }
        partition.remember(invocation, lent.hasWrites());
        if (invocation.succeeded()) {
            lent.commit();
        } else {
            lent.rollback();
        }
    }

    private Arrival arriveWithPart(Partition partition, Invocation invocation) {
        Work work = invocation.work();
        Part part = invocation.part(invocation.positionOf(partition.id()));
        boolean readOnly = work.readOnly();
        if (work.retired()) {
            partition.begin(invocation);
            part.fail(ErrorCode.INVALID_REQUEST, "retired");
        } else {
            runPart(partition, invocation, part);
        }
        if (readOnly) {
            partition.store().rollback();
            gate.leaving(invocation.positionOf(partition.id()), invocation);
        }
        if (!invocation.rendezvous().arrive()) {
            return readOnly ? Arrival.DONE : Arrival.LENT;
        }
        invocation.rendezvous().begin(meter.nowNs());
        meter.begin(invocation);
        decide(partition, invocation);
        if (!readOnly) {
            leave(invocation);
        }
        end(partition, invocation);
        return Arrival.DONE;
    }

    private static void runPart(Partition partition, Invocation invocation, Part part) {
        RunMonitor monitor = partition.monitor();
        partition.begin(invocation);
        monitor.begin();
        try {
            invocation.work().runPart(partition, invocation, part);
        } catch (Throwable failure) {
            part.fail(Failures.code(failure), Failures.message(invocation.work(), failure));
        }
        RunMonitor.Verdict ended = monitor.end();
        if (ended != RunMonitor.Verdict.IN_TIME) {
            part.fail(Failures.code(ended), Failures.message(invocation.work(), ended));
        }
    }

    /** All parts have run: the first failure, in the order of the partitions, is everybody's. */
    private void decide(Partition partition, Invocation invocation) {
        Work work = invocation.work();
        Lent lent = partition.lent();
        // This partition has begun the transaction with its own part, and must not do so again: the statements'
        // scratch, as their literals, would be overwritten. But of a query's part everything has been copied.
        if (work.readOnly()) {
            partition.beginMerge(invocation);
        } else {
            lent.takeOver(invocation);
            if (partition.hasRun(invocation)) {
                lent.rollback();
                return;
            }
        }
        for (int i = 0; i < invocation.participantCount() && invocation.succeeded(); i++) {
            Part part = invocation.part(i);
            if (part.error() != null) {
                invocation.fail(part.error(), part.message());
            }
        }
        if (work.retired()) {
            invocation.failStale("procedure " + work.name() + " was replaced while this call waited; call it again");
        } else if (invocation.succeeded()) {
            merge(partition, invocation);
        }
        invocation.emptyParts();
        if (work.readOnly()) {
            partition.store().rollback();
        } else {
            settle(partition, invocation);
        }
    }

    private static void merge(Partition partition, Invocation invocation) {
        RunMonitor monitor = partition.monitor();
        monitor.begin();
        try {
            invocation.work().merge(partition, invocation);
        } catch (Throwable failure) {
            invocation.fail(Failures.code(failure), Failures.message(invocation.work(), failure));
        }
        RunMonitor.Verdict ended = monitor.end();
        if (ended != RunMonitor.Verdict.IN_TIME) {
            invocation.fail(Failures.code(ended), Failures.message(invocation.work(), ended));
        }
    }

    /** Gives the partitions back, and only then answers: after the answer the invocation is another's. */
    private void end(Partition partition, Invocation invocation) {
        Rendezvous rendezvous = invocation.rendezvous();
        rendezvous.end(invocation.id());
        for (int i = 0; i < invocation.participantCount(); i++) {
            if (invocation.participant(i) != partition.id() && invocation.returnsTo(i)) {
                wake(partition.peers().slotOf(invocation.participant(i)));
            }
        }
        partition.count(invocation.succeeded());
        meter.end(invocation);
        invocation.ranAt(partition.id());
        gate.finished(partition, invocation);
    }

    private void wake(int slot) {
        Waker waker = wakers[slot];
        if (waker != null) {
            waker.wake();
        }
    }
}
