package io.reprise.node.http;

import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.ReplicaStatus;
import java.util.List;
import java.util.Locale;

/** Metrics of a cluster as its node sees it: nodes, partitions, this node's replicas, and the lags of its followers. */
final class ClusterMetrics {
    private static final double SECOND_NS = 1e9;

    private ClusterMetrics() {}

    /**
     * Writes them.
     *
     * @param passedOn requests that this node has passed on to other nodes
     */
    static void write(PrometheusText text, ClusterView view, List<ReplicaStatus> replicas, long passedOn) {
        nodes(text, view);
        text.counter("reprise_cluster_calls_passed_on_total", "Requests that this node passed on to other nodes.")
                .sample(passedOn);
        replicas(text, replicas);
        followers(text, replicas);
    }

    private static void nodes(PrometheusText text, ClusterView view) {
        text.gauge("reprise_cluster_nodes", "Nodes of the cluster, by state.")
                .sample(view.running(), "state", "running")
                .sample(view.nodeCount() - view.running(), "state", "down");
        text.gauge("reprise_cluster_zookeeper_connected", "1 while this node has contact with ZooKeeper.")
                .sample(view.session().equals("connected") ? 1 : 0);
        text.gauge("reprise_cluster_map_version", "Version of the partition map that this node has.")
                .sample(view.mapVersion());
        text.gauge("reprise_cluster_partitions_without_leader", "Partitions that no running node leads.")
                .sample(view.partitions().stream().filter(each -> !each.led()).count());
        text.gauge("reprise_cluster_partitions_under_replicated", "Partitions with fewer in-sync replicas than k + 1.")
                .sample(view.partitions().stream()
                        .filter(each -> each.inSync().size() <= view.kSafety())
                        .count());
        text.gauge("reprise_cluster_partitions_moving", "Partitions whose replicas or lead are on the move.")
                .sample(view.moving());
        text.gauge("reprise_cluster_buckets_moving", "Buckets that are to go to other partitions.")
                .sample(view.movingBuckets());
        text.gauge("reprise_cluster_peers_unreachable", "Addresses of peers that this node can't connect to.")
                .sample(view.problems().size());
    }

    private static void replicas(PrometheusText text, List<ReplicaStatus> replicas) {
        text.gauge("reprise_replica_epoch", "Epoch that this node's replica has entered.");
        replicas.forEach(each -> text.sample(
                each.epoch(), "partition", label(each), "role", each.role().toLowerCase(Locale.ROOT)));
        text.gauge("reprise_replica_serves", "1 if this node leads the partition and admits transactions.");
        replicas.forEach(each -> text.sample(each.serves() ? 1 : 0, "partition", label(each)));
        text.gauge("reprise_replica_cut_off", "1 if the leader reaches neither its followers nor the membership.");
        replicas.forEach(each -> text.sample(each.cutOff() ? 1 : 0, "partition", label(each)));
        text.counter("reprise_replica_leaderships_total", "Times that this node took up the lead of the partition.");
        replicas.forEach(each -> text.sample(each.leaderships(), "partition", label(each)));
        text.counter("reprise_replica_divergences_total", "Followers that were taken out because their rows differed.");
        replicas.forEach(each -> text.sample(each.divergences(), "partition", label(each)));
        text.counter("reprise_replica_records_total", "Records of the partition's stream that this replica has.");
        replicas.forEach(each -> text.sample(each.lastIndex(), "partition", label(each)));
    }

    private interface Figure {
        double of(FollowerStatus follower);
    }

    private static void followers(PrometheusText text, List<ReplicaStatus> replicas) {
        text.gauge("reprise_replica_lag_records", "Records that a follower of this leader has not confirmed.");
        each(text, replicas, FollowerStatus::lagRecords);
        text.gauge("reprise_replica_lag_bytes", "Bytes of these records in the leader's log.");
        each(text, replicas, FollowerStatus::lagBytes);
        text.gauge("reprise_replica_lag_seconds", "Age of the end that the follower has confirmed.");
        each(text, replicas, follower -> follower.lagNs() / SECOND_NS);
        text.gauge("reprise_replica_follower_in_sync", "1 if acknowledgements wait for the follower.");
        each(text, replicas, follower -> follower.inSync() ? 1 : 0);
    }

    private static void each(PrometheusText text, List<ReplicaStatus> replicas, Figure figure) {
        for (ReplicaStatus replica : replicas) {
            for (FollowerStatus follower : replica.followers()) {
                text.sample(
                        figure.of(follower), "partition", label(replica), "node", Integer.toString(follower.node()));
            }
        }
    }

    private static String label(ReplicaStatus replica) {
        return Integer.toString(replica.partition());
    }
}
