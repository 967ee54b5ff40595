package io.reprise.recovery.demand;

import io.reprise.snapshot.file.BucketInserter;

/**
 * The parts that load rows into one partition.
 *
 * @param inserter inserts rows of the snapshot
 * @param applier applies records of the log
 */
record PartitionLoad(BucketInserter inserter, TailApplier applier) {}
