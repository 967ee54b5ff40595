package io.reprise.snapshot;

/**
 * What the maker of snapshots is doing and has done.
 *
 * @param phase what it is doing
 * @param transactionId the snapshot that is being made; 0 if none is
 * @param rows how many rows it has got so far
 * @param rowsExpected how many it will have
 * @param fileBytes how many bytes it has written so far
 * @param bytesPerSecond how many of them in a second, on average
 * @param completed how many snapshots succeeded since the start
 * @param failed how many did not
 * @param lastProblem what went wrong last; empty if nothing did
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
    /** What the maker of snapshots is doing. */
    public enum Phase {
        /** Nothing. */
        IDLE,
        /** Waiting for the transaction at whose moment the snapshot is. */
        BEGINNING,
        /** Writing rows. */
        SWEEPING,
        /** Waiting for the log to be durable up to the snapshot's moment. */
        PUBLISHING,
        /** Waiting for the partitions to be ready for another one, after a failure. */
        GIVING_UP
    }
}
