package io.reprise.archive;

import java.util.function.Supplier;

/**
 * Settings of an archive.
 *
 * @param place opens the archive; asked again after a failure
 * @param everyNs the log is copied at least so often, and when a segment is full
 * @param snapshotEveryMicros a snapshot is copied when the newest archived one is so old
 * @param keepMicros any moment of this past can be restored; older log and snapshots are removed
 * @param snapshotBytesPerSecond the pace at which snapshots are copied
 * @param restores whether a directory that has lost its log goes on where the archive ends
 */
public record ArchiveSettings(
        Supplier<ObjectStore> place,
        long everyNs,
        long snapshotEveryMicros,
        long keepMicros,
        long snapshotBytesPerSecond,
        boolean restores) {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long HOUR_MICROS = 3_600_000_000L;
    private static final long WEEK_MICROS = 7 * 24 * HOUR_MICROS;
    private static final long PACE = 64L << 20;

    /** Each minute, a snapshot each hour, for a week. */
    public static ArchiveSettings usual(Supplier<ObjectStore> place) {
        return new ArchiveSettings(place, 60 * SECOND_NS, HOUR_MICROS, WEEK_MICROS, PACE, false);
    }

    /** The same with other times. */
    public ArchiveSettings withTimes(long newEveryNs, long newSnapshotEveryMicros, long newKeepMicros) {
        return new ArchiveSettings(
                place, newEveryNs, newSnapshotEveryMicros, newKeepMicros, snapshotBytesPerSecond, restores);
    }

    /** The same with a choice of what a directory without log does. */
    public ArchiveSettings restoring(boolean value) {
        return new ArchiveSettings(place, everyNs, snapshotEveryMicros, keepMicros, snapshotBytesPerSecond, value);
    }
}
