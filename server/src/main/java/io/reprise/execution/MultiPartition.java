package io.reprise.execution;

/** What an executor does with a transaction that has other participants beside its own partition. */
public interface MultiPartition {
    /**
     * The partition has reached the transaction at its place in the order.
     *
     * @return true if the partition may go on with the next transaction; false if it is lent, until the invocation's
     *     rendezvous is over
     */
    boolean arrive(Partition partition, Invocation invocation);
}
