package io.reprise.snapshot.file;

import io.reprise.id.DatabaseId;

/**
 * What all files of a snapshot have in common, so that one that belongs elsewhere is noticed.
 *
 * @param database whose snapshot
 * @param transactionId the transaction at whose moment the snapshot shows all partitions
 */
public record SnapshotIdentity(DatabaseId database, long transactionId) {}
