package io.reprise.engine;

/**
 * The repair of a bucket.
 *
 * @param bucket its number
 * @param problem why it could not be repaired; null if it is repaired
 * @param source the snapshot that it was rebuilt from, with the log behind it
 * @param rowsBefore the number of rows that were taken out
 * @param rowsAfter the number of rows that were put in
 * @param rebuiltBuckets the number of buckets that were rebuilt for it
 * @param parkedNs the time for which calls of the bucket waited
 * @param tookNs the whole time
 */
public record RepairReport(
        int bucket,
        String problem,
        String source,
        long rowsBefore,
        long rowsAfter,
        int rebuiltBuckets,
        long parkedNs,
        long tookNs) {
    /** Whether the bucket serves again with rebuilt rows. */
    public boolean succeeded() {
        return problem == null;
    }
}
