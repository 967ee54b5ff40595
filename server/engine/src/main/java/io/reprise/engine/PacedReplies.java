package io.reprise.engine;

import io.reprise.execution.durable.Stability;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.Waker;
import java.util.function.LongSupplier;

/**
 * The positions up to which replies may leave, by partition: the durable ones, or less while a pace is set. A client that waits for its replies
 * then calls less often. Records are durable as ever; only their replies wait.
 *
 * <p>A site's thread asks for positions. One agent sets the pace. A position may fall for a moment when a pace begins.
 */
final class PacedReplies {
    private final LongSupplier[] durable;
    private final PublishedLong[] limits;
    private final Waker[] sites;
    private boolean paced;

    /**
     * Without a pace.
     *
     * @param durable the durable position of each partition's log
     * @param sites wakes the threads that send replies
     */
    PacedReplies(LongSupplier[] durable, Waker... sites) {
        this.durable = durable.clone();
        this.sites = sites.clone();
        limits = new PublishedLong[durable.length];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = new PublishedLong();
            limits[i].set(Long.MAX_VALUE);
        }
    }

    /** The positions of a partition. */
    Stability of(int slot) {
        PublishedLong limit = limits[slot];
        LongSupplier log = durable[slot];
        return () -> Math.min(limit.get(), log.getAsLong());
    }

    /** The bytes of log that all partitions have made durable. */
    long durableBytes() {
        long bytes = 0;
        for (LongSupplier log : durable) {
            bytes += log.getAsLong();
        }
        return bytes;
    }

    /** Begins a pace: replies to later records wait until they are released. */
    void begin() {
        if (!paced) {
            paced = true;
            for (int i = 0; i < limits.length; i++) {
                limits[i].set(durable[i].getAsLong());
            }
        }
    }

    /** Whether there are durable records whose replies have not been released. */
    boolean areWaiting() {
        boolean waiting = false;
        for (int i = 0; i < limits.length; i++) {
            waiting |= limits[i].get() < durable[i].getAsLong();
        }
        return waiting;
    }

    /** Lets replies to so many more bytes of log leave, shared among the partitions by what waits there. */
    void release(long bytes) {
        long[] waiting = new long[limits.length];
        long all = 0;
        for (int i = 0; i < limits.length; i++) {
            waiting[i] = Math.max(0, durable[i].getAsLong() - limits[i].get());
            all += waiting[i];
        }
        double share = all <= bytes ? 1 : (double) bytes / all;
        for (int i = 0; i < limits.length; i++) {
            limits[i].set(limits[i].get() + (long) Math.ceil(share * waiting[i]));
        }
        wake();
    }

    /** Ends the pace: all replies leave when their records are durable. */
    void end() {
        if (paced) {
            paced = false;
            for (PublishedLong limit : limits) {
                limit.set(Long.MAX_VALUE);
            }
            wake();
        }
    }

    private void wake() {
        for (Waker site : sites) {
            site.wake();
        }
    }
}
