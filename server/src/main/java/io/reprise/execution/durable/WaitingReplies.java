package io.reprise.execution.durable;

import io.reprise.execution.Invocation;

/**
 * Invocations that have run and wait for the log, in the order in which they ran, each with the position that has to be
 * durable first. Bounded; owned by the site's thread. The engine's own works, of which there are few at a time, may wait
 * beyond what is called full: they can't be refused any more when they get here.
 */
final class WaitingReplies {
    private static final int SPARE = 16;

    private final int full;
    private final Invocation[] invocations;
    private final long[] positions;
    private final int mask;
    private long head;
    private long tail;

    /** Room for so many, rounded up to a power of two, a few of which are spare. */
    WaitingReplies(int capacity) {
        int size = Integer.highestOneBit(Math.max(SPARE, capacity - 1)) << 1;
        full = size - Math.min(SPARE, size / 4);
        invocations = new Invocation[size];
        positions = new long[size];
        mask = size - 1;
    }

    boolean isEmpty() {
        return head == tail;
    }

    boolean isFull() {
        return tail - head >= full;
    }

    void add(Invocation invocation, long position) {
        if (tail - head > mask) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (tail - head));
        }
        int at = (int) tail & mask;
        invocations[at] = invocation;
        positions[at] = position;
        tail++;
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
