package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import java.util.TreeMap;

/** The longest row of calls of a batch, each of which shares a bucket with the one before. */
final class BucketDepths {
    private final int most;
    private final TreeMap<Integer, Integer> depths = new TreeMap<>();

    BucketDepths(int most) {
        this.most = most;
    }

    void clear() {
        depths.clear();
    }

    /** Adds a call, unless the row of calls before it is too long. A split statement waits for none. */
    boolean isTooDeep(Execution call) {
        if (call.work().splits()) {
            return false;
        }
        int deepest = 0;
        for (int i = 0; i < BlockedBuckets.count(call); i++) {
            deepest = Math.max(deepest, depths.getOrDefault(BlockedBuckets.bucket(call, i), 0));
        }
        if (deepest >= most) {
            return true;
        }
        for (int i = 0; i < BlockedBuckets.count(call); i++) {
            depths.put(BlockedBuckets.bucket(call, i), deepest + 1);
        }
        return false;
    }
}
