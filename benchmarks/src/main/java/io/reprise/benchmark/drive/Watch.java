package io.reprise.benchmark.drive;

import org.HdrHistogram.Histogram;

/** Looks at a drive from time to time, and says what has happened since. One thread's. */
public final class Watch {
    private static final double NS_PER_SECOND = 1e9;

    private final Drive drive;
    private final long beganNs = System.nanoTime();
    private final Histogram total = new Histogram(Driver.HIGHEST_NS, 3);
    private long sinceNs = beganNs;
    private long completed;
    private long rolledBack;
    private long refused;
    private long errors;

    /** From now on. */
    public Watch(Drive drive) {
        this.drive = drive;
        drive.latencies();
        completed = drive.completed();
        rolledBack = drive.failures().rolledBack();
        refused = drive.failures().refused();
        errors = drive.failures().errors();
    }

    /** The events since the last look, or since it was made. */
    public Second look() {
        long nowNs = System.nanoTime();
        Histogram latencies = drive.latencies();
        long newCompleted = drive.completed();
        long newRolledBack = drive.failures().rolledBack();
        long newRefused = drive.failures().refused();
        long newErrors = drive.failures().errors();
        Second second = Second.of(
                (nowNs - beganNs) / NS_PER_SECOND,
                (newCompleted - completed) * NS_PER_SECOND / Math.max(1, nowNs - sinceNs),
                latencies,
                newRolledBack - rolledBack,
                newRefused - refused,
                newErrors - errors);
        total.add(latencies);
        sinceNs = nowNs;
        completed = newCompleted;
        rolledBack = newRolledBack;
        refused = newRefused;
        errors = newErrors;
        return second;
    }

    /** The drive has stopped: the total gets the calls that were answered since the last look, too. */
    void addLast() {
        total.add(drive.latencies());
    }

    /** The latencies of all calls answered up to the last look, in nanoseconds. */
    public Histogram total() {
        return total;
    }
}
