package io.reprise.runtime.agent;

/**
 * Decides whether a waiting thread spins before it sleeps. Waking a thread whose core has halted may take longer than the rest of a
 * call. But a thread that spins in vain takes time that others need.
 *
 * <p>Each wait counts, whether it was spun or slept. A short wait adds to the trust that the next one will be short too. A long wait
 * takes away as much as four short ones gave. A wait is spun only with trust, and at most for as long as a short wait takes. So an
 * idle node does not spin.
 *
 * <p>Owned by the thread that waits.
 *
 * <p>The client's module has the same class, because it knows no other module and runs on an older Java.
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

    /** The wait is over, whether the thread spun or slept. */
    public void found(long nowNs) {
        if (waiting) {
            waiting = false;
            trust = nowNs - beganNs <= mostNs ? Math.min(CERTAIN, trust + 1) : Math.max(0, trust - LOSS);
        }
    }
}
