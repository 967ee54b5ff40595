package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * @param unheard the members that a node which leads partitions does not hear
 */
record ClusterView(
        int version,
        PartitionMap map,
        SortedMap<Integer, NodeEntry> live,
        boolean isConnected,
        SortedMap<Integer, Long> resets,
        SortedMap<Integer, Long> ended,
        List<Member> unheard) {
    ClusterView(
            int version,
            PartitionMap map,
            SortedMap<Integer, NodeEntry> live,
            boolean isConnected,
            SortedMap<Integer, Long> resets,
            SortedMap<Integer, Long> ended) {
        this(version, map, live, isConnected, resets, ended, unheardByLeaders(map, live));
    }

    private static List<Member> unheardByLeaders(PartitionMap map, SortedMap<Integer, NodeEntry> live) {
        List<Member> unheard = new ArrayList<>();
        live.forEach((node, entry) -> {
            if (!entry.unheard().isEmpty() && map != null && leads(map, new Member(node, entry.incarnation()))) {
                unheard.addAll(entry.unheard());
            }
        });
        return unheard;
    }

    private static boolean leads(PartitionMap map, Member member) {
        for (Replicas line : map.partitions()) {
            if (line.leader() == member.node() && line.member(line.leader()).equals(Optional.of(member))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a live member does not hear another one, as far as is known. */
    boolean misses(Member one, Member other) {
        NodeEntry entry = live.get(one.node());
        return entry != null
                && entry.incarnation() == one.incarnation()
                && entry.unheard().contains(other);
    }

    /** Whether the process of a member has ended, as far as is known. */
    boolean hasEnded(Member member) {
        Long incarnation = ended.isEmpty() ? null : ended.get(member.node());
        return incarnation != null && incarnation == member.incarnation();
    }
}
