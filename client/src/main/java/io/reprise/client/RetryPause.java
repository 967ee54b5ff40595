package io.reprise.client;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The pause between attempts of a call that was rejected. It doubles up to a bound, and is spread so that many calls that were
 * rejected together don't come back at once. The network thread's.
 */
final class RetryPause {
    /** The longest pause while a partition has no leader, or not the bucket: another one is expected soon. */
    static final long SHORT_NS = 100_000_000;

    /** The longest pause otherwise. */
    static final long LONG_NS = 1_000_000_000;

    /** The first pauses: of a call whose bucket has moved, a few milliseconds until the map says so. */
    private static final long FIRST_SHORT_NS = 4_000_000;

    private static final long FIRST_LONG_NS = 20_000_000;

    private long lengthNs;
    private long endNs;

    /** Begins the next pause, which lasts this long at most. */
    void begin(long mostNs) {
        long firstNs = mostNs == SHORT_NS ? FIRST_SHORT_NS : FIRST_LONG_NS;
        lengthNs = Math.min(Math.max(firstNs, 2 * lengthNs), mostNs);
        long spreadNs = lengthNs / 2 + ThreadLocalRandom.current().nextLong(lengthNs / 2 + 1);
        endNs = System.nanoTime() + spreadNs;
    }

    /** Whether there was a pause. */
    boolean hasBegun() {
        return lengthNs != 0;
    }

    /** Whether no pause is under way. */
    boolean isOver(long nowNs) {
        return lengthNs == 0 || nowNs - endNs >= 0;
    }
}
