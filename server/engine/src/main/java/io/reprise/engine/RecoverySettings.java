package io.reprise.engine;

import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.ReplaySettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Recovery of an engine.
 *
 * @param replay settings of the log's replay
 * @param onDemand whether the engine opens before its rows are loaded. Calls wait for their buckets; these are loaded first, the others
 *     behind them.
 * @param choices for transactions of the log that can't be run as they were
 * @param cut up to which a share of a cluster's backup is replayed; null in all other cases
 * @param closeMs the longest time that finished or failed threads of a recovery may take to end
 * @param objective the longest time that a recovery should take
 * @param listener is told of the recovery's progress
 */
record RecoverySettings(
        ReplaySettings replay,
        boolean onDemand,
        List<RecoveryChoice> choices,
        RecoveryCut cut,
        long closeMs,
        Optional<RecoveryObjective> objective,
        Consumer<RecoveryProgress> listener) {
    RecoverySettings {
        choices = List.copyOf(choices);
    }
}
