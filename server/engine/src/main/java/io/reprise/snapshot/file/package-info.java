/**
 * Snapshots on disk: written, found, verified, read; {@code docs/reference/formats/snapshot.md} draws the bytes. Start with {@link
 * io.reprise.snapshot.file.SnapshotDirectory} for what exists when, then {@link io.reprise.snapshot.file.SnapshotWriter} and
 * {@link io.reprise.snapshot.file.BlockReader}, and {@link io.reprise.snapshot.file.SnapshotLoader} for the three stages of loading.
 *
 * <p>Each object is one thread's. What is read is not trusted: each block is checked before it is used, and what is wrong is
 * a {@link io.reprise.snapshot.file.DamagedSnapshotException} that names file and byte.
 */
package io.reprise.snapshot.file;
