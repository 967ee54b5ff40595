package io.reprise.txn.initiator;

import io.reprise.execution.Invocation;
import java.util.function.LongSupplier;

/**
 * Multi-partition transactions that wait to be stamped one behind the other. For each its participants have to be at the
 * same place at the same time, so sites wait for each other; for several in a row they do that once. Those with one
 * participant go on meanwhile.
 *
 * <p>How long that takes differs by a thousand: where each site has a core, another one comes within a microsecond; where it has
 * to be given one by the system, within a millisecond. So a site measures for how long it stood still for those that it let go
 * together, and gathers for some times as long. That time is a power of two and ends at a multiple of it, so that sites let theirs go
 * together. Nothing waits when there are many, or when the site has nothing else to do.
 *
 * <p>Owned by the site's thread.
 */
public final class Gathering {
    /** A site may stand still for that part of the time. */
    private static final int PART = 16;

    private static final int WEIGHT = 8;

    private final LongSupplier stoodStillNs;
    private final long longestNs;
    private final int most;
    private final LocalQueue gathered;
    private long averageNs;
    private long stoodStillBefore;
    private long slotNs = 1;
    private long slot;
    private boolean letting;

    /**
     * One that is empty.
     *
     * @param stoodStillNs for how long the site has waited for others so far
     * @param longestNs for how long to gather at most; 0: nothing is gathered
     * @param most how many wait at most
     */
    public Gathering(LongSupplier stoodStillNs, long longestNs, int most) {
        this.stoodStillNs = stoodStillNs;
        this.longestNs = longestNs;
        this.most = most;
        gathered = new LocalQueue(most);
    }

    /** Whether the transaction has to be one of several. Whose participants needn't meet has nothing to gain. */
    boolean takes(Invocation invocation) {
        return longestNs > 0
                && invocation.participantCount() > 1
                && invocation.work().meets();
    }

    void add(Invocation invocation, long nowNs) {
        if (gathered.size() == 0) {
            slot = Math.floorDiv(nowNs, slotNs);
        }
        gathered.offer(invocation);
    }

    int size() {
        return gathered.size();
    }

    /** Takes one whose wait is over; null if there is none. */
    Invocation poll(long nowNs) {
        if (gathered.size() == 0) {
            return null;
        }
        if (!letting && (gathered.size() == most || Math.floorDiv(nowNs, slotNs) != slot)) {
            letGo();
        }
        Invocation next = letting ? gathered.poll() : null;
        letting &= gathered.size() > 0;
        return next;
    }

    /** From now on {@link #poll} gives those that have been gathered, to the last one. */
    void letGo() {
        if (gathered.size() == 0) {
            return;
        }
        letting = true;
        long stoodStill = stoodStillNs.getAsLong();
        long sample = Math.min(stoodStill - stoodStillBefore, longestNs);
        stoodStillBefore = stoodStill;
        averageNs += (sample - averageNs) / WEIGHT;
        slotNs = Long.highestOneBit(Math.clamp(PART * averageNs, 1, longestNs));
    }
}
