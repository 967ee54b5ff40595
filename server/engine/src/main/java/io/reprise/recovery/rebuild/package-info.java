/**
 * The rebuild of one partition while the others serve. Read {@link io.reprise.recovery.rebuild.RebuildAgent} first.
 *
 * <pre>
 *  initiators: park calls of the partition -> all held: the moment of the fence
 *  snapshot, log -> RebuildHistory: backward, what must run again
 *                -> RebuildRun: rows and transactions, in a ShadowStore
 *                -> BucketRows: rows by bucket -> the partition, emptied before -> parked calls run
 * </pre>
 *
 * <p>Threads: the agent has one of its own. Rows go into the partition in small tasks between two transactions, on the partition's thread.
 *
 * <p>Invariants: nothing is written to disk, so a crash meanwhile is a crash like others. A live row of another partition is neither read nor
 * changed. The partition is emptied only when the first buckets stand rebuilt in the shadow.
 */
package io.reprise.recovery.rebuild;
