package io.reprise.cluster.transaction;

/** The form that a partition's log gives to records of transactions over partitions. */
@FunctionalInterface
public interface RecordForm {
    /** The payload of a replica's record, from which the replica's machine has the record again. */
    byte[] payload(TransactionRecord record, TransactionState state);
}
