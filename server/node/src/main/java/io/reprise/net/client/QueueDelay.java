package io.reprise.net.client;

/**
 * How long calls wait for a site between their arrival and their begin, as clients are told it. It is the least that any of the last
 * hundredth of a second waited: what comes in a burst, or after a pause of the process, waits and is soon gone; a queue in which nobody
 * is served at once stands. Owned by the site.
 */
final class QueueDelay {
    /** What calls should wait at most: as long as the site always finds some, a longer queue makes nothing faster. */
    static final long WANTED_NS = 50_000_000;

    /** What a client is told whose calls are refused. */
    static final int REFUSING = 200;

    private static final long INTERVAL_NS = 10_000_000;
    private static final int PERCENT = 100;
    private static final int WORTH_TELLING = PERCENT / 2;

    private long leastNs;
    private long leastBeforeNs;
    private long beganNs;

    /** A call is begun that has waited for so long. */
    void begun(long waitedNs, long nowNs) {
        if (nowNs - beganNs > INTERVAL_NS) {
            leastBeforeNs = leastNs;
            leastNs = waitedNs;
            beganNs = nowNs;
        } else {
            leastNs = Math.min(leastNs, waitedNs);
        }
        leastBeforeNs = Math.min(leastBeforeNs, waitedNs);
    }

    /** In hundredths of what is wanted; 0: less than half of that. */
    int load() {
        long load = leastBeforeNs * PERCENT / WANTED_NS;
        return load < WORTH_TELLING ? 0 : (int) Math.min(Integer.MAX_VALUE, load);
    }
}
