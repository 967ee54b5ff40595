/**
 * The replicas of an engine: the rules of {@link io.reprise.cluster.replica} over the node's log and the partitions' rows.
 *
 * <p>A leader's stream is the records that its gate leaves in the partition's log. A follower applies the same records with
 * their old ids and leaves them in its own log. All of it runs on the partition's site thread; {@link
 * io.reprise.cluster.replica.ClusterAgent} exchanges messages with other nodes on its own.
 *
 * <p>Invariants: the stream's indexes count the records of a partition's log that are commands, data or epochs, without
 * gaps; a record is in the log before it is acknowledged; ids ascend in a stream, over epochs too. Start with {@link
 * io.reprise.engine.replication.PartitionReplica}.
 */
package io.reprise.engine.replication;
