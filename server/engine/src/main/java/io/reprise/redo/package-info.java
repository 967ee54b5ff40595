/**
 * Redo of data records, in two halves that two threads can share. {@link io.reprise.redo.DataDecoder} unpacks payloads into {@link
 * io.reprise.redo.RedoBatch}es, new rows mostly into the {@linkplain io.reprise.redo.Placement places} where they stay. {@link
 * io.reprise.redo.DataRedo} applies the batches. Read {@code RedoBatch} first.
 *
 * <p>Threads: a decoder is confined to the thread that reads the log; {@code DataRedo} belongs to the thread that holds the partition,
 * which may be the same.
 *
 * <p>Invariants: records are applied in log order, each once, to the buckets that the partition owns. The partition's write observer is
 * told of every change; while there is one, no row is written ahead. A record that does not fit the rows is a {@link
 * io.reprise.redo.DivergedReplayException}, after which the partition must not be used.
 */
package io.reprise.redo;
