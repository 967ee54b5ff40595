package io.reprise.engine.replication;

import io.reprise.catalog.Catalog;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.CommandSchema;

/** The tables and procedures of an engine, for the records of a stream, and their changes. Any thread. */
public interface StreamSchema extends CommandSchema {
    /** The tables. */
    Catalog catalog();

    /**
     * Tries a change of the schema at a partition that the caller owns, and takes it back. Throws a {@link
     * io.reprise.procedure.ProcedureException} if the change is refused.
     */
    void check(Partition partition, byte[] change, long transactionId);

    /** A change is committed in a stream: the node has to carry it out. */
    void committed(byte[] change, long transactionId);

    /** Whether a change waits for the node's partitions. */
    boolean isChangeDue();

    /** The last change that the node has carried out, as a transaction of the cluster; 0 if there is none. */
    long changed();

    /** All of the schema, for a node that has another one. */
    byte[] whole();

    /** A hash of tables, procedures and classes. */
    long hash();

    /** Takes a whole schema of the same or a later change, if none of the node's replicas is in sync. */
    void take(byte[] whole, long transactionId);
}
