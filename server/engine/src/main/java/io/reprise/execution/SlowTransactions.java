package io.reprise.execution;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.PublishedLong;

/** A bounded queue of slow transactions, from the sites to the log of slow transactions. Those beyond its bound are only counted. */
public final class SlowTransactions {
    private static final int CAPACITY = 1024;

    private final PublishedLong limitNs = new PublishedLong();
    private final MpscRing<SlowTransaction> ring = new MpscRing<>(CAPACITY);

    /** Those that take so long or longer; 0: none. */
    public SlowTransactions(long limitNs) {
        limit(limitNs);
    }

    /** Any thread: from now on those that take so long or longer; 0: none. */
    public void limit(long newLimitNs) {
        limitNs.set(newLimitNs > 0 ? newLimitNs : Long.MAX_VALUE);
    }

    long limitNs() {
        return limitNs.get();
    }

    /** Whether another one would find room, so that one that would not need not be made. */
    boolean hasRoom() {
        return ring.size() < CAPACITY;
    }

    boolean offer(SlowTransaction transaction) {
        return ring.offer(transaction);
    }

    /** The one reader: the next; null if there is none. */
    public SlowTransaction poll() {
        return ring.poll();
    }
}
