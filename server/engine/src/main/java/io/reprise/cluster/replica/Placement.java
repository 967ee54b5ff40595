package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The nodes of each partition's replicas: k+1 in a row, round-robin over the nodes.
 *
 * @param firstNode the lowest node number
 * @param nodes the number of nodes
 * @param copies the most replicas of a partition
 */
public record Placement(int firstNode, int nodes, int copies) {
    /** Whether a node holds a replica of a partition. */
    public boolean holds(int node, int partition) {
        return Math.floorMod(node - firstNode - partition, nodes) < copies;
    }

    /** The node that leads a partition at first. */
    public int firstLeader(int partition) {
        return firstNode + partition % nodes;
    }

    /** The first map of a new cluster, all of whose nodes are live. */
    PartitionMap first(int partitions, SortedMap<Integer, NodeEntry> live) {
        List<Replicas> lines = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<Member> members = new ArrayList<>();
            for (Map.Entry<Integer, NodeEntry> entry : live.entrySet()) {
                if (holds(entry.getKey(), partition)) {
                    members.add(new Member(entry.getKey(), entry.getValue().incarnation()));
                }
            }
            lines.add(new Replicas(1, 1, firstLeader(partition), members));
        }
        return new PartitionMap(lines);
    }
}
