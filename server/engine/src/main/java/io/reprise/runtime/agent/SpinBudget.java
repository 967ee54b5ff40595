package io.reprise.runtime.agent;

/**
 * Whether a thread that waits should look again and again before it sleeps. Waking a thread whose core has halted may take longer
 * than all the rest of a call; but a thread that spins for nothing takes time that others need.
 *
 * <p>Each wait counts, whether it was spun or slept: a short one adds to the trust that the next will be short too, and a long one
 * takes away as much as four short ones gave. Only with trust a wait is spun, and never for longer than a short one takes. So where waits are long,
 * as in a node that is idle or has a call now and then, nothing is spun; and a wait that was spun in vain stands for several that were not.
 *
 * <p>Owned by the thread that waits.
 */
final class SpinBudget {
    private static final int CERTAIN = 16;
    private static final int ENOUGH = 8;
    private static final int LOSS = 4;

    private final long mostNs;
    private long beganNs;
    private boolean waiting;
    private int trust;

    /** Waits are short if they take no longer than this; no spin is longer. */
    public SpinBudget(long mostNs) {
        this.mostNs = mostNs;
    }

    /** Nothing was found: whether to look again at once. The first time begins a wait. */
    public boolean spins(long nowNs) {
        if (!waiting) {
            waiting = true;
            beganNs = nowNs;
        }
        return trust >= ENOUGH && nowNs - beganNs < mostNs;
    }

    /** Whether a wait has begun and not ended. */
    public boolean isWaiting() {
        return waiting;
    }

    /** The awaited event has come, whether the thread spun or slept. */
    public void found(long nowNs) {
        if (waiting) {
            waiting = false;
            trust = nowNs - beganNs <= mostNs ? Math.min(CERTAIN, trust + 1) : Math.max(0, trust - LOSS);
        }
    }
}
