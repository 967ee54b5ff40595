package io.reprise.snapshot;

import io.reprise.runtime.agent.PublishedLong;
import java.util.function.LongSupplier;

/**
 * The schedule of snapshots: by time, if anything was logged since the last one, or by the log's length. Owned by the snapshots' thread;
 * any thread changes the times.
 */
final class SnapshotSchedule {
    /** The pause between a failure and the next attempt. */
    private static final long PAUSE_AFTER_FAILURE_NS = 10_000_000_000L;

    private final PublishedLong intervalMs = new PublishedLong();
    private final PublishedLong logBytes = new PublishedLong();
    private final LongSupplier logPosition;
    private long lastLogPosition;
    private long beganNs;
    private long notBeforeNs;

    /**
     * A schedule that continues after a restart.
     *
     * @param newestLogPosition the log position of the newest snapshot, or 0
     */
    SnapshotSchedule(SnapshotSettings settings, LongSupplier logPosition, long newestLogPosition, long nowNs) {
        change(settings.intervalMs(), settings.logBytes());
        this.logPosition = logPosition;
        lastLogPosition = newestLogPosition;
        notBeforeNs = nowNs;
        began(nowNs);
    }

    /** Any thread: other times between snapshots, from the beginning of the last one on. */
    void change(long newIntervalMs, long newLogBytes) {
        intervalMs.set(newIntervalMs);
        logBytes.set(newLogBytes);
    }

    boolean isDue(long nowNs) {
        if (nowNs - notBeforeNs < 0) {
            return false;
        }
        long position = logPosition.getAsLong();
        long intervalNs = intervalMs.get() * 1_000_000;
        boolean byTime = intervalNs > 0 && nowNs - beganNs >= intervalNs && position != lastLogPosition;
        long bytes = logBytes.get();
        return byTime || bytes > 0 && position - lastLogPosition >= bytes;
    }

    void began(long nowNs) {
        beganNs = nowNs;
    }

    void failed(long nowNs) {
        notBeforeNs = nowNs + PAUSE_AFTER_FAILURE_NS;
    }

    /** A snapshot is complete, with this log position. */
    void succeeded(long position) {
        lastLogPosition = position;
    }
}
