package io.reprise.cluster;

import java.util.List;

/**
 * The state of one replica. Immutable.
 *
 * @param partition the partition's id
 * @param role the part that the replica plays in its epoch
 * @param serves whether it leads and admits transactions
 * @param epoch the epoch that it has entered
 * @param lastIndex the index of the last record of its stream
 * @param cutOff whether it leads and can reach neither its followers nor the membership
 * @param leaderships the number of times that it took up the lead since the node's start
 * @param divergences the number of followers that it took out because their rows differed
 * @param followers the followers of a leader, by node
 */
public record ReplicaStatus(
        int partition,
        String role,
        boolean serves,
        long epoch,
        long lastIndex,
        boolean cutOff,
        long leaderships,
        long divergences,
        List<FollowerStatus> followers) {}
