package io.reprise.snapshot;

import io.reprise.snapshot.file.SnapshotDirectory;

/**
 * The result of a snapshot.
 *
 * @param succeeded whether it can be recovered from
 * @param transactionId whose moment it shows; 0 if it never began
 * @param logPosition the log goes on from here
 * @param rows number of its rows
 * @param rowsSaved number of rows that changed before the sweep came by
 * @param imageBytes bytes of the rows
 * @param fileBytes bytes of its data files
 * @param tookNs from the request for its transaction to its name being on stable storage
 * @param oldestLogPosition the log is needed from here on for the snapshots that are kept; 0 if that is not known
 * @param problem the reason of the failure, or another problem; empty if nothing
 */
public record SnapshotReport(
        boolean succeeded,
        long transactionId,
        long logPosition,
        long rows,
        long rowsSaved,
        long imageBytes,
        long fileBytes,
        long tookNs,
        long oldestLogPosition,
        String problem) {

    /** Its name, by which the commands know it. */
    public String name() {
        return SnapshotDirectory.name(transactionId);
    }
}
