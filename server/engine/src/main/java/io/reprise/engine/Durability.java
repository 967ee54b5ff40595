package io.reprise.engine;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.LogSettings;
import io.reprise.snapshot.SnapshotSettings;

/**
 * Settings by which the data of an engine with a directory survive it.
 *
 * @param method the logged form of each transaction
 * @param differential physiological logging: only the changed columns of an updated row rather than all of them
 * @param log settings of the log
 * @param waitingReplies number of replies of one site that may wait for the log; more transactions are not begun
 * @param snapshots settings of snapshots
 * @param keepLog whether segments of the log are kept that no snapshot needs any more
 * @param stateHash whether a closing engine logs a hash of its content, and an opening one compares. Both read all
 *     rows once, each partition its own
 * @param footprints whether the rows that each transaction read and wrote are logged behind it; with the adaptive method they always are
 * @param adaptive settings of the adaptive method
 */
public record Durability(
        LoggingMethod method,
        boolean differential,
        LogSettings log,
        int waitingReplies,
        SnapshotSettings snapshots,
        boolean keepLog,
        boolean stateHash,
        boolean footprints,
        AdaptiveSettings adaptive) {
    private static final int WAITING_REPLIES = 1 << 16;

    /** Command logging, synchronous: answered calls are on disk; a snapshot every three minutes. */
    public static Durability standard() {
        return new Durability(
                LoggingMethod.COMMAND,
                true,
                LogSettings.DEFAULTS,
                WAITING_REPLIES,
                SnapshotSettings.usual(),
                false,
                true,
                false,
                AdaptiveSettings.DEFAULTS);
    }

    /** The same with another method. */
    public Durability with(LoggingMethod newMethod) {
        return new Durability(
                newMethod, differential, log, waitingReplies, snapshots, keepLog, stateHash, footprints, adaptive);
    }

    /** The same with or without differential records. */
    public Durability withDifferential(boolean newDifferential) {
        return new Durability(
                method, newDifferential, log, waitingReplies, snapshots, keepLog, stateHash, footprints, adaptive);
    }

    /** The same with a log that is written otherwise. */
    public Durability with(LogSettings newLog) {
        return new Durability(
                method, differential, newLog, waitingReplies, snapshots, keepLog, stateHash, footprints, adaptive);
    }

    /** The same with other snapshots. */
    public Durability with(SnapshotSettings newSnapshots) {
        return new Durability(
                method, differential, log, waitingReplies, newSnapshots, keepLog, stateHash, footprints, adaptive);
    }

    /** The same with a log of which nothing is removed, or of which what no snapshot needs is. */
    public Durability withKeptLog(boolean newKeepLog) {
        return new Durability(
                method, differential, log, waitingReplies, snapshots, newKeepLog, stateHash, footprints, adaptive);
    }

    /** The same with or without a hash of the state at a clean close. */
    public Durability withStateHash(boolean newStateHash) {
        return new Durability(
                method, differential, log, waitingReplies, snapshots, keepLog, newStateHash, footprints, adaptive);
    }

    /** The same with or without footprints. */
    public Durability withFootprints(boolean newFootprints) {
        return new Durability(
                method, differential, log, waitingReplies, snapshots, keepLog, stateHash, newFootprints, adaptive);
    }

    /** The same with other settings of the adaptive method. */
    public Durability with(AdaptiveSettings newAdaptive) {
        return new Durability(
                method, differential, log, waitingReplies, snapshots, keepLog, stateHash, footprints, newAdaptive);
    }
}
