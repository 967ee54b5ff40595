package io.reprise.execution.durable;

import io.reprise.execution.Invocation;

/**
 * Invocations that have run and wait for the log, in the order in which they ran, each with the position that has to be
 * durable first. Bounded; owned by the site's thread. The engine's own works, of which there are few at a time, may wait
 * beyond what is called full: they can't be refused any more when they get here.
 *
 * <p>It begins small and grows as needed: what goes round in more memory than it needs drives a site's rows out of the cache.
 */
final class WaitingReplies {
    private static final int SPARE = 16;
    private static final int INITIAL = 256;

    private final int capacity;
    private Invocation[] invocations;
    private long[] positions;
    private long[] endedNs;
    private int mask;
    private long head;
    private long tail;
    private long endKnown;

    /** Room for so many, and some spare. */
    WaitingReplies(int capacity) {
        this.capacity = capacity;
        int size = Integer.highestOneBit(Math.max(1, Math.min(INITIAL, capacity + SPARE) - 1)) << 1;
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
        return tail - head >= capacity;
    }

    void add(Invocation invocation, long position) {
        if (tail - head >= capacity + SPARE) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (tail - head));
        }
        if (tail - head > mask) {
            grow();
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

    private void grow() {
        int size = 2 * (mask + 1);
        Invocation[] moreInvocations = new Invocation[size];
        long[] morePositions = new long[size];
        long[] moreEndedNs = new long[size];
        for (long i = head; i < tail; i++) {
            moreInvocations[(int) i & size - 1] = invocations[(int) i & mask];
            morePositions[(int) i & size - 1] = positions[(int) i & mask];
            moreEndedNs[(int) i & size - 1] = endedNs[(int) i & mask];
        }
        invocations = moreInvocations;
        positions = morePositions;
        endedNs = moreEndedNs;
        mask = size - 1;
    }
}
