package io.reprise.node;

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
 */
public record Durability(
        LoggingMethod method, boolean differential, LogSettings log, int waitingReplies, SnapshotSettings snapshots) {
    private static final int WAITING_REPLIES = 1 << 16;

    /** Command logging, synchronous: what is answered is on disk; a snapshot every three minutes. */
    public static Durability standard() {
        return new Durability(
                LoggingMethod.COMMAND, true, LogSettings.DEFAULTS, WAITING_REPLIES, SnapshotSettings.usual());
    }

    /** The same with another method. */
    public Durability with(LoggingMethod newMethod) {
        return new Durability(newMethod, differential, log, waitingReplies, snapshots);
    }

    /** The same with or without differential records. */
    public Durability withDifferential(boolean newDifferential) {
        return new Durability(method, newDifferential, log, waitingReplies, snapshots);
    }

    /** The same with a log that is written otherwise. */
    public Durability with(LogSettings newLog) {
        return new Durability(method, differential, newLog, waitingReplies, snapshots);
    }

    /** The same with other snapshots. */
    public Durability with(SnapshotSettings newSnapshots) {
        return new Durability(method, differential, log, waitingReplies, newSnapshots);
    }
}
