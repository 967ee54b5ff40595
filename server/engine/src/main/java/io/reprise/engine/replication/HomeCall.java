package io.reprise.engine.replication;

import io.reprise.cluster.transaction.PartitionTransactions;

/** A transaction of the engine over all partitions of a cluster, which a partition of this node coordinates. */
public interface HomeCall {
    /** The partition that coordinates it. */
    int home();

    /** Begins it, on the home's thread. */
    void begin(PartitionTransactions at, long nowNs);
}
