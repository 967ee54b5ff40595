package io.reprise.snapshot;

/**
 * The activity of the maker of snapshots.
 *
 * @param phase its present phase
 * @param transactionId the snapshot that is being made; 0 if none is
 * @param rows number of rows it has got so far
 * @param rowsExpected number of rows it will have
 * @param fileBytes bytes written so far
 * @param bytesPerSecond the mean rate
 * @param completed number of snapshots that succeeded since the start
 * @param failed number of those that did not
 * @param lastProblem the last failure; empty if there was none
 */
public record SnapshotStats(
        Phase phase,
        long transactionId,
        long rows,
        long rowsExpected,
        long fileBytes,
        long bytesPerSecond,
        long completed,
        long failed,
        String lastProblem) {
    /** A phase of the maker of snapshots. */
    public enum Phase {
        /** Nothing. */
        IDLE,
        /** Waiting for the transaction at whose moment the snapshot is. */
        BEGINNING,
        /** Merging an older snapshot with the log behind it. */
        MERGING,
        /** Writing rows. */
        SWEEPING,
        /** Waiting for the log to be durable up to the snapshot's moment. */
        PUBLISHING,
        /** Waiting for the partitions to be ready for another one, after a failure. */
        GIVING_UP
    }
}
