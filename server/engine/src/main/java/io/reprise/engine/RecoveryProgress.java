package io.reprise.engine;

import java.time.Duration;

/**
 * The progress of a recovery.
 *
 * @param phase the present phase
 * @param fraction the finished part of the phase, from 0 to 1
 * @param perSecond rows loaded, or transactions replayed, in a second of this phase
 * @param expected the time that this phase will still take, if it goes on like this
 */
public record RecoveryProgress(Phase phase, double fraction, double perSecond, Duration expected) {
    /** The phases of a recovery, in their order. */
    public enum Phase {
        /** The rows of a snapshot are loaded and indexed. */
        LOADING,
        /** The log behind the snapshot is run again. */
        REPLAYING,
        /** Everything is there. */
        DONE
    }
}
