package io.reprise.node.http;

import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.ReplicaStatus;
import java.util.List;
import java.util.TreeMap;

/** The metrics of a made-up node of a cluster, which leads a partition with one follower. */
public final class ClusterMetricsSample {
    private ClusterMetricsSample() {}

    /** The text. */
    public static String text() {
        List<ClusterView.Node> nodes = List.of(
                new ClusterView.Node(0, "a", "", true, "a:21213", "a:21212", "http://a:7077", "0.1.0", "1"),
                new ClusterView.Node(1, "b", "", false, "b:21213", "b:21212", "http://b:7077", "0.1.0", ""));
        List<ClusterView.Partition> partitions = List.of(
                new ClusterView.Partition(0, 0, true, 4, List.of(0, 1), List.of(0, 1), List.of(0, 1)),
                new ClusterView.Partition(1, 1, false, 2, List.of(1), List.of(1, 0), List.of(1, 0)));
        ClusterView view = new ClusterView(
                "shop",
                0,
                List.of(0, 1),
                List.of(),
                1,
                true,
                "zk:2181",
                "connected",
                1,
                3,
                nodes,
                partitions,
                5,
                new TreeMap<>());
        FollowerStatus follower = new FollowerStatus(1, true, 10, 2_000, 5_000_000);
        ReplicaStatus replica = new ReplicaStatus(0, "LEADER", true, 4, 100, false, 2, 1, List.of(follower));
        PrometheusText text = new PrometheusText();
        ClusterMetrics.write(text, view, List.of(replica), 7);
        return text.toString();
    }
}
