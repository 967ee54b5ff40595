package io.reprise.recovery.rebuild;

/**
 * The work of a rebuild.
 *
 * @param partition the partition
 * @param buckets its buckets
 * @param transactions transactions of the log behind the snapshot
 * @param commands commands that ran again; a command that several batches of buckets needed counts for each
 * @param dataRecords data records that were stored again
 * @param rows rows of the snapshot that were loaded
 * @param foreignRows those of other partitions
 * @param batches the number of groups of buckets that were rebuilt one after the other
 * @param fencedNs the time until the fence stood and the log was durable up to it
 * @param closureNs the time to find what must run again
 * @param firstBucketNs the time until the first bucket served
 * @param allNs the time until all buckets served
 */
public record RebuildReport(
        int partition,
        int buckets,
        long transactions,
        long commands,
        long dataRecords,
        long rows,
        long foreignRows,
        int batches,
        long fencedNs,
        long closureNs,
        long firstBucketNs,
        long allNs) {}
