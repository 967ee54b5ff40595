package io.reprise.txn.initiator;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.function.Supplier;

/**
 * A port by which an agent on a site submits transactions to the initiator on the same thread, without hand-over, waiting or
 * allocation: {@link #acquire} an execution, add its arguments, {@link #submit} it, {@link #poll} the finished ones and
 * {@link #release} them.
 *
 * <p>Executions that finish on this site come back within the thread; others come through a queue with room
 * for all executions of the port, so that it is never full. An owner that gives it a {@link Holder} is told what transactions came to
 * before the log is durable, and needs few executions for many calls: they are made when all others are under way. Owned by
 * the site's thread.
 */
public final class ClientPort implements ReplyTarget {
    private final Initiator initiator;
    private final Supplier<BucketMap> buckets;
    private final int site;
    private final SiteMeter meter;
    private final LocalQueue finishedHere;
    private final MpscRing<Execution> finishedElsewhere;
    private final Execution[] free;
    private final Waker waker;

    /** Takes the calls over several partitions; null on a node that serves alone. */
    private final CallsOverNodes overNodes;

    private int freeCount;
    private int made;
    private Holder holder;

    /** Copies outcomes as soon as their transactions have ended, so that executions needn't wait for the log. */
    public interface Holder {
        /** A transaction of this port has ended on its site: copies the outcome and releases the execution. Returns a ticket, 0 or more. */
        int hold(Execution execution);

        /** The outcome with this ticket may be told now. */
        void release(int ticket);
    }

    /**
     * A port.
     *
     * @param buckets gives the map of the moment
     * @param site the one on whose thread it is used
     * @param capacity the most executions under way
     * @param waker wakes the site's thread
     */
    public ClientPort(
            Initiator initiator, Supplier<BucketMap> buckets, int site, SiteMeter meter, int capacity, Waker waker) {
        this(initiator, buckets, site, meter, capacity, waker, null);
    }

    /** The same for a node of a cluster. */
    public ClientPort(
            Initiator initiator,
            Supplier<BucketMap> buckets,
            int site,
            SiteMeter meter,
            int capacity,
            Waker waker,
            CallsOverNodes overNodes) {
        this.overNodes = overNodes;
        this.initiator = initiator;
        this.buckets = buckets;
        this.site = site;
        this.waker = waker;
        this.meter = meter;
        finishedHere = new LocalQueue(capacity);
        finishedElsewhere = new MpscRing<>(capacity, waker);
        free = new Execution[capacity];
    }

    /** From now on the holder takes what ends here, if it would have to wait; it doesn't come by {@link #poll} then. */
    public void holdBy(Holder newHolder) {
        holder = newHolder;
    }

    /** The site on whose thread it is used. */
    public int site() {
        return site;
    }

    /** Wakes the site's thread for work that was left for an agent there; null if there is no thread to wake. */
    public Waker waker() {
        return waker;
    }

    /** Whether an execution is free. */
    public boolean hasFree() {
        return freeCount > 0 || made < free.length;
    }

    /** The {@link Execution#number} of the one that {@link #acquire} will give; only if one is free. Below the capacity. */
    public int nextNumber() {
        return freeCount > 0 ? free[freeCount - 1].number() : made;
    }

    /** The number of executions that were submitted on this site, by any port, and wait for their stamp. */
    public int waiting() {
        return initiator.waitingLocally();
    }

    /** Takes an execution to be filled with arguments; null if all are under way. */
    public Execution acquire(Work work, long cookie) {
        if (!hasFree()) {
            return null;
        }
        Execution execution = freeCount > 0 ? free[--freeCount] : new Execution(made++);
        return execution.prepare(work, this, cookie);
    }

    /**
     * Sends an execution on its way. Whatever happens, it comes back by {@link #poll} unless it goes to the holder: also if its
     * arguments are wrong, or too many wait already.
     */
    public void submit(Execution execution) {
        execution.admitted(meter.nowNs());
        try {
            execution.work().checkArguments(execution);
            execution.work().route(execution, buckets.get());
        } catch (ProcedureException refusal) {
            execution.refuse(refusal.code(), refusal.getMessage());
            return;
        }
        if (overNodes != null && overNodes.take(execution)) {
            return;
        }
        if (!initiator.offerLocally(execution)) {
            execution.refuse(ErrorCode.OVERLOADED, "too many requests wait; try again later");
        }
    }

    /**
     * Begins an execution once more, with its arguments as they were passed, because a change of the catalog overtook it: for what the
     * procedure is now, which may write where it only read, and take other types.
     */
    public void renew(Execution execution, Work work) {
        execution.request().arguments().restore();
        execution.prepare(work, this, execution.cookie());
    }

    /** Takes a finished execution; null if there is none. */
    public Execution poll() {
        Execution execution = finishedHere.poll();
        return execution != null ? execution : finishedElsewhere.poll();
    }

    /** Gives an execution back once its outcome has been read. */
    public void release(Execution execution) {
        // Now and not when it is used again: it may never be, and they can be large.
        execution.request().arguments().clear();
        free[freeCount++] = execution;
    }

    @Override
    public void complete(Execution execution) {
        if (execution.ranAt() < 0 || ranHere(execution)) {
            finishedHere.offer(execution);
        } else {
            finishedElsewhere.offer(execution);
        }
    }

    private boolean ranHere(Execution execution) {
        return execution.ranAtSite() == site;
    }

    /**
     * A call whose work was replaced is not held: it comes back to be run again. Nor is one whose partition another node leads: it
     * comes back to be passed on.
     */
    @Override
    public int hold(Execution execution) {
        return holder == null
                        || !ranHere(execution)
                        || execution.outcome().stale()
                        || execution.outcome().error() == ErrorCode.MOVED
                ? NOT_HELD
                : holder.hold(execution);
    }

    @Override
    public void release(int ticket) {
        holder.release(ticket);
    }
}
