package io.reprise.client;

/**
 * Bounds the calls under way on a connection: as many as the server can begin soon. The server's replies tell the
 * queueing delay there, so that the queue of an overloaded server is short. Further calls wait or are refused here,
 * where that costs least.
 *
 * <p>The limit changes in rounds. A round is over when as many calls have ended as were under way when it began. Calls
 * answered from then on show the effect of the change.
 *
 * <pre>
 *  first:     doubles with each round in which it was reached, until the server says that calls wait
 *  load > 100 shrinks in that ratio, at most to the half; the next round only ends what was under way before
 *  load > 0   grows by a small step, if it was reached
 *  otherwise  grows by a larger one, if it was reached
 * </pre>
 *
 * <p>Calls may have few bytes or a million, so their bytes are bounded, too: by number alone they could fill the
 * heap.
 *
 * <p>All clients shrink by the same part and grow by the same small step, so a client with more calls under way comes
 * down to the others' number. Guarded by the connection's monitor.
 */
final class CallWindow {
    /**
     * A caller without room gets some when this part of all is free. If each reply let a call in, calls would be sent
     * and answered one by one, which costs both sides much more than the calls.
     */
    private static final int ROOMY_SHARE = 8;

    /** The bytes of calls that may be under way; a call with more has the window alone. */
    static final long MOST_BYTES = 32 << 20;

    private static final int FIRST = 1024;
    private static final int LEAST = 4;
    private static final int SMALL_STEP = 2;
    private static final int STEP_SHARE = 32;
    private static final int FULL_LOAD = 100;

    private final int most;
    private int limit;
    private int underWay;
    private int kept;
    private long bytes;
    private boolean full;

    /** It is full of bytes, not of calls. */
    private boolean heavy;

    private boolean doubling = true;

    /**
     * The state of this round: whether it teaches nothing, because it only ends older calls or none at all; the calls that have to end; the
     * highest load; whether the limit was reached.
     */
    private boolean waiting = true;

    private int left;
    private int load;
    private boolean reached;

    /** Never lets in more than so many. */
    CallWindow(int most) {
        this.most = most;
        limit = Math.min(most, FIRST);
    }

    /** Whether one more may begin. Once none may, some have to end before the next. */
    boolean hasRoom() {
        if (full) {
            full = !isRoomy();
        } else {
            heavy = bytes >= MOST_BYTES;
            full = heavy || underWay + kept >= limit;
        }
        reached |= full && !heavy;
        return !full;
    }

    /** Whether one more may begin in place of one that has ended, however many there should be. */
    boolean hasPlace() {
        return underWay < most;
    }

    /** Whether the place of a call that has just ended is kept for one more; then it is used. */
    boolean takeKeptPlace() {
        boolean taken = kept > 0 && hasPlace();
        if (taken) {
            kept = 0;
        }
        return taken;
    }

    /** Whether so much is free that it is worth to let in who found no room. */
    boolean isRoomy() {
        return underWay + kept <= limit - Math.max(1, limit / ROOMY_SHARE)
                && bytes <= MOST_BYTES - MOST_BYTES / ROOMY_SHARE;
    }

    /** The number of calls that may still begin. */
    int room() {
        return Math.max(0, limit - underWay);
    }

    void begun(int length) {
        underWay++;
        bytes += length;
    }

    void ended(int length) {
        underWay--;
        bytes -= length;
        left--;
    }

    /**
     * Keeps the place of the call that has ended for a call by its handler, because others may be quicker. It is kept until the next call
     * ends, or all replies have been told.
     */
    void keepPlace() {
        kept = 1;
    }

    /** The server has said how long calls wait, as in {@link io.reprise.wire.ReplyReader#load}. */
    void told(int newLoad) {
        kept = 0;
        load = Math.max(load, newLoad);
        if (left > 0) {
            return;
        }
        boolean shrunk = !waiting && adapt();
        waiting = shrunk;
        left = underWay;
        load = 0;
        reached = full && !heavy;
    }

    /** Returns whether there may be fewer than before. */
    private boolean adapt() {
        doubling &= load == 0;
        if (load > FULL_LOAD) {
            limit = Math.max(Math.min(LEAST, most), (int) Math.max(limit / 2, (long) limit * FULL_LOAD / load));
            return true;
        }
        if (reached) {
            limit = (int) Math.min(most, (long) limit + step());
        }
        return false;
    }

    private int step() {
        if (doubling) {
            return limit;
        }
        return load > 0 ? SMALL_STEP : Math.max(SMALL_STEP, limit / STEP_SHARE);
    }
}
