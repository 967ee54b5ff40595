package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;

/**
 * The critical path of a replay, in commands: the longest chain in which each command shares a bucket with the one before. A command that is
 * not confined to buckets shares all of its partitions. No number of threads replays in fewer steps without footprints. Confined to the
 * replaying thread.
 */
public final class ReplayPath {
    private final BucketMap buckets;

    /** By bucket, the length of the longest path that ends there. */
    private final long[] ofBucket;

    /** By lane, the length that each of its buckets has at least. */
    private final long[] ofAll;

    /** By lane, the longest of its buckets. */
    private final long[] longest;

    private long commands;
    private long length;

    ReplayPath(BucketMap buckets) {
        this.buckets = buckets;
        ofBucket = new long[buckets.count()];
        ofAll = new long[buckets.partitions()];
        longest = new long[buckets.partitions()];
    }

    /** A command in log order. */
    void add(Execution execution) {
        commands++;
        BucketSet several = execution.buckets();
        if (!execution.isConfined()) {
            whole(execution);
        } else if (several == null) {
            set(execution.bucket(), before(execution.bucket()) + 1);
        } else {
            long before = 0;
            for (int i = 0; i < several.size(); i++) {
                before = Math.max(before, before(several.get(i)));
            }
            for (int i = 0; i < several.size(); i++) {
                set(several.get(i), before + 1);
            }
        }
    }

    private long before(int bucket) {
        return Math.max(ofBucket[bucket], ofAll[buckets.partition(bucket)]);
    }

    private void set(int bucket, long path) {
        ofBucket[bucket] = path;
        int lane = buckets.partition(bucket);
        longest[lane] = Math.max(longest[lane], path);
        length = Math.max(length, path);
    }

    private void whole(Execution execution) {
        long before = 0;
        for (int i = 0; i < execution.participantCount(); i++) {
            before = Math.max(before, longest[execution.participant(i)]);
        }
        for (int i = 0; i < execution.participantCount(); i++) {
            ofAll[execution.participant(i)] = before + 1;
            longest[execution.participant(i)] = before + 1;
        }
        length = Math.max(length, before + 1);
    }

    /** The number of commands so far. */
    public long commands() {
        return commands;
    }

    /** The number of commands of the longest path. */
    public long length() {
        return length;
    }
}
