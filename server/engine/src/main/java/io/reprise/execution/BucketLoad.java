package io.reprise.execution;

import io.reprise.id.Buckets;

/**
 * The spread of a site's transactions of the last seconds over the buckets, which shows hot values. An estimate: it
 * is told only of the transactions that are timed by themselves, each with the number it stands for, and its values
 * fade. Owned by the site's thread.
 */
final class BucketLoad {
    /** With four fadings a second what was counted five seconds ago is worth a third. */
    private static final int KEPT = 19;

    private static final int OF = 20;

    private long[] recent = new long[Buckets.DEFAULT.count()];

    /** Counts so many buckets; before anything was counted. */
    void resize(int buckets) {
        recent = new long[buckets];
    }

    /** So many transactions are, by all we know, about this bucket. */
    void count(int bucket, int transactions) {
        if (bucket != Execution.NO_BUCKET) {
            recent[bucket] += transactions;
        }
    }

    /** The load of a bucket now. */
    long of(int bucket) {
        return recent[bucket];
    }

    /** The load now, by bucket; from now on it is worth a little less. */
    long[] fade() {
        long[] now = recent.clone();
        for (int bucket = 0; bucket < recent.length; bucket++) {
            recent[bucket] = recent[bucket] * KEPT / OF;
        }
        return now;
    }
}
