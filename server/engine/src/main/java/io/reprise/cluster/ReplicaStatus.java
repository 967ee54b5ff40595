package io.reprise.cluster;

/**
 * The state of one replica.
 *
 * @param partition the partition's id
 * @param role the part that the replica plays in its epoch
 * @param serves whether it leads and admits transactions
 * @param epoch the epoch that it has entered
 * @param lastIndex the index of the last record of its stream
 */
public record ReplicaStatus(int partition, String role, boolean serves, long epoch, long lastIndex) {}
