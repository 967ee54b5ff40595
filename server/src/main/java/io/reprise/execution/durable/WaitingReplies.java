package io.reprise.execution.durable;

/**
 * Transactions that have run and wait for the log, in the order in which they ran. Bounded; owned by the site's thread. The
 * engine's own works, of which there are few at a time, may wait beyond what is called full: they can't be refused any more
 * when they get here.
 *
 * <p>It begins small and grows as needed: what goes round in more memory than it needs drives a site's rows out of the cache.
 */
final class WaitingReplies {
    private static final int SPARE = 16;
    private static final int INITIAL = 256;

    private final int capacity;
    private WaitingReply[] ring;
    private int mask;
    private long head;
    private long tail;
    private long endKnown;

    /** Room for so many, and some spare. */
    WaitingReplies(int capacity) {
        this.capacity = capacity;
        int size = Integer.highestOneBit(Math.max(1, Math.min(INITIAL, capacity + SPARE) - 1)) << 1;
        ring = new WaitingReply[size];
        for (int i = 0; i < size; i++) {
            ring[i] = new WaitingReply();
        }
        mask = size - 1;
    }

    boolean isEmpty() {
        return head == tail;
    }

    int size() {
        return (int) (tail - head);
    }

    boolean isFull() {
        return tail - head >= capacity;
    }

    /** Another one, which the caller fills. */
    WaitingReply add() {
        if (tail - head >= capacity + SPARE) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (tail - head));
        }
        if (tail - head > mask) {
            grow();
        }
        return ring[(int) tail++ & mask];
    }

    /** The group of transactions has ended that those were in which were added since this was last called. */
    void groupEnded(long ns) {
        while (endKnown < tail) {
            ring[(int) endKnown++ & mask].groupEndedNs = ns;
        }
    }

    /** The one that has waited longest; only if there is one. */
    WaitingReply first() {
        return ring[(int) head & mask];
    }

    /** It waits no longer; what it is may be used again when another one is added. */
    void removeFirst() {
        head++;
    }

    private void grow() {
        int size = 2 * (mask + 1);
        WaitingReply[] more = new WaitingReply[size];
        for (long i = head; i < head + size; i++) {
            more[(int) i & size - 1] = i < tail ? ring[(int) i & mask] : new WaitingReply();
        }
        ring = more;
        mask = size - 1;
    }
}
