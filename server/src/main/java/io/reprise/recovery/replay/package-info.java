/**
 * Running a log again: {@link io.reprise.recovery.replay.Replay} reads it and hands its records to the executors of the
 * partitions, each by a {@link io.reprise.recovery.replay.ReplayLane}. Read {@code Replay} first.
 *
 * <p>Threads: the replaying thread reads and sends, and decodes data records, whose new rows it writes where they stay; executors
 * run. Invariants: each partition gets its records in the
 * order of the log; what a command writes is compared with what the log has of it; after a difference nothing is served.
 */
package io.reprise.recovery.replay;
