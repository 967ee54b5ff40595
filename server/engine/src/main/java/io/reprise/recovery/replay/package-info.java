/**
 * Running a log again: {@link io.reprise.recovery.replay.Replay} reads it and hands its records to the executors of the
 * partitions, each by a {@link io.reprise.recovery.replay.ReplayLane}. Read {@code Replay} first.
 *
 * <p>Threads: the replaying thread reads and sends. Data records are decoded by it or, a {@link
 * io.reprise.recovery.replay.Stretch} each in turns, by {@link io.reprise.recovery.replay.StretchDecoder}s, into {@link
 * io.reprise.recovery.replay.DataRun}s. Executors run.
 *
 * <p>Invariants: each partition gets its records in the
 * order of the log; what a command writes is compared with what the log has of it; after a difference nothing is served.
 */
package io.reprise.recovery.replay;
