package io.reprise.cluster.replica;

import java.util.EnumSet;
import java.util.Set;

/**
 * The acknowledgement and the patience of a replica.
 *
 * @param forced whether a write is stable when all in-sync replicas have forced it, not only received it
 * @param heartbeatNs the longest silence of a leader towards a follower
 * @param failureNs the silence after which a peer is suspected
 * @param batchRecords the most records in a batch
 * @param sliceBytes the most bytes of a message with a part of an image
 * @param broken the rules that a simulation breaks; empty in production
 */
public record ReplicaSettings(
        boolean forced, long heartbeatNs, long failureNs, int batchRecords, int sliceBytes, Set<Rule> broken) {
    public ReplicaSettings {
        broken = broken.isEmpty() ? Set.of() : EnumSet.copyOf(broken);
    }

    boolean holds(Rule rule) {
        return !broken.contains(rule);
    }
}
