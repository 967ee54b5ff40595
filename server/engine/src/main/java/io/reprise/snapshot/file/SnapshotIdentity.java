package io.reprise.snapshot.file;

import io.reprise.id.DatabaseId;

/**
 * The common part of all files of a snapshot, so that a file that belongs elsewhere is noticed.
 *
 * @param database whose snapshot
 * @param transactionId the transaction at whose moment the snapshot shows all partitions
 */
public record SnapshotIdentity(DatabaseId database, long transactionId) {}
