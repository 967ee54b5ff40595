package io.reprise.engine;

import java.util.Optional;

/**
 * The report of an engine's opening.
 *
 * @param snapshot the transaction id of the snapshot that was loaded; empty if there was none
 * @param damagedSnapshots number of newer ones that were damaged and left out
 * @param rows number of rows loaded from it
 * @param loadNs time of loading and indexing them
 * @param logBytes bytes of log replayed on top of it
 * @param transactions number of transactions in that
 * @param commands number of commands among them
 * @param criticalPath number of commands of the longest chain in which each shares a bucket with the one before
 * @param replayNs time of replaying them
 * @param stateCompared whether the log ended with a clean close, and the state was compared with the one of then
 * @param compareNs time of comparing
 */
public record RecoveryReport(
        Optional<Long> snapshot,
        int damagedSnapshots,
        long rows,
        long loadNs,
        long logBytes,
        long transactions,
        long commands,
        long criticalPath,
        long replayNs,
        boolean stateCompared,
        long compareNs) {
    /** Nothing was there to be recovered. */
    static final RecoveryReport NOTHING = new RecoveryReport(Optional.empty(), 0, 0, 0, 0, 0, 0, 0, 0, false, 0);

    /** The time of the recovery. */
    public long tookNs() {
        return loadNs + replayNs + compareNs;
    }
}
