package io.reprise.cluster.transaction;

/** The way from a partition's leader to the leaders of others. */
interface Network {
    /** The number of partitions. */
    int partitions();

    /** A partition's term in the newest map that this node knows. */
    long term(int partition);

    /** Sends a message to a partition's leader of a term, which may be on this node. It may be lost. */
    void send(Leading from, int to, long toTerm, TransactionMessage message);
}
