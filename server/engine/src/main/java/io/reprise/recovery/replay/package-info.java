/**
 * Replay of a log in four stages. Read {@link io.reprise.recovery.replay.Replay} first.
 *
 * <ol>
 *   <li>Read: {@link io.reprise.log.FrameSource}, a log's files or a stream.
 *   <li>Analyse: {@link io.reprise.recovery.replay.RecordAnalysis}, the partitions of a record.
 *   <li>Schedule: {@link io.reprise.recovery.replay.Schedule}; {@link io.reprise.recovery.replay.LogOrder} keeps log order by lane and
 *       decodes data records into {@link io.reprise.recovery.replay.DataRun}s.
 *       {@link io.reprise.recovery.replay.BucketOrder} keeps log order by bucket.
 *   <li>Apply: the thread that owns a partition runs the work of its {@link io.reprise.recovery.replay.ReplayLane}.
 * </ol>
 *
 * <p>Threads: the replaying thread has the first three stages. The owner of a partition applies, on its own thread or on the replaying one.
 *
 * <p>Invariants: each partition applies its records as if in log order. A command's write hash equals the logged one. After a divergence
 * nothing is served.
 */
package io.reprise.recovery.replay;
