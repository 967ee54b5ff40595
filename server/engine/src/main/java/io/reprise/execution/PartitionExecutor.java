package io.reprise.execution;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.order.Rendezvous;
import java.util.ArrayDeque;

/**
 * Runs the transactions of one partition, one after the other, in the order of their ids.
 *
 * <pre>
 *            +--------- single partition: run, commit or roll back, reply ---------+
 *            v                                                                     |
 *  RUNNING --+--------- multi-partition, all there: run it over all ---------------+
 *   |   |    ^    ^
 *   |   |    |    +------ all there: run it over all -------+
 *   |   +--- | ---------- its home, not all there ------> AWAITS
 *   |        +--- over ---+
 *   +-- not its home --> LENT
 * </pre>
 *
 * <p>Partition with a door: the node's own works alone are multi-partition. Until all participants of one are there, the owner can
 * {@linkplain #takeBack take the partition back} within a duty cycle: another partition may arrive only after this one has
 * answered its leader or its peers.
 *
 * <p>While the partition is lent the executor does not touch it, runs nothing else, and waits for nothing: its duty cycle
 * just finds no work. A transaction that throws is rolled back and answered. If rolling back throws, the partition is in doubt: it
 * refuses transactions until a {@linkplain PartitionDoubts rebuild} has emptied it. If no rebuild is possible, the failure ends the agent.
 */
public final class PartitionExecutor implements Agent {
    /** The most transactions that wait behind works of the engine. */
    public static final int MOST_OVERTAKEN = 4096;

    private final Partition partition;
    private final TransactionQueue queue;
    private final MultiPartition multiPartition;
    private final CommitGate gate;
    private final SiteMeter meter;
    private final int limit;

    /** Null on a node that serves alone. */
    private final Admission admission;

    /** Transactions taken from the queue; from {@link #next} on they have not run yet. */
    private final Execution[] due;

    /** The entrance of transactions over nodes; null on a node that serves alone. */
    private Door door;

    /** Transactions that a work of the engine has overtaken while the partition was held, in order of their ids. */
    private final ArrayDeque<Execution> overtaken = new ArrayDeque<>(0);

    private int next;
    private int taken;
    private long lastTaken;

    /** The transaction that this partition is to run as soon as the other participants are there. */
    private Execution awaiting;

    /**
     * The meetings for which it was lent: of the first of several transactions, and of the last, whose end it waits
     * for.
     */
    private Rendezvous lentFirstTo;

    private Rendezvous lentTo;
    private long lentFor;

    /** Partition with a door: the work that it is lent to, or null. */
    private Execution lentWith;

    /** Whether it was taken back from that work. */
    private boolean isBack;

    /** When the duty cycle began in which this partition was lent, or began to await. */
    private long stillSinceNs;

    /**
     * An executor of a partition.
     *
     * @param limit the largest number of transactions of a duty cycle
     */
    public PartitionExecutor(
            Partition partition,
            TransactionQueue queue,
            MultiPartition multiPartition,
            CommitGate gate,
            SiteMeter meter,
            int limit) {
        this(partition, queue, multiPartition, gate, meter, limit, null);
    }

    /**
     * The same for a replica.
     *
     * @param admission asked before a transaction of this partition alone runs; null if all may run
     */
    public PartitionExecutor(
            Partition partition,
            TransactionQueue queue,
            MultiPartition multiPartition,
            CommitGate gate,
            SiteMeter meter,
            int limit,
            Admission admission) {
        this.admission = admission;
        this.partition = partition;
        this.queue = queue;
        this.multiPartition = multiPartition;
        this.gate = gate;
        this.meter = meter;
        this.limit = limit;
        due = new Execution[limit];
    }

    @Override
    public String roleName() {
        return "executor-" + partition.id();
    }

    @Override
    public void onStart() {
        partition.monitor().runsOn(Thread.currentThread());
    }

    @Override
    public int doWork(long nowNs) {
        if (lentTo != null) {
            if (!lentTo.isOver(lentFor)) {
                return 0;
            }
            lentTo = null;
            lentWith = null;
            meter.stoodStill(Math.clamp(lentFirstTo.beganNs(), stillSinceNs, nowNs) - stillSinceNs);
        } else if (awaiting != null) {
            if (!awaiting.rendezvous().isComplete()) {
                return 0;
            }
            meter.stoodStill(nowNs - stillSinceNs);
        }
        stillSinceNs = nowNs;
        if (door != null && door.isHeld() && awaiting == null) {
            return door.admitsEngine() ? runEngineWork() : 0;
        }
        int count = runDue();
        if (count > 0) {
            meter.groupEnded();
        }
        return count;
    }

    private int runDue() {
        int count = 0;
        if (awaiting != null) {
            multiPartition.run(partition, awaiting);
            awaiting = null;
            count++;
            if (door != null && door.isHeld()) {
                return count;
            }
        }
        while (count < limit) {
            if (next == taken && takeDue() == 0) {
                return isDueSoon() ? count + 1 : count;
            }
            while (next < taken && count < limit) {
                if (!gate.hasRoom(partition)) {
                    return count;
                }
                Execution execution = due[next++];
                count++;
                if (execution.participantCount() == 1) {
                    runSingle(execution);
                } else if (!reach(execution)) {
                    return count;
                }
            }
        }
        return count;
    }

    /** Whether a transaction waits for nothing but an initiator. Behind a reserved id it waits for other nodes. */
    private boolean isDueSoon() {
        return door == null ? queue.hasWaiting() : queue.hasWaitingBelow(door.lowestReserved());
    }

    /** Takes due transactions, up to the first multi-partition one: later ones are taken when it has been reached. */
    private int takeDue() {
        next = 0;
        taken = 0;
        while (taken < limit) {
            Execution execution = poll();
            if (execution == null) {
                break;
            }
            due[taken++] = execution;
            if (execution.participantCount() > 1) {
                break;
            }
        }
        if (taken > 0) {
            queue.roomMade();
        }
        lookAhead();
        return taken;
    }

    /** Runs the next work of the engine, and keeps what was stamped before it, up to a bound: the rest is refused. */
    private int runEngineWork() {
        for (Execution execution = queue.poll(); execution != null; execution = queue.poll()) {
            queue.roomMade();
            if (execution.work() instanceof EngineWork) {
                if (execution.participantCount() == 1) {
                    runSingle(execution);
                } else {
                    arrive(execution);
                }
                return 1;
            }
            if (overtaken.size() < MOST_OVERTAKEN) {
                overtaken.add(execution);
            } else {
                refuse(execution);
            }
        }
        return 0;
    }

    /** Partition with a door: calls are of this partition alone, and no other one waits for this. */
    private void refuse(Execution execution) {
        execution
                .outcome()
                .fail(
                        ErrorCode.OVERLOADED,
                        "partition " + partition.id() + " is held by a transaction over nodes, and " + MOST_OVERTAKEN
                                + " calls wait already; the call was not run. Try again later");
        execution.ranAt(partition);
        execution.reply();
    }

    private Execution pollOvertaken(long below) {
        return overtaken.peek().id() < below ? overtaken.poll() : null;
    }

    private Execution poll() {
        if (door == null) {
            return queue.poll();
        }
        long below = door.lowestReserved();
        Execution execution = overtaken.isEmpty() ? queue.pollBelow(below) : pollOvertaken(below);
        if (execution != null) {
            lastTaken = execution.id();
        }
        return execution;
    }

    /** Before the first transaction: those of several nodes enter here. */
    public void enterBy(Door entrance) {
        door = entrance;
    }

    /** Partition with a door: whether all below an id has run, and the partition is here. */
    public boolean isTurn(long id) {
        return lentTo == null
                && awaiting == null
                && next == taken
                && (overtaken.isEmpty() || overtaken.peek().id() > id)
                && queue.isPassed(id);
    }

    /** Partition with a door: the highest id that was taken. */
    public long lastTaken() {
        return lastTaken;
    }

    /** Whether this thread may touch the partition: it is not lent, or was taken back. */
    public boolean isHere() {
        return lentTo == null || isBack;
    }

    /** Partition with a door: takes back a lent partition if the work that it is lent to has not begun. */
    public void takeBack() {
        isBack = lentWith != null && !lentTo.isOver(lentFor) && lentTo.withdraw();
    }

    /** Lends a partition that was taken back, at the end of the duty cycle. */
    public void giveBack() {
        if (!isBack) {
            return;
        }
        isBack = false;
        if (multiPartition.arrive(partition, lentWith) == MultiPartition.Arrival.DONE) {
            lentTo = null;
            lentWith = null;
        }
    }

    /**
     * A row that is not in the processor's cache costs as much as a hundred instructions, and a transaction needs several,
     * one after the other. Those of all transactions that are due are asked for together, and arrive together.
     */
    private void lookAhead() {
        if (taken > 1) {
            for (int i = 0; i < taken; i++) {
                Work work = due[i].work();
                if ((due[i].participantCount() == 1 || due[i].home() == partition.id()) && !work.retired()) {
                    work.lookAhead(partition, due[i]);
                }
            }
            partition.store().readAhead().fetch();
        }
    }

    /** The number of transactions with an id that wait for it. */
    public int waiting() {
        return queue.size() + overtaken.size() + taken - next;
    }

    /** Whether its partition is lent to a transaction that another partition's thread runs. */
    public boolean isLent() {
        return lentTo != null;
    }

    /** Whether the partition may go on. */
    private boolean reach(Execution execution) {
        if (lends(execution)) {
            lend(execution);
            return false;
        }
        return arrive(execution);
    }

    private boolean arrive(Execution execution) {
        Rendezvous rendezvous = execution.rendezvous();
        long id = execution.id();
        switch (multiPartition.arrive(partition, execution)) {
            case DONE -> {
                return true;
            }
            case LENT -> {
                lentFirstTo = rendezvous;
                lentTo = rendezvous;
                lentFor = id;
                lentWith = door == null ? null : execution;
            }
            case AWAITS -> awaiting = execution;
        }
        return false;
    }

    /** Whether another participant is sure to run it whole. */
    private boolean lends(Execution execution) {
        return execution.participantCount() > 1
                && execution.home() != Execution.ANYWHERE
                && execution.home() != partition.id()
                && !execution.work().splits();
    }

    /**
     * Lends the partition to a transaction, and at once to those that follow it and have the same home: nothing of this partition
     * comes between them, and that thread runs them in this order.
     */
    private void lend(Execution first) {
        lentFirstTo = first.rendezvous();
        int home = first.home();
        int most = door == null ? gate.mostLent(partition) : 1;
        Execution last = first;
        Execution following = most == 1 ? null : poll();
        for (int count = 1;
                count < most && following != null && following.home() == home && lends(following);
                count++) {
            last.staysLent(partition.id());
            multiPartition.arrive(partition, last);
            last = following;
            following = poll();
        }
        queue.roomMade();
        lentTo = last.rendezvous();
        lentFor = last.id();
        lentWith = door == null ? null : last;
        multiPartition.arrive(partition, last);
        if (following != null) {
            due[0] = following;
            next = 0;
            taken = 1;
        }
    }

    private void runSingle(Execution execution) {
        if (admission != null && !admission.admits(execution)) {
            execution.ranAt(partition);
            execution.reply();
            return;
        }
        meter.begin(execution);
        if (Failures.refuseInDoubt(partition, execution)) {
            finish(execution);
            return;
        }
        if (execution.work().retired() && !Succession.resolve(execution)) {
            finish(execution);
            return;
        }
        if (partition.hasRun(execution)) {
            finish(execution);
            return;
        }
        RunMonitor monitor = partition.monitor(execution.work());
        partition.begin(execution);
        monitor.begin(execution.request().cancellation());
        try {
            execution.work().run(partition, execution);
        } catch (Throwable failure) {
            Failures.fail(partition, execution, failure);
        }
        Failures.failUnlessInTime(execution, monitor.end(execution.request().cancellation()));
        if (partition.hasMissed(execution)) {
            partition.rollback();
            meter.end(execution);
            partition.sendBack(execution);
            return;
        }
        boolean keeps = execution.work().keepsWrites();
        if (keeps && execution.outcome().succeeded()) {
            execution.outcome().writeHash(partition.store().writeHash());
            gate.commit(partition, execution);
        }
        partition.remember(execution, partition.store().hasWrites());
        if (keeps && execution.outcome().succeeded()) {
            partition.commit();
        } else {
            partition.rollback();
        }
        finish(execution);
    }

    private void finish(Execution execution) {
        partition.count(execution.outcome().succeeded());
        meter.end(execution);
        execution.ranAt(partition);
        gate.finished(partition, execution);
    }
}
