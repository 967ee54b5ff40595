package io.reprise.recovery.demand;

/**
 * The work and the time of one bucket's loading, with the buckets that it depends on.
 *
 * @param rows of the snapshot
 * @param commands run again
 * @param dataRecords applied, or parts of them
 * @param runs of the sorted log that were read
 * @param tookNs from its turn to its last record
 */
public record LoadSample(long rows, long commands, long dataRecords, int runs, long tookNs) {}
