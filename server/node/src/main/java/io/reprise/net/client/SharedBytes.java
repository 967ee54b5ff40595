package io.reprise.net.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of a kind a site has, of those that all sites together may have. The others learn of them in large steps, because
 * the counter is theirs, too. Owned by the site.
 */
final class SharedBytes {
    private static final int STEP = 1 << 20;

    private final AtomicLong ofAll;
    private final long most;
    private long counted;

    /**
     * None yet.
     *
     * @param ofAll how many all sites have
     * @param most how many they should have
     */
    SharedBytes(AtomicLong ofAll, long most) {
        this.ofAll = ofAll;
        this.most = most;
    }

    /** The site has so many now. */
    void are(long bytes) {
        long more = bytes - counted;
        if (Math.abs(more) >= STEP || more != 0 && bytes == 0) {
            ofAll.addAndGet(more);
            counted += more;
        }
    }

    /** Whether the site may have more: always, if it has hardly any, because then it is others who have to get rid of some. */
    boolean mayBeMore() {
        return counted == 0 || ofAll.get() < most;
    }
}
