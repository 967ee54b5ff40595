/**
 * The replication of one partition, rules P1 to P13 of the cluster protocol: a leader appends and streams, followers
 * acknowledge, the map decides who leads and who is in sync.
 *
 * <p>{@link io.reprise.cluster.replica.Replica} is the state machine, stepped by {@link
 * io.reprise.cluster.replica.ReplicaGroup}, which owns the replicas of a site. Nothing blocks, and time comes with
 * each step. Invariants: in-sync replicas are prefixes of one sequence; epochs ascend in each log; a leader waits for
 * each member of the newest map that it knows, and of each map that it may have caused.
 *
 * <p>{@link io.reprise.cluster.replica.Rule} names each rule, so that a simulation can break it and see what notices.
 * Start with {@code Replica}.
 */
package io.reprise.cluster.replica;
