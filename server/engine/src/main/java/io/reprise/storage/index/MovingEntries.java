package io.reprise.storage.index;

import java.util.Arrays;

/** Entries of a hash table on their way from buckets to others. */
final class MovingEntries {
    private static final int OF_A_BUCKET = BucketChains.BUCKET / Long.BYTES;

    private long[] entries = new long[8 * OF_A_BUCKET];
    private int count;

    /** Room for as many entries as a bucket has, behind the {@link #count} that are there; {@link #count(int)} says how many it was. */
    long[] room() {
        if (count + OF_A_BUCKET > entries.length) {
            entries = Arrays.copyOf(entries, 2 * entries.length);
        }
        return entries;
    }

    int count() {
        return count;
    }

    void count(int newCount) {
        count = newCount;
    }

    /** One of the entries, which is none of them any more; or 0. */
    long take() {
        return count == 0 ? 0 : entries[--count];
    }
}
