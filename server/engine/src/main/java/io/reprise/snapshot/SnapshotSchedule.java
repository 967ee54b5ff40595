package io.reprise.snapshot;

import java.util.function.LongSupplier;

/** The schedule of snapshots: by time, if anything was logged since the last one, or by the log's length. */
final class SnapshotSchedule {
    /** The pause between a failure and the next attempt. */
    private static final long PAUSE_AFTER_FAILURE_NS = 10_000_000_000L;

    private final SnapshotSettings settings;
    private final LongSupplier logPosition;
    private long lastLogPosition;
    private long dueNs;
    private long notBeforeNs;

    /**
     * A schedule that continues after a restart.
     *
     * @param newestLogPosition the log position of the newest snapshot, or 0
     */
    SnapshotSchedule(SnapshotSettings settings, LongSupplier logPosition, long newestLogPosition, long nowNs) {
        this.settings = settings;
        this.logPosition = logPosition;
        lastLogPosition = newestLogPosition;
        notBeforeNs = nowNs;
        began(nowNs);
    }

    boolean isDue(long nowNs) {
        if (nowNs - notBeforeNs < 0) {
            return false;
        }
        long position = logPosition.getAsLong();
        boolean byTime = settings.intervalMs() > 0 && nowNs - dueNs >= 0 && position != lastLogPosition;
        return byTime || settings.logBytes() > 0 && position - lastLogPosition >= settings.logBytes();
    }

    void began(long nowNs) {
        dueNs = nowNs + settings.intervalMs() * 1_000_000;
    }

    void failed(long nowNs) {
        notBeforeNs = nowNs + PAUSE_AFTER_FAILURE_NS;
    }

    /** A snapshot is complete, with this log position. */
    void succeeded(long position) {
        lastLogPosition = position;
    }
}
