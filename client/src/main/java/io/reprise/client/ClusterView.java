package io.reprise.client;

import io.reprise.wire.message.Node;
import io.reprise.wire.message.Topology;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster's topology as a client knows it: the leader of each bucket, and the addresses of nodes. Immutable.
 */
final class ClusterView {
    /** Stands for the leader of a partition that no node leads, or for one that is not known. */
    static final int NO_LEADER = -1;

    private final long version;
    private final int[] partitionOfBucket;
    private final int[] leaderOfPartition;
    private final SortedMap<Integer, InetSocketAddress> addresses;

    private ClusterView(
            long version,
            int[] partitionOfBucket,
            int[] leaderOfPartition,
            SortedMap<Integer, InetSocketAddress> addresses) {
        this.version = version;
        this.partitionOfBucket = partitionOfBucket;
        this.leaderOfPartition = leaderOfPartition;
        this.addresses = addresses;
    }

    /** The topology that a node has sent. An address that makes no sense is left out. */
    static ClusterView of(Topology topology) {
        SortedMap<Integer, InetSocketAddress> addresses = new TreeMap<>();
        for (Node node : topology.getNodeList()) {
            String address = node.getAddress();
            int colon = address.lastIndexOf(':');
            int port = colon < 1 ? -1 : port(address.substring(colon + 1));
            if (port > 0) {
                addresses.put(node.getNumber(), InetSocketAddress.createUnresolved(address.substring(0, colon), port));
            }
        }
        return new ClusterView(
                topology.getVersion(),
                numbers(topology.getPartitionOfBucketList(), 0),
                numbers(topology.getLeaderList(), -1),
                addresses);
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port < 1 << 16 ? port : -1;
        } catch (NumberFormatException notOne) {
            return -1;
        }
    }

    private static int[] numbers(List<Integer> list, int plus) {
        return list.stream().mapToInt(number -> number + plus).toArray();
    }

    /** Whether this holds if the other one holds at the moment. */
    boolean replaces(ClusterView other) {
        return other == null || version > other.version || version == other.version && !isAs(other);
    }

    private boolean isAs(ClusterView other) {
        return addresses.equals(other.addresses) && Arrays.equals(leaderOfPartition, other.leaderOfPartition);
    }

    /** The addresses of the nodes that run, by number. */
    SortedMap<Integer, InetSocketAddress> addresses() {
        return addresses;
    }

    /** The node that leads the partition of a partitioning value, or {@link #NO_LEADER}. */
    int leader(long partitioningValue) {
        if (Integer.bitCount(partitionOfBucket.length) != 1) {
            return NO_LEADER;
        }
        int partition = partitionOfBucket.length == 1
                ? partitionOfBucket[0]
                : ProcedureRoute.partition(partitioningValue, partitionOfBucket);
        return partition < leaderOfPartition.length ? leaderOfPartition[partition] : NO_LEADER;
    }

    /** Whether a node has led a partition before that another node leads now, or none. */
    boolean hasReplaced(ClusterView before, int node) {
        for (int i = 0; i < before.leaderOfPartition.length; i++) {
            if (before.leaderOfPartition[i] == node
                    && (i >= leaderOfPartition.length || leaderOfPartition[i] != node)) {
                return true;
            }
        }
        return false;
    }
}
