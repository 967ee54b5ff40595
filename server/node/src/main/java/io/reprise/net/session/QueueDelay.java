package io.reprise.net.session;

/**
 * The queueing delay of a site, as told to clients. It is the least time that a call of the last 10 ms waited between arrival and
 * start. A burst, or a pause of the process, drains quickly and keeps the least low; only a standing queue raises it. Owned by the site.
 */
public final class QueueDelay {
    /** The delay that calls should not exceed: a longer queue makes a busy site no faster. */
    static final long WANTED_NS = 50_000_000;

    /** The load told to a client whose calls are rejected. */
    public static final int REFUSING = 200;

    private static final long INTERVAL_NS = 10_000_000;
    private static final int PERCENT = 100;
    private static final int WORTH_TELLING = PERCENT / 2;

    private long leastNs;
    private long leastBeforeNs;
    private long beganNs;

    /** Adds the wait of a call that starts. */
    public void begun(long waitedNs, long nowNs) {
        if (nowNs - beganNs > INTERVAL_NS) {
            leastBeforeNs = leastNs;
            leastNs = waitedNs;
            beganNs = nowNs;
        } else {
            leastNs = Math.min(leastNs, waitedNs);
        }
        leastBeforeNs = Math.min(leastBeforeNs, waitedNs);
    }

    /** The delay in percent of the wanted one; 0: less than half of it. */
    public int load() {
        long load = leastBeforeNs * PERCENT / WANTED_NS;
        return load < WORTH_TELLING ? 0 : (int) Math.min(Integer.MAX_VALUE, load);
    }
}
