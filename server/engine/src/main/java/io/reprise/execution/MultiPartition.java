package io.reprise.execution;

/** Runs transactions that have other participants beside the executor's own partition. */
public interface MultiPartition {
    /** The state of a partition that has reached such a transaction. */
    enum Arrival {
        /** It may go on with the next transaction. */
        DONE,
        /** It is lent until the execution's rendezvous is over. */
        LENT,
        /** It is to {@linkplain #run run} the transaction when the execution's rendezvous is complete. */
        AWAITS
    }

    /** The partition has reached the transaction at its place in the order. */
    Arrival arrive(Partition partition, Execution execution);

    /** All have arrived: runs the transaction that this partition waits with. */
    void run(Partition partition, Execution execution);
}
