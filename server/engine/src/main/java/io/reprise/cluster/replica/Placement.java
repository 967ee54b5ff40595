package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * The nodes of each partition's replicas in the first map of a cluster: k+1 in a row, round-robin over the nodes.
 *
 * @param firstNode the lowest node number
 * @param nodes the number of nodes at the cluster's creation
 * @param copies the most replicas of a partition
 */
public record Placement(int firstNode, int nodes, int copies) {
    /** Whether a node holds a replica of a partition. */
    public boolean holds(int node, int partition) {
        return has(node) && Math.floorMod(node - firstNode - partition, nodes) < copies;
    }

    /** Whether the node is one of the first map. */
    boolean has(int node) {
        return node >= firstNode && node < firstNode + nodes;
    }

    /** Whether all nodes of the first map are among these. */
    boolean isComplete(Set<Integer> running) {
        for (int node = firstNode; node < firstNode + nodes; node++) {
            if (!running.contains(node)) {
                return false;
            }
        }
        return true;
    }

    private int firstLeader(int partition) {
        return firstNode + partition % nodes;
    }

    /** The first map of a new cluster, all of whose nodes are live and speak a level. */
    PartitionMap first(int level, int partitions, SortedMap<Integer, NodeEntry> live) {
        List<Integer> all = new ArrayList<>();
        for (int node = firstNode; node < firstNode + nodes; node++) {
            all.add(node);
        }
        List<Replicas> lines = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<Member> members = new ArrayList<>();
            for (int node : all) {
                if (holds(node, partition)) {
                    members.add(new Member(node, live.get(node).incarnation()));
                }
            }
            lines.add(new Replicas(1, 1, firstLeader(partition), members));
        }
        return new PartitionMap(level, all, List.of(), lines, List.of());
    }
}
