package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The metrics of a cluster. */
final class ClusterMetricsTest {
    @Test
    void shouldTellNodesPartitionsAndLagsOfFollowers() {
        assertThat(ClusterMetricsSample.text().lines())
                .contains(
                        "reprise_cluster_nodes{state=\"running\"} 1",
                        "reprise_cluster_nodes{state=\"down\"} 1",
                        "reprise_cluster_zookeeper_connected 1",
                        "reprise_cluster_map_version 3",
                        "reprise_cluster_partitions_without_leader 1",
                        "reprise_cluster_partitions_under_replicated 1",
                        "reprise_cluster_partitions_moving 0",
                        "reprise_cluster_buckets_moving 5",
                        "reprise_cluster_calls_passed_on_total 7",
                        "reprise_replica_epoch{partition=\"0\",role=\"leader\"} 4",
                        "reprise_replica_leaderships_total{partition=\"0\"} 2",
                        "reprise_replica_divergences_total{partition=\"0\"} 1",
                        "reprise_replica_lag_records{partition=\"0\",node=\"1\"} 10",
                        "reprise_replica_lag_bytes{partition=\"0\",node=\"1\"} 2000",
                        "reprise_replica_lag_seconds{partition=\"0\",node=\"1\"} 0.005");
    }

    @Test
    void shouldKeepToPrometheusFormat() {
        assertThat(PrometheusChecker.read(ClusterMetricsSample.text())).hasSizeGreaterThan(15);
    }
}
