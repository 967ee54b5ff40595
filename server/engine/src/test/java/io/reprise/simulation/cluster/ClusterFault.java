package io.reprise.simulation.cluster;

/** The faults of {@link FaultScenario}, and the changes of the cluster that they meet. */
enum ClusterFault {
    /** A process ends. */
    KILL,
    /** A machine loses its power, and its disk some of its unforced writes. */
    POWER_LOSS,
    /** All processes end, some of them with their power. */
    ALL_KILLED,
    /** Frames of one direction wait. */
    ONE_WAY_CUT,
    /** A node hears no other one, and perhaps not the membership service. */
    ISOLATED,
    /** A node has no contact with the membership service. */
    SERVICE_CUT,
    /** No node has contact with the membership service. */
    SERVICE_OUTAGE,
    /** A process stands still, for longer than all timeouts or shorter. */
    PAUSE,
    /** A wall clock jumps forward or back, by seconds or by up to an hour. */
    CLOCK_JUMP,
    /** A disk is replaced by an empty one. */
    WIPED_DISK,
    /** A call of the disk fails once. */
    FAILED_CALL,
    /** A disk is full to its last byte. */
    FULL_DISK,
    /** A disk turns read-only. */
    READ_ONLY_DISK,
    /** A bit of a file is another one. */
    BIT_ROT,
    /** A write lands elsewhere on the medium. */
    MISDIRECTED_WRITE,
    /** A write never reaches the medium. */
    LOST_WRITE,
    /** Forces take up to 100 ms. */
    SLOW_DISK,
    /** A force takes longer than all timeouts. */
    FROZEN_DISK,
    /** A row of a follower is another one. */
    DIVERGED_ROW,
    /** Buckets go to other partitions. */
    BUCKET_MOVE,
    /** A node is added. */
    NODE_ADDED,
    /** A node is removed. */
    NODE_REMOVED,
    /** An operation on the map is given up. */
    OPERATION_CANCELED,
    /** A node is restarted with a program that speaks one level more. */
    NODE_UPGRADED,
    /** The cluster is to go to the level that all nodes speak. */
    CLUSTER_UPGRADED,
    /** All nodes of a partition lose their disks, which ends a run: the partition stays closed. */
    COPIES_LOST
}
