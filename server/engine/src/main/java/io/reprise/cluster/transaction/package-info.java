/**
 * Transactions over partitions that several nodes lead, rules T1 to T15 of the cluster protocol: the leader of the home
 * partition coordinates, the leaders of the participants run parts at one id and hold them until the decision.
 *
 * <p>{@link io.reprise.cluster.transaction.TransactionSite} steps the leading partitions of a site behind their
 * replicas; it owns everything here. A {@link io.reprise.cluster.transaction.Leading} is one leadership: the {@link
 * io.reprise.cluster.transaction.Executor} is the participant, the {@link io.reprise.cluster.transaction.Coordinator}
 * the home, {@link io.reprise.cluster.transaction.Telling} decides when something may be told, {@link
 * io.reprise.cluster.transaction.Enquiry} asks about transactions whose coordinator is gone, {@link
 * io.reprise.cluster.transaction.Comparison} opens a partition that may have lost records. {@link
 * io.reprise.cluster.transaction.TransactionState} is what records make, on every replica.
 *
 * <p>An engine implements {@link io.reprise.cluster.transaction.PartitionStore}: its executor lends the partition for as
 * long as a part is held, {@code begin}, {@code savepoint} and {@code undo} are those of its undo log, effects are the
 * DATA record that its collector makes, {@code apply} is the redo of such a record. A procedure of several rounds sends
 * statements with parameters as work and gets rows; it waits in a fiber.
 *
 * <p>Invariants: ids ascend in each log; at most one part is open; a commit meets the part of its run; a cut never reaches
 * what was told. Start with {@code Leading}.
 */
package io.reprise.cluster.transaction;
