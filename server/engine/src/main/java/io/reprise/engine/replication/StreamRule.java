package io.reprise.engine.replication;

/** The rules of batches, moves of buckets and outcomes. Production keeps all; a simulation breaks one and has to notice. */
public enum StreamRule {
    /** A call of one partition runs only if the partition has its buckets at this place of the stream. */
    RUN_WHERE_BUCKETS_ARE,
    /** A call over partitions opens only at partitions that have its buckets. */
    OPEN_WHERE_BUCKETS_ARE,
    /** The outcomes of numbered calls go with the buckets. */
    MOVE_OUTCOMES,
    /** A call of a batch waits for an earlier one that has one of its buckets. */
    BATCH_IN_ORDER,
    /** The outcome of a numbered call over partitions is remembered. */
    REMEMBER_OUTCOMES
}
