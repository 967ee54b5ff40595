package io.reprise.txn.coordinator;

import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.Failures;
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
 * Runs transactions over several participants. No thread waits inside of one.
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
    public Arrival arrive(Partition partition, Execution execution) {
        return execution.work().splits() ? arriveWithPart(partition, execution) : arriveLending(partition, execution);
    }

    private Arrival arriveLending(Partition partition, Execution execution) {
        // From its arrival on, the execution is no longer the business of a participant that does not run it.
        int home = execution.home();
        boolean last = execution.rendezvous().arrive();
        if (home != Execution.ANYWHERE && home != partition.id()) {
            if (last) {
                wake(partition.peers().slotOf(home));
            }
            return Arrival.LENT;
        }
        if (last) {
            run(partition, execution);
            return Arrival.DONE;
        }
        return home == Execution.ANYWHERE ? Arrival.LENT : Arrival.AWAITS;
    }

    @Override
    public void run(Partition partition, Execution execution) {
        execution.rendezvous().begin(meter.nowNs());
        meter.begin(execution);
        if (!isInDoubt(partition, execution)
                && (!execution.work().retired() || Succession.resolve(execution))
                && !partition.hasRun(execution)
                && !runLent(partition, execution)) {
            giveBack(partition, execution);
            meter.end(execution);
            partition.sendBack(execution);
            return;
        }
        leave(execution);
        end(partition, execution);
    }

    private static boolean isInDoubt(Partition partition, Execution execution) {
        for (int i = 0; i < execution.participantCount(); i++) {
            if (Failures.refuseInDoubt(partition.peers().withId(execution.participant(i)), execution)) {
                return true;
            }
        }
        return false;
    }

    private void leave(Execution execution) {
        for (int i = 0; i < execution.participantCount(); i++) {
            gate.leaving(i, execution);
        }
    }

    /** Returns false if it needed a bucket that is not loaded, and was rolled back. */
    private boolean runLent(Partition partition, Execution execution) {
        Lent lent = partition.lent();
        RunMonitor monitor = partition.monitor(execution.work());
        lent.begin(execution);
        monitor.begin(execution.request().cancellation());
        try {
            execution.work().runLent(partition, execution);
        } catch (Throwable failure) {
            Failures.fail(lent, execution, failure);
        }
        Failures.failUnlessInTime(execution, monitor.end(execution.request().cancellation()));
        if (lent.hasMissed()) {
            lent.rollback();
            return false;
        }
        settle(partition, execution);
        return true;
    }

    /** Commits or rolls back everywhere. */
    private void settle(Partition partition, Execution execution) {
        Lent lent = partition.lent();
        boolean keeps = execution.work().keepsWrites();
        if (keeps && execution.outcome().succeeded()) {
            execution.outcome().writeHash(lent.writeHash());
            gate.commit(partition, execution);
        }
        partition.remember(execution, lent.hasWrites());
        if (keeps && execution.outcome().succeeded()) {
            lent.commit();
        } else {
            lent.rollback();
        }
    }

    private Arrival arriveWithPart(Partition partition, Execution execution) {
        Work work = execution.work();
        Part part = execution.part(execution.positionOf(partition.id()));
        boolean readOnly = work.readOnly();
        if (work.retired()) {
            partition.begin(execution);
            part.fail(ErrorCode.INVALID_REQUEST, "retired");
        } else {
            runPart(partition, execution, part);
        }
        if (readOnly) {
            partition.rollback();
            gate.leaving(execution.positionOf(partition.id()), execution);
        }
        if (!execution.rendezvous().arrive()) {
            return readOnly ? Arrival.DONE : Arrival.LENT;
        }
        execution.rendezvous().begin(meter.nowNs());
        meter.begin(execution);
        decide(partition, execution);
        if (!readOnly) {
            leave(execution);
        }
        end(partition, execution);
        return Arrival.DONE;
    }

    private static void runPart(Partition partition, Execution execution, Part part) {
        if (partition.isInDoubtFor(execution.work())) {
            partition.begin(execution);
            part.fail(ErrorCode.PARTITION_UNAVAILABLE, partition.doubt());
            return;
        }
        RunMonitor monitor = partition.monitor();
        partition.begin(execution);
        monitor.begin(execution.request().cancellation());
        try {
            execution.work().runPart(partition, execution, part);
        } catch (Throwable failure) {
            Failures.fail(partition, execution, part, failure);
        }
        RunMonitor.Verdict ended = monitor.end(execution.request().cancellation());
        if (ended != RunMonitor.Verdict.IN_TIME) {
            part.fail(Failures.code(ended), Failures.message(execution.work(), ended));
        }
    }

    /** All parts have run: the first failure, in the order of the partitions, is that of all. */
    private void decide(Partition partition, Execution execution) {
        Work work = execution.work();
        Lent lent = partition.lent();
        // This partition has begun the transaction with its own part, and must not do so again: the statements'
        // scratch, as their literals, would be overwritten. But of a query's part everything has been copied.
        if (work.readOnly()) {
            partition.beginMerge(execution);
        } else {
            lent.takeOver(execution);
            if (partition.hasRun(execution)) {
                lent.rollback();
                return;
            }
        }
        for (int i = 0; i < execution.participantCount() && execution.outcome().succeeded(); i++) {
            Part part = execution.part(i);
            if (part.error() != null) {
                execution.outcome().fail(part.error(), part.message(), part.subject());
            }
        }
        if (work.retired()) {
            execution
                    .outcome()
                    .failStale("procedure " + work.name() + " was replaced while this call waited; call it again");
        } else if (execution.outcome().succeeded()) {
            merge(partition, execution);
        }
        execution.emptyParts();
        if (work.readOnly()) {
            partition.rollback();
        } else {
            settle(partition, execution);
        }
    }

    private static void merge(Partition partition, Execution execution) {
        RunMonitor monitor = partition.monitor();
        monitor.begin(execution.request().cancellation());
        try {
            execution.work().merge(partition, execution);
        } catch (Throwable failure) {
            Failures.fail(partition, execution, failure);
        }
        Failures.failUnlessInTime(execution, monitor.end(execution.request().cancellation()));
    }

    /** Gives the partitions back, and only then answers: after the answer the execution is another's. */
    private void end(Partition partition, Execution execution) {
        giveBack(partition, execution);
        partition.count(execution.outcome().succeeded());
        meter.end(execution);
        execution.ranAt(partition);
        gate.finished(partition, execution);
    }

    private void giveBack(Partition partition, Execution execution) {
        Rendezvous rendezvous = execution.rendezvous();
        rendezvous.end(execution.id());
        for (int i = 0; i < execution.participantCount(); i++) {
            if (execution.participant(i) != partition.id() && execution.returnsTo(i)) {
                wake(partition.peers().slotOf(execution.participant(i)));
            }
        }
    }

    private void wake(int slot) {
        Waker waker = wakers[slot];
        if (waker != null) {
            waker.wake();
        }
    }
}
