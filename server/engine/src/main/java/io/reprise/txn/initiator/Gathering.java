package io.reprise.txn.initiator;

import io.reprise.execution.Execution;
import java.util.function.LongSupplier;

/**
 * Multi-partition transactions that wait to be stamped one behind the other. For each its participants have to be at
 * the same place at the same time, so sites wait for each other; for several in a row they do so once. Transactions
 * with one participant go on meanwhile.
 *
 * <p>The time of a meeting differs by a thousand: if each site has a core, another one comes within a microsecond; if
 * the system has to give it one, within a millisecond. So a site measures its standstill for those that it let go
 * together, and gathers for some times as long. The gathering time is a power of two and ends at a multiple of it, so
 * that sites let theirs go together. Nothing waits when there are many, or when the site has nothing else to do.
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
     * An empty one.
     *
     * @param stoodStillNs the time for which the site has waited for others so far
     * @param longestNs the longest time of gathering; 0: nothing is gathered
     * @param most the largest number of waiting ones
     */
    public Gathering(LongSupplier stoodStillNs, long longestNs, int most) {
        this.stoodStillNs = stoodStillNs;
        this.longestNs = longestNs;
        this.most = most;
        gathered = new LocalQueue(most);
    }

    /** Whether the transaction has to be one of several. Whose participants needn't meet has nothing to gain. */
    boolean takes(Execution execution) {
        return longestNs > 0
                && execution.participantCount() > 1
                && execution.work().meets();
    }

    void add(Execution execution, long nowNs) {
        if (gathered.size() == 0) {
            slot = Math.floorDiv(nowNs, slotNs);
        }
        gathered.offer(execution);
    }

    int size() {
        return gathered.size();
    }

    /** Takes one whose wait is over; null if there is none. */
    Execution poll(long nowNs) {
        if (gathered.size() == 0) {
            return null;
        }
        if (!letting && (gathered.size() == most || Math.floorDiv(nowNs, slotNs) != slot)) {
            letGo();
        }
        Execution next = letting ? gathered.poll() : null;
        letting &= gathered.size() > 0;
        return next;
    }

    /** Takes one whether its wait is over or not; null if there is none. */
    Execution take() {
        letting = false;
        return gathered.poll();
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
