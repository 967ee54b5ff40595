package io.reprise.txn.initiator;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Work;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.function.Supplier;

/**
 * How an agent on a site submits transactions to the initiator on the same thread, without hand-over, waiting or
 * allocation: {@link #acquire} an invocation, add its arguments, {@link #submit} it, {@link #poll} the finished ones and
 * {@link #release} them.
 *
 * <p>What finishes on this site comes back within the thread; what finishes elsewhere comes through a queue with room
 * for all invocations of the port, so that it is never full. Who gives it a {@link Holder} is told what transactions came to
 * before the log is durable, and needs few invocations for many calls: they are made when all others are under way. Owned by
 * the site's thread.
 */
public final class ClientPort implements ReplyTarget {
    private final Initiator initiator;
    private final Supplier<BucketMap> buckets;
    private final int site;
    private final LocalPartitions partitions;
    private final SiteMeter meter;
    private final LocalQueue finishedHere;
    private final MpscRing<Invocation> finishedElsewhere;
    private final Invocation[] free;
    private final Waker waker;
    private int freeCount;
    private int made;
    private Holder holder;

    /** Copies outcomes as soon as their transactions have ended, so that invocations needn't wait for the log. */
    public interface Holder {
        /** A transaction of this port has ended on its site: copies the outcome and releases the invocation. Returns a ticket, 0 or more. */
        int hold(Invocation invocation);

        /** The outcome with this ticket may be told now. */
        void release(int ticket);
    }

    /**
     * A port.
     *
     * @param buckets gives the map of the moment
     * @param site the one on whose thread it is used
     * @param partitions of the node
     * @param capacity how many invocations may be under way
     * @param waker wakes the site's thread
     */
    public ClientPort(
            Initiator initiator,
            Supplier<BucketMap> buckets,
            int site,
            LocalPartitions partitions,
            SiteMeter meter,
            int capacity,
            Waker waker) {
        this.initiator = initiator;
        this.buckets = buckets;
        this.site = site;
        this.partitions = partitions;
        this.waker = waker;
        this.meter = meter;
        finishedHere = new LocalQueue(capacity);
        finishedElsewhere = new MpscRing<>(capacity, waker);
        free = new Invocation[capacity];
    }

    /** From now on the holder takes what ends here, if it would have to wait; it doesn't come by {@link #poll} then. */
    public void holdBy(Holder newHolder) {
        holder = newHolder;
    }

    /** The site on whose thread it is used. */
    public int site() {
        return site;
    }

    /** Wakes the site's thread, for whoever leaves something for an agent there; null if nothing has to be woken. */
    public Waker waker() {
        return waker;
    }

    /** Whether an invocation is free. */
    public boolean hasFree() {
        return freeCount > 0 || made < free.length;
    }

    /** The {@link Invocation#number} of the one that {@link #acquire} will give; only if one is free. Below the capacity. */
    public int nextNumber() {
        return freeCount > 0 ? free[freeCount - 1].number() : made;
    }

    /** How many invocations were submitted on this site, by any port, and wait for their stamp. */
    public int waiting() {
        return initiator.waitingLocally();
    }

    /** Takes an invocation to be filled with arguments; null if all are under way. */
    public Invocation acquire(Work work, long cookie) {
        if (!hasFree()) {
            return null;
        }
        Invocation invocation = freeCount > 0 ? free[--freeCount] : new Invocation(made++);
        return invocation.prepare(work, this, cookie);
    }

    /**
     * Sends an invocation on its way. Whatever happens, it comes back by {@link #poll} unless it goes to the holder: also if its
     * arguments are wrong, or too many wait already.
     */
    public void submit(Invocation invocation) {
        invocation.admitted(meter.nowNs());
        try {
            invocation.work().checkArguments(invocation);
            invocation.work().route(invocation, buckets.get());
        } catch (ProcedureException refusal) {
            invocation.refuse(refusal.code(), refusal.getMessage());
            return;
        }
        if (!initiator.offerLocally(invocation)) {
            invocation.refuse(ErrorCode.OVERLOADED, "too many requests wait; try again later");
        }
    }

    /**
     * Begins an invocation once more, with its arguments as they were passed, because a change of the catalog overtook it: for what the
     * procedure is now, which may write where it only read, and take other types.
     */
    public void renew(Invocation invocation, Work work) {
        invocation.arguments().restore();
        invocation.prepare(work, this, invocation.cookie());
    }

    /** Takes a finished invocation; null if there is none. */
    public Invocation poll() {
        Invocation invocation = finishedHere.poll();
        return invocation != null ? invocation : finishedElsewhere.poll();
    }

    /** Gives an invocation back once its outcome has been read. */
    public void release(Invocation invocation) {
        // Now and not when it is used again: that may be never, and they can be large.
        invocation.arguments().clear();
        free[freeCount++] = invocation;
    }

    @Override
    public void complete(Invocation invocation) {
        if (invocation.ranAt() < 0 || ranHere(invocation)) {
            finishedHere.offer(invocation);
        } else {
            finishedElsewhere.offer(invocation);
        }
    }

    private boolean ranHere(Invocation invocation) {
        return partitions.siteOf(invocation.ranAt()) == site;
    }

    /** A call whose work was replaced is not held: it comes back to be run again. */
    @Override
    public int hold(Invocation invocation) {
        return holder == null || !ranHere(invocation) || invocation.stale() ? NOT_HELD : holder.hold(invocation);
    }

    @Override
    public void release(int ticket) {
        holder.release(ticket);
    }
}
