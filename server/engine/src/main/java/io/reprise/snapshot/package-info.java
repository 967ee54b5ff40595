/**
 * Snapshots: all rows of all partitions as they were at one moment, made while transactions run on. Start with {@link
 * io.reprise.snapshot.PartitionSweep}, where the moment is kept, then {@link io.reprise.snapshot.SnapshotAgent}, which
 * makes one, then {@code snapshot.file}.
 *
 * <p>A {@link io.reprise.snapshot.PartitionSweep} belongs to the holder of the partition, the {@link
 * io.reprise.snapshot.SnapshotAgent} to a thread of its own; they meet at two rings, one in which rows come and one in which
 * the memory they were in goes back. Invariants: a snapshot has each row that was live at its moment exactly once and as it
 * was then; while none is under way, no row has a snapshot bit, and a write costs one comparison with null; a snapshot
 * that fails leaves older ones and the engine as they are.
 *
 * <p>Knows nothing of transactions, logs and threads: the node runs the transaction that is the moment ({@link
 * io.reprise.snapshot.SnapshotStarter}), calls the sweeps between transactions, and loads what is recovered.
 */
package io.reprise.snapshot;
