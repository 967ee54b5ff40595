package io.reprise.engine;

import io.reprise.recovery.run.LogRun;
import java.util.List;

/**
 * The work that a recovery had until the engine opened, and the log behind its snapshot.
 *
 * @param onDemand whether rows are loaded while the engine serves
 * @param work until it opened
 * @param tookNs the time of that
 * @param commands of the log behind the snapshot, those included whose images runs have
 * @param dataRecords of the log behind the snapshot
 * @param runs of the sorted log that were taken
 */
record OpeningWork(
        boolean onDemand, RecoveryWork work, long tookNs, long commands, long dataRecords, List<LogRun> runs) {
    /** Nothing was there to be recovered. */
    static final OpeningWork NOTHING = new OpeningWork(false, new RecoveryWork(0, 0, 0, 0, 0), 0, 0, 0, List.of());
}
