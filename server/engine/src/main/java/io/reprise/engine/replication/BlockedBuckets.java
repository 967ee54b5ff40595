package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import java.util.function.IntPredicate;

/** The buckets of the calls of a {@link Batch} that are not done: a later call of one of them waits. Owned by the home's thread. */
final class BlockedBuckets {
    private final BucketSet blocked = new BucketSet();

    /** Whether the home has a bucket. */
    private final IntPredicate isAtHome;

    BlockedBuckets(IntPredicate isAtHome) {
        this.isAtHome = isAtHome;
    }

    void clear() {
        blocked.clear();
    }

    /** A call is not done. */
    void add(Execution call) {
        for (int i = 0; i < count(call); i++) {
            blocked.add(bucket(call, i));
        }
    }

    /** Whether one of a call's buckets is blocked. */
    boolean isBlocked(Execution call) {
        for (int i = 0; i < count(call); i++) {
            if (blocked.contains(bucket(call, i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether only buckets at home are blocked, so that nobody changes the call's rows elsewhere before it. */
    boolean isFreeElsewhere(Execution call) {
        if (call.buckets() == null || !call.buckets().isListed()) {
            return false;
        }
        for (int i = 0; i < count(call); i++) {
            int bucket = bucket(call, i);
            if (blocked.contains(bucket) && !isAtHome.test(bucket)) {
                return false;
            }
        }
        return true;
    }

    /** The number of a call's buckets that are known; a call in no known bucket shares no batch or waits for none. */
    static int count(Execution call) {
        if (call.buckets() == null) {
            return call.bucket() < 0 ? 0 : 1;
        }
        return Math.min(call.buckets().size(), BucketSet.MOST_LISTED);
    }

    static int bucket(Execution call, int place) {
        return call.buckets() == null ? call.bucket() : call.buckets().get(place);
    }
}
