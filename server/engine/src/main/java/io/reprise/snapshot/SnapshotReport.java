package io.reprise.snapshot;

import io.reprise.snapshot.file.SnapshotDirectory;

/**
 * What became of a snapshot.
 *
 * @param succeeded whether it can be recovered from
 * @param transactionId whose moment it shows; 0 if it never began
 * @param logPosition where the log goes on from it
 * @param rows how many rows it has
 * @param rowsSaved how many of them changed before the sweep came by
 * @param imageBytes how many bytes the rows have
 * @param fileBytes how many bytes its data files have
 * @param tookNs from the request for its transaction to its name being on stable storage
 * @param oldestLogPosition the log is needed from here on for the snapshots that are kept; 0 where that is not known
 * @param problem why it did not succeed, or what else went wrong; empty if nothing
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
