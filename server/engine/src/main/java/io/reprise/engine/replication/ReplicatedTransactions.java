package io.reprise.engine.replication;

import io.reprise.cluster.transaction.TransactionSettings;
import io.reprise.runtime.time.Clock;
import java.util.Set;

/**
 * The settings of transactions over nodes.
 *
 * @param clock for ids
 * @param differential whether a data record has only the changed columns of a changed row
 * @param mostRecordBytes the most bytes of a record of the log
 * @param broken the rules of streams that a simulation breaks
 */
public record ReplicatedTransactions(
        TransactionSettings settings, Clock clock, boolean differential, long mostRecordBytes, Set<StreamRule> broken) {
    /** Whether the rule is kept. */
    boolean holds(StreamRule rule) {
        return !broken.contains(rule);
    }
}
