package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import java.util.SortedMap;

/**
 * A node's knowledge of its cluster at one moment, for the replicas on the threads of its sites. Immutable.
 *
 * @param version the version of the map; -1 before the first news, 0 for the empty map of a new cluster
 * @param map the newest map known, or null
 * @param live the entries of the live nodes
 * @param isConnected whether changes of the map can be requested
 * @param resets by node, the number of times that a link to it ended: frames to it may have been lost
 * @param ended by node, the incarnation whose process has ended
 */
record ClusterView(
        int version,
        PartitionMap map,
        SortedMap<Integer, NodeEntry> live,
        boolean isConnected,
        SortedMap<Integer, Long> resets,
        SortedMap<Integer, Long> ended) {
    /** Whether the process of a member has ended, as far as is known. */
    boolean hasEnded(Member member) {
        Long incarnation = ended.isEmpty() ? null : ended.get(member.node());
        return incarnation != null && incarnation == member.incarnation();
    }
}
