package io.reprise.engine;

import io.reprise.cluster.replica.Rule;
import io.reprise.cluster.transaction.TransactionRule;
import io.reprise.engine.replication.StreamRule;
import java.util.Set;

/**
 * The rules that an engine does not keep, so that a simulation can show that it notices.
 *
 * @param replicas of one partition
 * @param transactions of transactions over partitions
 * @param streams of batches, moves and outcomes
 */
public record BrokenRules(Set<Rule> replicas, Set<TransactionRule> transactions, Set<StreamRule> streams) {
    /** Production breaks no rule. */
    public static final BrokenRules NONE = new BrokenRules(Set.of(), Set.of(), Set.of());

    public BrokenRules {
        replicas = Set.copyOf(replicas);
        transactions = Set.copyOf(transactions);
        streams = Set.copyOf(streams);
    }
}
