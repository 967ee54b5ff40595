package io.reprise.cluster.transaction;

import java.util.EnumSet;
import java.util.Set;

/**
 * Patience and sizes of transactions over partitions.
 *
 * @param repeatNs the silence after which a message is sent again
 * @param patienceNs the time after which a coordinator gives up a transaction that is not decided, and a participant asks
 * @param markNs the shortest time between two marks of what is stable
 * @param broken the rules that a simulation breaks; empty in production
 */
public record TransactionSettings(long repeatNs, long patienceNs, long markNs, Set<TransactionRule> broken) {
    public TransactionSettings {
        broken = broken.isEmpty() ? Set.of() : EnumSet.copyOf(broken);
    }

    boolean holds(TransactionRule rule) {
        return !broken.contains(rule);
    }
}
