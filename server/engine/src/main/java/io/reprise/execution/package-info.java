/**
 * Running transactions: {@link io.reprise.execution.PartitionExecutor} takes executions in timestamp order from
 * {@link io.reprise.execution.TransactionQueue} and runs their {@link io.reprise.execution.Work} against a
 * {@link io.reprise.execution.Partition}.
 *
 * <p>Threads: an executor and its partition belong to one site's thread; while a partition is lent to a multi-partition
 * transaction it belongs to the thread that runs that. An {@link io.reprise.execution.Execution} belongs to its
 * holder and moves by queue: client, initiator, executor, client.
 *
 * <p>Invariants: a partition runs transactions one after the other in the order of their ids; a transaction either
 * commits at all its participants or leaves no trace; whatever a procedure does, the partition goes on with the next.
 * Nothing in steady state allocates. Read {@code PartitionExecutor} first.
 */
package io.reprise.execution;
