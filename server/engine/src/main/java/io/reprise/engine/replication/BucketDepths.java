package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
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
        if (call.work().splits() || call.buckets() == null && call.bucket() < 0) {
            return false;
        }
        int deepest = 0;
        for (int i = 0; i < count(call); i++) {
            deepest = Math.max(deepest, depths.getOrDefault(bucket(call, i), 0));
        }
        if (deepest >= most) {
            return true;
        }
        for (int i = 0; i < count(call); i++) {
            depths.put(bucket(call, i), deepest + 1);
        }
        return false;
    }

    private static int count(Execution call) {
        return call.buckets() == null ? 1 : Math.min(call.buckets().size(), BucketSet.MOST_LISTED);
    }

    private static int bucket(Execution call, int place) {
        return call.buckets() == null ? call.bucket() : call.buckets().get(place);
    }
}
