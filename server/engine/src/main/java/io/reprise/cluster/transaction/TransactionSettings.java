package io.reprise.cluster.transaction;

import java.util.EnumSet;
import java.util.Set;

/**
 * Patience and sizes of transactions over partitions.
 *
 * @param repeatNs the silence after which a message is sent again
 * @param patienceNs the time after which a coordinator gives up a transaction that is not decided, and a participant asks
 * @param markNs the shortest time between two marks of what is stable
 * @param promiseMicros so far ahead of its clock a leader promises ids to reads
 * @param batchMembers the most one-shot writes in a batch
 * @param forcedVotes whether a participant votes when all in-sync replicas have forced its part, so that no replica can lose
 *     it: partitions need not compare after failures, and nothing is ever cut
 * @param broken the rules that a simulation breaks; empty in production
 */
public record TransactionSettings(
        long repeatNs,
        long patienceNs,
        long markNs,
        long promiseMicros,
        int batchMembers,
        boolean forcedVotes,
        Set<TransactionRule> broken) {
    public TransactionSettings {
        broken = broken.isEmpty() ? Set.of() : EnumSet.copyOf(broken);
    }

    boolean holds(TransactionRule rule) {
        return !broken.contains(rule);
    }
}
