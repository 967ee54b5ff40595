package io.reprise.engine;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.snapshot.SnapshotSettings;

/**
 * How the data of an engine with a directory survive it.
 *
 * @param method what is logged of each transaction
 * @param differential physiological logging: only the changed columns of an updated row rather than all of them
 * @param log how the log is written
 * @param waitingReplies how many replies of one site may wait for the log; more transactions are not begun
 * @param snapshots when and how snapshots are made
 * @param keepLog whether segments of the log are kept that no snapshot needs any more
 * @param stateHash whether an engine that is closed logs a hash of all that it holds, and one that is opened there compares.
 *     Both read all rows once, each partition its own
 */
public record Durability(
        LoggingMethod method,
        boolean differential,
        LogSettings log,
        int waitingReplies,
        SnapshotSettings snapshots,
        boolean keepLog,
        boolean stateHash) {
    private static final int WAITING_REPLIES = 1 << 16;

    /** Command logging, synchronous: what is answered is on disk; a snapshot every three minutes. */
    public static Durability standard() {
        return new Durability(
                LoggingMethod.COMMAND,
                true,
                LogSettings.DEFAULTS,
                WAITING_REPLIES,
                SnapshotSettings.usual(),
                false,
                true);
    }

    /** The same with another method. */
    public Durability with(LoggingMethod newMethod) {
        return new Durability(newMethod, differential, log, waitingReplies, snapshots, keepLog, stateHash);
    }

    /** The same with or without differential records. */
    public Durability withDifferential(boolean newDifferential) {
        return new Durability(method, newDifferential, log, waitingReplies, snapshots, keepLog, stateHash);
    }

    /** The same with a log that is written otherwise. */
    public Durability with(LogSettings newLog) {
        return new Durability(method, differential, newLog, waitingReplies, snapshots, keepLog, stateHash);
    }

    /** The same with other snapshots. */
    public Durability with(SnapshotSettings newSnapshots) {
        return new Durability(method, differential, log, waitingReplies, newSnapshots, keepLog, stateHash);
    }

    /** The same with a log of which nothing is removed, or of which what no snapshot needs is. */
    public Durability withKeptLog(boolean newKeepLog) {
        return new Durability(method, differential, log, waitingReplies, snapshots, newKeepLog, stateHash);
    }

    /** The same with or without a hash of the state at a clean close. */
    public Durability withStateHash(boolean newStateHash) {
        return new Durability(method, differential, log, waitingReplies, snapshots, keepLog, newStateHash);
    }
}
