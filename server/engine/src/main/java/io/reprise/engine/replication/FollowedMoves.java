package io.reprise.engine.replication;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.PartitionMap;
import java.util.BitSet;

/**
 * The moves of a partition's buckets as a follower of the partition expects them. It lists the rows of all buckets that the map has a
 * goal for, so that a MOVE record of the stream deletes listed rows. Without the list it passes over all rows of the partition,
 * and the leader waits for its acknowledgement meanwhile.
 *
 * <p>The list speeds records up and decides nothing: a bucket that is not listed costs a pass. Owned by the partition's thread.
 */
final class FollowedMoves {
    /** A list has so many rows at most, of 8 bytes each. */
    private static final long MOST_ROWS = 1 << 21;

    private final int partition;
    private final OwnedBuckets owned;
    private final LeavingRows leaving;

    /** The newest map that was looked at. */
    private PartitionMap known;

    /** The buckets whose rows were to be listed. */
    private final BitSet asked = new BitSet();

    FollowedMoves(int partition, OwnedBuckets owned, LeavingRows leaving) {
        this.partition = partition;
        this.owned = owned;
        this.leaving = leaving;
    }

    /** Goes on between two records of the stream. Returns how much was done. */
    int step(PartitionMap map) {
        if (map != known) {
            known = map;
            look(map);
        }
        return leaving.step();
    }

    private void look(PartitionMap map) {
        BitSet due = new BitSet();
        for (BucketPlace place : map.buckets()) {
            if (place.partition() == partition && place.isMoving() && owned.has(place.bucket())) {
                due.set(place.bucket());
            }
        }
        if (due.isEmpty()) {
            end();
            return;
        }
        boolean isListing = leaving.isActive() && !leaving.isListed();
        BitSet added = (BitSet) due.clone();
        added.andNot(asked);
        if (!leaving.isActive()
                || !added.isEmpty()
                || !isListing && due.stream().noneMatch(leaving::has)) {
            asked.clear();
            asked.or(due);
            leaving.begin(due, MOST_ROWS);
        }
    }

    /** This node does not follow any more: a leader lists rows by itself. */
    void end() {
        known = null;
        if (!asked.isEmpty()) {
            asked.clear();
            leaving.end();
        }
    }
}
