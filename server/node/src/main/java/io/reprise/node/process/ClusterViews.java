package io.reprise.node.process;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership.Session;
import io.reprise.cluster.Membership.VersionedMap;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.NodeEntry;
import io.reprise.cluster.zookeeper.ClusterConfiguration;
import io.reprise.cluster.zookeeper.Registration;
import io.reprise.cluster.zookeeper.ZooKeeperMembership;
import io.reprise.net.peer.PeerPort;
import io.reprise.node.http.ClusterView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Makes views of a cluster from ZooKeeper's znodes as a node has seen them last. */
final class ClusterViews {
    private ClusterViews() {}

    static ClusterView of(
            ClusterConfiguration cluster, int node, String servers, ZooKeeperMembership.Seen seen, PeerPort port) {
        VersionedMap map = seen.map();
        PartitionMap lines = map == null || map.content().length == 0
                ? new PartitionMap(first(cluster.nodes()), List.of(), List.of(), List.of())
                : PartitionMap.decode(map.content());
        return new ClusterView(
                cluster.cluster(),
                node,
                lines.nodes(),
                lines.removing(),
                cluster.kSafety(),
                cluster.forced(),
                servers,
                seen.session() == Session.CONNECTED ? "connected" : "no contact",
                lines.level(),
                map == null ? 0 : map.version(),
                nodes(lines, seen),
                partitions(lines, seen),
                lines.movingBuckets(),
                port.problems());
    }

    private static List<Integer> first(int nodes) {
        return IntStream.range(0, nodes).boxed().toList();
    }

    /** A node that was removed and has stopped is left out. */
    private static List<ClusterView.Node> nodes(PartitionMap map, ZooKeeperMembership.Seen seen) {
        List<ClusterView.Node> nodes = new ArrayList<>();
        for (Registration each : seen.registrations().values()) {
            if (!map.nodes().contains(each.node()) && !seen.live().containsKey(each.node())) {
                continue;
            }
            nodes.add(new ClusterView.Node(
                    each.node(),
                    each.name(),
                    each.zone(),
                    seen.live().containsKey(each.node()),
                    each.peer(),
                    each.clients(),
                    each.http(),
                    each.version(),
                    levels(seen.live().get(each.node()))));
        }
        return nodes;
    }

    private static String levels(byte[] entry) {
        if (entry == null) {
            return "";
        }
        Levels levels = NodeEntry.decode(entry).levels();
        return levels.least() == levels.greatest()
                ? String.valueOf(levels.least())
                : levels.least() + "-" + levels.greatest();
    }

    private static List<ClusterView.Partition> partitions(PartitionMap map, ZooKeeperMembership.Seen seen) {
        List<ClusterView.Partition> partitions = new ArrayList<>();
        for (Replicas line : map.partitions()) {
            byte[] entry = seen.live().get(line.leader());
            boolean led = entry != null
                    && line.has(
                            new Member(line.leader(), NodeEntry.decode(entry).incarnation()));
            partitions.add(new ClusterView.Partition(
                    partitions.size(),
                    line.leader(),
                    led,
                    line.epoch(),
                    line.sync().stream().map(Member::node).toList(),
                    line.holders(),
                    line.goal()));
        }
        return partitions;
    }
}
