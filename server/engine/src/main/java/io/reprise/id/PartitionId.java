package io.reprise.id;

/**
 * A partition id names a partition in the whole cluster: an {@code int} from 0, dense, never a place in an array of one
 * node. It is also the number of the initiator that stamps for the partition, of its log ring, and of its data file in
 * snapshots. The place of a partition among those of its node is its <em>slot</em>.
 */
public final class PartitionId {
    /** The largest number of partitions of a cluster. */
    public static final int MOST = 1 << 12;

    private PartitionId() {}

    /** The id, if it is one. */
    public static int check(int partition) {
        if (partition < 0 || partition >= MOST) {
            throw new IllegalArgumentException("partition ids are 0 to " + (MOST - 1) + ", not " + partition);
        }
        return partition;
    }
}
