/**
 * The content of DATA records: after-images of what a transaction changed. There are no before-images, because a partition runs one
 * transaction at a time and logs nothing of an unfinished one. Read {@link io.reprise.record.data.DataFormat} first; it draws the bytes
 * ({@code docs/formats/data-records.md}).
 *
 * <p>{@link io.reprise.record.data.DataCollector} makes a payload of a transaction's writes before the commit: most of them in
 * {@link io.reprise.record.data.OnePass one pass}, the others {@linkplain io.reprise.record.data.SortedPass sorted}, with the same bytes.
 * A transaction over several partitions has one record, with the payloads of all its partitions one behind the other. Its coordinator
 * collects from each store, replicated tables from the first only, then writes the record, then has the stores commit.
 *
 * <p>Threads: the one that holds the partition.
 *
 * <p>Invariant: the same transaction gives the same bytes wherever it runs.
 */
package io.reprise.record.data;
