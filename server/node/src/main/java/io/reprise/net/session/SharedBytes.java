package io.reprise.net.session;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A site's bytes of a kind, of those that all sites together may have. The shared counter changes in large steps, because all sites
 * write to it. Owned by the site.
 */
public final class SharedBytes {
    private static final int STEP = 1 << 20;

    private final AtomicLong ofAll;
    private final long most;
    private long counted;

    /**
     * No bytes yet.
     *
     * @param ofAll the bytes of all sites
     * @param most the most that they should have
     */
    SharedBytes(AtomicLong ofAll, long most) {
        this.ofAll = ofAll;
        this.most = most;
    }

    /** Sets the site's bytes. */
    public void set(long bytes) {
        long more = bytes - counted;
        if (Math.abs(more) >= STEP || more != 0 && bytes == 0) {
            ofAll.addAndGet(more);
            counted += more;
        }
    }

    /** Whether the site may have more; always if it has hardly any, because then other sites have to give up theirs. */
    public boolean mayGrow() {
        return counted == 0 || ofAll.get() < most;
    }
}
