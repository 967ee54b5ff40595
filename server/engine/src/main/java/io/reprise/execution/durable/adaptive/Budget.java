package io.reprise.execution.durable.adaptive;

/** A site's share of the quota: a balance that grows with time. A second's worth of unused bytes is kept. Owned by the site's thread. */
final class Budget {
    private static final long STEP_NS = 1_000_000;
    private static final double NS = 1e9;

    private final Quota quota;
    private long startNs = Long.MIN_VALUE;
    private long knownNs;
    private double known;
    private double balance;

    Budget(Quota quota) {
        this.quota = quota;
    }

    /** Whether there are bytes left at this time. */
    boolean isOpen(long nowNs, double share) {
        if (startNs == Long.MIN_VALUE) {
            startNs = nowNs;
            knownNs = nowNs;
            known = quota.bytes(0);
        } else if (nowNs - knownNs >= STEP_NS) {
            double bytes = quota.bytes((nowNs - startNs) / NS);
            double most = Math.max(quota.bytesPerSecond(), bytes - known) * share;
            balance = Math.min(most, balance + (bytes - known) * share);
            known = bytes;
            knownNs = nowNs;
        }
        return balance > 0;
    }

    /** Takes bytes. The balance may fall below zero by one record. */
    void take(double bytes) {
        balance -= bytes;
    }
}
