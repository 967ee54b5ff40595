package io.reprise.node.process;

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

/** Makes views of a cluster from ZooKeeper's znodes as a node has seen them last. */
final class ClusterViews {
    private ClusterViews() {}

    static ClusterView of(
            ClusterConfiguration cluster, int node, String servers, ZooKeeperMembership.Seen seen, PeerPort port) {
        VersionedMap map = seen.map();
        return new ClusterView(
                cluster.cluster(),
                node,
                cluster.nodes(),
                cluster.kSafety(),
                cluster.forced(),
                servers,
                seen.session() == Session.CONNECTED ? "connected" : "no contact",
                map == null ? 0 : map.version(),
                nodes(seen),
                map == null || map.version() == 0 ? List.of() : partitions(seen),
                port.problems());
    }

    private static List<ClusterView.Node> nodes(ZooKeeperMembership.Seen seen) {
        List<ClusterView.Node> nodes = new ArrayList<>();
        for (Registration each : seen.registrations().values()) {
            nodes.add(new ClusterView.Node(
                    each.node(),
                    each.name(),
                    each.zone(),
                    seen.live().containsKey(each.node()),
                    each.peer(),
                    each.clients(),
                    each.http()));
        }
        return nodes;
    }

    private static List<ClusterView.Partition> partitions(ZooKeeperMembership.Seen seen) {
        List<ClusterView.Partition> partitions = new ArrayList<>();
        for (Replicas line : PartitionMap.decode(seen.map().content()).partitions()) {
            byte[] entry = seen.live().get(line.leader());
            boolean led = entry != null
                    && line.has(
                            new Member(line.leader(), NodeEntry.decode(entry).incarnation()));
            partitions.add(new ClusterView.Partition(
                    partitions.size(),
                    line.leader(),
                    led,
                    line.epoch(),
                    line.sync().stream().map(Member::node).toList()));
        }
        return partitions;
    }
}
