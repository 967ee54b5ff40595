package io.reprise.engine;

import java.util.Optional;

/**
 * What an engine did when it was opened.
 *
 * @param snapshot the transaction id of the snapshot that was loaded; empty if there was none
 * @param damagedSnapshots how many newer ones were damaged and left out
 * @param rows how many rows were loaded from it
 * @param loadNs how long loading and indexing them took
 * @param logBytes how much log was replayed on top of it
 * @param transactions how many transactions were in that
 * @param replayNs how long replaying them took
 * @param stateCompared whether the log ended with a clean close, and the state was compared with what it was then
 * @param compareNs how long comparing took
 */
public record RecoveryReport(
        Optional<Long> snapshot,
        int damagedSnapshots,
        long rows,
        long loadNs,
        long logBytes,
        long transactions,
        long replayNs,
        boolean stateCompared,
        long compareNs) {
    /** Nothing was there to be recovered. */
    static final RecoveryReport NOTHING = new RecoveryReport(Optional.empty(), 0, 0, 0, 0, 0, 0, false, 0);

    /** How long the recovery took. */
    public long tookNs() {
        return loadNs + replayNs + compareNs;
    }
}
