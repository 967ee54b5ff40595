/**
 * Tables of one partition: rows off-heap, indexes, undo. {@link io.reprise.storage.PartitionStore} is the whole,
 * {@link io.reprise.storage.TableStore} a table. Defines the observers that logs, footprints and snapshots implement and
 * knows none of them. Everything is owned by one thread at a time.
 */
package io.reprise.storage;
