package io.reprise.log;

/**
 * When the next force may begin. Each costs the same however much it forces, also the sites: the disk's interrupts take the
 * time of a core that has a site's work to do. So while all sites are busy anyway, forces keep a pause between their
 * beginnings, and each carries more.
 *
 * <p>A site with nothing left to do but wait asks for a force, which begins at once and halves the pause; each force that
 * no site asked for lengthens it by a small part of the longest. So a caller on its own waits for nothing but the disk, and
 * callers who are few for the pause make it short enough for their sites to stay busy.
 *
 * <p>Owned by the log writer.
 */
final class ForcePace {
    private static final int STEPS = 64;

    private final long longestNs;
    private long pauseNs;
    private long beganNs;

    /** Begins without a pause. */
    ForcePace(long longestNs) {
        this.longestNs = longestNs;
    }

    /** Whether it is too early for a force without a request. */
    boolean waits(long nowNs) {
        return pauseNs > 0 && nowNs - beganNs < pauseNs;
    }

    /** A force has been made. */
    void forced(long newBeganNs, boolean asked) {
        beganNs = newBeganNs;
        long step = longestNs / STEPS;
        if (!asked) {
            pauseNs = Math.min(longestNs, pauseNs + step);
        } else {
            pauseNs = pauseNs / 2 < step ? 0 : pauseNs / 2;
        }
    }
}
