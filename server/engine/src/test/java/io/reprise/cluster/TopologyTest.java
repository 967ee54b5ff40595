package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.BucketMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class TopologyTest {
    @Test
    void shouldFindTheLeaderOfAPartitioningValue() {
        BucketMap buckets = BucketMap.dealt(3);

        Topology topology =
                new Topology(7, buckets, List.of(2, Topology.NO_LEADER, 0), new TreeMap<>(), new TreeMap<>());

        for (long value = 0; value < 100; value++) {
            int partition = buckets.partition(buckets.bucketOf(value));
            assertThat(topology.leaderOf(value)).isEqualTo(new int[] {2, -1, 0}[partition]);
        }
    }

    @Test
    void shouldKeepCopies() {
        TreeMap<Integer, String> addresses = new TreeMap<>(Map.of(0, "a:1"));
        Topology topology = new Topology(1, BucketMap.dealt(1), List.of(0), addresses, addresses);

        addresses.put(1, "b:2");

        assertThat(topology.clientAddresses()).containsOnly(Map.entry(0, "a:1"));
        assertThat(topology.peerAddresses()).containsOnly(Map.entry(0, "a:1"));
    }

    @Test
    void shouldRejectAnotherNumberOfLeaders() {
        assertThatThrownBy(() -> new Topology(1, BucketMap.dealt(2), List.of(0), new TreeMap<>(), new TreeMap<>()))
                .hasMessageContaining("1 leaders are named for 2 partitions");
    }
}
