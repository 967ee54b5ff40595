package io.reprise.cluster;

import io.reprise.execution.BucketMap;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The facts by which calls find their node: the partition of each bucket, the leader of each partition, and the addresses
 * of the nodes that run. Immutable; a change of the cluster's map makes another topology.
 *
 * @param version the {@linkplain PartitionMap#versionForClients version} of the membership service's map; of two topologies the one with the higher version holds
 * @param buckets the partition of each bucket
 * @param leaders the node that leads each partition, or {@link #NO_LEADER}
 * @param clientAddresses {@code host:port} for clients, by node; a node that is not running, or has no replica in sync, has none
 * @param peerAddresses {@code host:port} for the links of other nodes, by node; a node that is not running has none
 */
public record Topology(
        long version,
        BucketMap buckets,
        List<Integer> leaders,
        SortedMap<Integer, String> clientAddresses,
        SortedMap<Integer, String> peerAddresses) {
    /** Stands for the leader of a partition that no node leads at present. */
    public static final int NO_LEADER = -1;

    public Topology {
        leaders = List.copyOf(leaders);
        clientAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(clientAddresses));
        peerAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(peerAddresses));
        if (leaders.size() != buckets.partitions()) {
            throw new IllegalArgumentException(
                    leaders.size() + " leaders are named for " + buckets.partitions() + " partitions");
        }
    }

    /** The node that leads a partition, or {@link #NO_LEADER}. */
    public int leader(int partition) {
        return leaders.get(partition);
    }

    /** The node that leads the partition of a partitioning value, or {@link #NO_LEADER}. */
    public int leaderOf(long partitioningValue) {
        return leader(buckets.partition(buckets.bucketOf(partitioningValue)));
    }
}
