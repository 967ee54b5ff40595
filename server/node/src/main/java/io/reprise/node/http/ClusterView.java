package io.reprise.node.http;

import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.ReplicaStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * A cluster as one of its nodes sees it at a moment. Immutable.
 *
 * @param name the cluster's name
 * @param node this node's number
 * @param members the nodes of the cluster by the map; before the first map those that it begins with
 * @param removing those of them whose replicas are made elsewhere, because they are being removed
 * @param kSafety the copies of each partition beyond the first
 * @param forced whether in-sync replicas force a write before it is acknowledged
 * @param zooKeeper the servers of ZooKeeper
 * @param session the session with them, in small letters
 * @param level the level at which the cluster works
 * @param mapVersion the version of the partition map; 0 before the first
 * @param nodes the registered nodes by number
 * @param partitions the partitions by number; empty before the first map
 * @param movingBuckets the buckets that are to go to other partitions
 * @param problems of peer addresses that can't be reached
 */
public record ClusterView(
        String name,
        int node,
        List<Integer> members,
        List<Integer> removing,
        int kSafety,
        boolean forced,
        String zooKeeper,
        String session,
        int level,
        int mapVersion,
        List<Node> nodes,
        List<Partition> partitions,
        int movingBuckets,
        SortedMap<String, String> problems) {
    private static final double MS_NS = 1e6;

    /**
     * A node.
     *
     * @param node its number
     * @param name its name
     * @param zone its zone; empty if none is named
     * @param running whether it has a session with ZooKeeper
     * @param peer its address for other nodes
     * @param clients its address for clients; empty if they can't connect
     * @param http the URL of its HTTP server; empty if it has none
     * @param version the version of Reprise that it runs, or has run last
     * @param levels the levels of clusters that it speaks; empty if it does not run
     */
    public record Node(
            int node,
            String name,
            String zone,
            boolean running,
            String peer,
            String clients,
            String http,
            String version,
            String levels) {}

    /**
     * A partition's line of the map.
     *
     * @param partition its number
     * @param leader the node that leads it
     * @param led whether that node is running in the incarnation of the map
     * @param epoch its epoch
     * @param inSync the nodes whose replicas an acknowledgement waits for
     * @param holders the nodes that hold a replica, the preferred leader first
     * @param goal the nodes that are to hold one; equal to the holders if nothing moves
     */
    public record Partition(
            int partition,
            int leader,
            boolean led,
            long epoch,
            List<Integer> inSync,
            List<Integer> holders,
            List<Integer> goal) {
        /** Whether replicas or the lead are on the move. */
        boolean isMoving() {
            return !goal.equals(holders) || !goal.containsAll(inSync);
        }
    }

    /** Whether each partition has a leader that is running. */
    public boolean allLed() {
        return !partitions.isEmpty() && partitions.stream().allMatch(Partition::led);
    }

    /** Whether ZooKeeper has lost the partition map. */
    public boolean isMapLost() {
        return mapVersion > 0 && partitions.isEmpty();
    }

    /** The number of nodes of the cluster. */
    public int nodeCount() {
        return members.size();
    }

    /** The number of nodes of the cluster that are running. */
    public int running() {
        return (int) nodes.stream()
                .filter(each -> each.running() && members.contains(each.node()))
                .count();
    }

    /** Whether this node belongs to the cluster. */
    public boolean isMember() {
        return members.contains(node);
    }

    /** Whether this node holds a replica that is in sync, or no partition is to have one here. */
    public boolean hasItsShare() {
        return partitions.stream().noneMatch(each -> each.goal.contains(node))
                || partitions.stream().anyMatch(each -> each.holders.contains(node));
    }

    /** The number of partitions whose replicas or lead are on the move. */
    public int moving() {
        return (int) partitions.stream().filter(Partition::isMoving).count();
    }

    /** Writes it as an object of its own name, with the replicas of this node. */
    void write(Json json, List<ReplicaStatus> replicas) {
        json.object("cluster")
                .put("name", name)
                .put("node", node)
                .put("nodeCount", nodeCount())
                .put("kSafety", kSafety)
                .put("acknowledge", forced ? "forced" : "replicated")
                .put("zooKeeper", zooKeeper)
                .put("session", session)
                .put("level", level)
                .put("mapVersion", mapVersion)
                .put("allLed", allLed())
                .put("moving", moving())
                .put("movingBuckets", movingBuckets);
        write(json, "members", members);
        write(json, "removing", removing);
        json.list("nodes");
        for (Node each : nodes) {
            json.object()
                    .put("node", each.node)
                    .put("name", each.name)
                    .put("zone", each.zone)
                    .put("running", each.running)
                    .put("peer", each.peer)
                    .put("clients", each.clients)
                    .put("http", each.http)
                    .put("version", each.version)
                    .put("levels", each.levels)
                    .endObject();
        }
        json.endList().list("partitions");
        for (Partition each : partitions) {
            json.object()
                    .put("partition", each.partition)
                    .put("leader", each.leader)
                    .put("led", each.led)
                    .put("epoch", each.epoch);
            write(json, "inSync", each.inSync);
            write(json, "holders", each.holders);
            write(json, "goal", each.goal);
            json.endObject();
        }
        json.endList().object("unreachable");
        for (Map.Entry<String, String> each : problems.entrySet()) {
            json.put(each.getKey(), each.getValue());
        }
        json.endObject().list("replicas");
        replicas.forEach(each -> write(json, each));
        json.endList().endObject();
    }

    private static void write(Json json, String name, List<Integer> list) {
        json.list(name);
        list.forEach(json::add);
        json.endList();
    }

    private static void write(Json json, ReplicaStatus replica) {
        json.object()
                .put("partition", replica.partition())
                .put("role", replica.role().toLowerCase(Locale.ROOT))
                .put("serves", replica.serves())
                .put("epoch", replica.epoch())
                .put("lastIndex", replica.lastIndex())
                .put("cutOff", replica.cutOff())
                .put("leaderships", replica.leaderships())
                .put("divergences", replica.divergences())
                .list("followers");
        for (FollowerStatus follower : replica.followers()) {
            json.object()
                    .put("node", follower.node())
                    .put("inSync", follower.inSync())
                    .put("lagRecords", follower.lagRecords())
                    .put("lagBytes", follower.lagBytes())
                    .put("lagMs", follower.lagNs() / MS_NS)
                    .endObject();
        }
        json.endList().endObject();
    }
}
