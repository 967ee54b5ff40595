/**
 * The durable log, sorted by bucket: runs, each with the records of a stretch of log. A restart reads the directories of runs instead of
 * the log itself, and the records of a bucket when the bucket is loaded. Start with {@link io.reprise.recovery.run.LogRun}; {@link
 * io.reprise.recovery.run.LogRunAgent} makes them and merges them into longer ones, {@link io.reprise.recovery.run.RunRecords} reads them.
 *
 * <pre>
 *  runs/snapshot/&lt;run&gt;/manifest, partition-0.data      a run up to a log position, in the form of a snapshot
 * </pre>
 *
 * <p>The agent has a thread of its own. Invariants: a run has durable log only; it appears whole or not at all. The log is kept as long as
 * without runs, so a run that is missing or damaged costs time and nothing else; unless runs of data records replace it, see {@link
 * io.reprise.recovery.run.LogRunAgent#replaced}.
 */
package io.reprise.recovery.run;
