package io.reprise.execution.durable;

/**
 * Transactions that have run and wait for the log, in the order in which they ran. Bounded; owned by the site's thread. The
 * engine's own works, of which there are few at a time, may wait beyond what is called full: they can't be refused any more
 * when they get here.
 *
 * <p>It begins small and grows as needed: what goes round in more memory than it needs drives a site's rows out of the cache.
 * For the same reason transactions in a row that are alike are one {@link WaitingReply}; each has its own position, though.
 */
final class WaitingReplies {
    private static final int SPARE = 16;
    private static final int INITIAL = 256;

    private final int capacity;

    /** A ring of what waits; as many transactions, or fewer. */
    private WaitingReply[] replies = new WaitingReply[INITIAL];

    private long head;
    private long tail;
    private long endKnown;

    /** A ring of what has to be durable in the site's own log, for each transaction. */
    private long[] positions = new long[INITIAL];

    private long first;
    private long next;

    /** Room for so many, and some spare. */
    WaitingReplies(int capacity) {
        this.capacity = capacity;
        for (int i = 0; i < replies.length; i++) {
            replies[i] = new WaitingReply();
        }
    }

    boolean isEmpty() {
        return first == next;
    }

    /** How many transactions wait. */
    int size() {
        return (int) (next - first);
    }

    boolean isFull() {
        return next - first >= capacity;
    }

    /** Another one, for a transaction, which the caller fills. */
    WaitingReply add(long position) {
        addPosition(position);
        if (tail - head == replies.length) {
            growReplies();
        }
        return replies[(int) tail++ & replies.length - 1];
    }

    /** What was added last, if its group of transactions has not ended; null if it has. */
    WaitingReply lastOfGroup() {
        return tail > endKnown ? replies[(int) (tail - 1) & replies.length - 1] : null;
    }

    /** The position of one more transaction; what was added last stands for it too. */
    void addPosition(long position) {
        if (next - first >= capacity + SPARE) {
            throw new IllegalStateException("more replies wait for the log than there is room for: " + (next - first));
        }
        if (next - first == positions.length) {
            growPositions();
        }
        positions[(int) next++ & positions.length - 1] = position;
    }

    /** The group of transactions has ended that those were in which were added since this was last called. */
    void groupEnded(long ns) {
        while (endKnown < tail) {
            replies[(int) endKnown++ & replies.length - 1].groupEndedNs = ns;
        }
    }

    /** What has waited longest; only if there is something. */
    WaitingReply first() {
        return replies[(int) head & replies.length - 1];
    }

    /** How many transactions of {@link #first()} wait for nothing any more. */
    int durable(long durable) {
        int count = first().count;
        if (positions[(int) (first + count - 1) & positions.length - 1] <= durable) {
            return count;
        }
        int found = 0;
        while (positions[(int) (first + found) & positions.length - 1] <= durable) {
            found++;
        }
        return found;
    }

    /**
     * So many transactions of {@link #first()} wait no longer. If it has no more, it may be used again when another one is
     * added.
     */
    void removeFirst(int count) {
        if (count == first().count) {
            head++;
        }
        first += count;
    }

    private void growReplies() {
        WaitingReply[] more = new WaitingReply[2 * replies.length];
        for (long i = head; i < head + more.length; i++) {
            more[(int) i & more.length - 1] = i < tail ? replies[(int) i & replies.length - 1] : new WaitingReply();
        }
        replies = more;
    }

    private void growPositions() {
        long[] more = new long[2 * positions.length];
        for (long i = first; i < next; i++) {
            more[(int) i & more.length - 1] = positions[(int) i & positions.length - 1];
        }
        positions = more;
    }
}
