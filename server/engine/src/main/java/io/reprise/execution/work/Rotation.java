package io.reprise.execution.work;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;

/**
 * Deals works that any partition can run to all partitions in turn. Several callers may ask at once; one that then gets
 * the partition of another does no harm.
 */
final class Rotation {
    private int last;

    /** Adds the partition whose turn it is as the only participant. */
    void route(Execution execution, BucketMap buckets) {
        last = last + 1 & Integer.MAX_VALUE;
        execution.addParticipant(last % buckets.partitions());
    }
}
