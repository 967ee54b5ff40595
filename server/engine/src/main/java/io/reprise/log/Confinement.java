package io.reprise.log;

/** The part of the database that a record's transaction was confined to when it ran. */
public enum Confinement {
    /** The buckets that the record lists, and reads of replicated tables. */
    BUCKETS,
    /** One partition, as partitions were numbered when the record was written. */
    PARTITION,
    /** Several partitions, or replicated tables. */
    PARTITIONS
}
