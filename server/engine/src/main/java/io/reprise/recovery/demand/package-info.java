/**
 * Recovery on demand: rows of a bucket are loaded from a snapshot, and the bucket's part of the log is replayed, while other buckets serve.
 * {@link io.reprise.recovery.demand.BucketLoadAgent} decides and reads on a thread of its own; its {@link
 * io.reprise.recovery.demand.LoadSlice}s change a partition between two transactions, on the partition's thread. Initiators have a {@link
 * io.reprise.recovery.demand.LoadProxy}. Start with the agent.
 */
package io.reprise.recovery.demand;
