/**
 * Tables of one partition: rows off-heap, indexes, undo. {@link io.reprise.storage.PartitionStore} is the whole,
 * {@link io.reprise.storage.TableRows} a table's content, {@link io.reprise.storage.TableStore} its writes; read them in this
 * order, then {@link io.reprise.storage.row.RowLayout} and {@link io.reprise.storage.index.KeyLayout}. {@code Settlement} and
 * {@code TableUndo} settle a transaction's writes. {@link io.reprise.storage.PartitionTables} changes the set of tables.
 * The package defines the observer that snapshots implement, and knows no snapshot. Compiled
 * statements read rows by their addresses, so they tell reads to the footprint by a {@link io.reprise.storage.RowTeller}.
 *
 * <p>Everything is owned by one thread at a time. Only while rows are loaded, a second one may build indexes ({@link
 * io.reprise.storage.IndexBuild}). {@link io.reprise.storage.PartitionStore#verify} checks all invariants:
 *
 * <ul>
 * <li>a live row is in each of its table's indexes exactly once;
 * <li>a place is live or free or awaits the end of the transaction;
 * <li>after a rollback everything is as if the transaction had never been, row ids included;
 * <li>bytes taken of the memory limit are counted once.
 * </ul>
 *
 * <p>Results that depend on addresses (the order of a scan, the moment at which the memory limit is reached) may differ
 * between copies of a partition; ids and hashes don't.
 */
package io.reprise.storage;
