package io.reprise.execution.durable;

import io.reprise.execution.Invocation;

/**
 * Invocations that have run and wait for the log, in the order in which they ran, each with the position that has to be
 * durable first. Bounded; owned by the site's thread.
 */
final class WaitingReplies {
    private final Invocation[] invocations;
    private final long[] positions;
    private final long[] endedNs;
    private final int mask;
    private long head;
    private long tail;
    private long endKnown;

    /** Room for so many, rounded up to a power of two. */
    WaitingReplies(int capacity) {
        int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
        invocations = new Invocation[size];
        positions = new long[size];
        endedNs = new long[size];
        mask = size - 1;
    }

    boolean isEmpty() {
        return head == tail;
    }

    int size() {
        return (int) (tail - head);
    }

    boolean isFull() {
        return tail - head > mask;
    }

    void add(Invocation invocation, long position) {
        if (isFull()) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (tail - head));
        }
        int at = (int) tail & mask;
        invocations[at] = invocation;
        positions[at] = position;
        tail++;
    }

    /** The group of transactions has ended that those were in which were added since this was last called. */
    void groupEnded(long ns) {
        while (endKnown < tail) {
            endedNs[(int) endKnown++ & mask] = ns;
        }
    }

    /** When the group ended that the first was in. */
    long firstEndedNs() {
        return endedNs[(int) head & mask];
    }

    /** The one that has waited longest; only if there is one. */
    Invocation first() {
        return invocations[(int) head & mask];
    }

    /** What it waits for. */
    long firstPosition() {
        return positions[(int) head & mask];
    }

    void removeFirst() {
        invocations[(int) head & mask] = null;
        head++;
    }
}
