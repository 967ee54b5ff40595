package io.reprise.archive;

import java.util.Optional;

/**
 * Status of an archive.
 *
 * @param place the archive
 * @param position the log before this position is archived
 * @param durable the log was durable up to here
 * @param positionMicros the time of the last copied log, microseconds since 1970; 0 if none was copied yet
 * @param pieces number of pieces of log copied since the start
 * @param bytes bytes copied since the start, snapshots included
 * @param snapshots number of snapshots copied since the start
 * @param snapshot the newest archived snapshot; 0 if there is none
 * @param removed number of objects removed since the start, because they were older than the retention
 * @param failures number of failures since the start
 * @param problem the reason why nothing is archived now; empty if all is well
 */
public record ArchiveStats(
        String place,
        long position,
        long durable,
        long positionMicros,
        long pieces,
        long bytes,
        long snapshots,
        long snapshot,
        long removed,
        long failures,
        Optional<String> problem) {
    /** Bytes of durable log that are not archived yet. */
    public long lagBytes() {
        return Math.max(0, durable - position);
    }
}
