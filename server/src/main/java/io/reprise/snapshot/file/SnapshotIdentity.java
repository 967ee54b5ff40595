package io.reprise.snapshot.file;

/**
 * What all files of a snapshot have in common, so that one that belongs elsewhere is noticed.
 *
 * @param databaseHigh the upper half of the random number that the database got when it was made
 * @param databaseLow the lower half
 * @param transactionId the transaction at whose moment the snapshot shows all partitions
 */
public record SnapshotIdentity(long databaseHigh, long databaseLow, long transactionId) {}
