/**
 * Tables of one partition: rows off-heap, indexes, undo. {@link io.reprise.storage.PartitionStore} is the whole,
 * {@link io.reprise.storage.TableRows} what a table has, {@link io.reprise.storage.TableStore} how it is written; read them in
 * this order, then {@link io.reprise.storage.row.RowLayout} and {@link io.reprise.storage.index.KeyLayout}. What a
 * transaction did is settled by {@code Settlement} and {@code TableUndo}; what tables there are is changed by {@link
 * io.reprise.storage.PartitionTables}. Defines the observers that logs, footprints and snapshots implement and
 * knows none of them. Who reads rows (compiled statements) reads them by their addresses, so a footprint of reads is
 * taken there and not here.
 *
 * <p>Everything is owned by one thread at a time, but that indexes may be built by a second one while rows are loaded ({@link
 * io.reprise.storage.IndexBuild}). Invariants, all of them checked by
 * {@link io.reprise.storage.PartitionStore#verify}: a live row is in each of its table's indexes exactly once; a place is
 * live or free or awaits the end of the transaction; after a rollback everything is as if the transaction had never been,
 * row ids included; what is taken of the memory limit is counted once. What depends on addresses (the order of a scan, the
 * moment at which the memory limit is reached) may differ between copies of a partition; ids and hashes don't.
 */
package io.reprise.storage;
