/**
 * Snapshots on disk: written, found, verified, read; {@code docs/reference/formats/snapshot.md} draws the bytes.
 * Start with {@link io.reprise.snapshot.file.SnapshotDirectory} for the life of a snapshot, then {@link
 * io.reprise.snapshot.file.SnapshotWriter} and {@link io.reprise.snapshot.file.BlockReader}, and {@link
 * io.reprise.snapshot.file.SnapshotLoader} for the three stages of loading.
 *
 * <p>Each object is one thread's. Files are not trusted: each block is checked before it is used, and damage is a
 * {@link io.reprise.snapshot.file.DamagedSnapshotException} that names file and byte.
 */
package io.reprise.snapshot.file;
