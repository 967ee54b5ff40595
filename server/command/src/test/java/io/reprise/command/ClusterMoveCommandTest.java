package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The choice of buckets by the load that one node tells for all. */
final class ClusterMoveCommandTest {
    private static JsonNode status(String loaded) throws IOException {
        return new ObjectMapper().readTree("""
                {"cluster": {"partitions": [{}, {}],
                             "nodes": [{"node": 0, "running": true}, {"node": 1, "running": true},
                                       {"node": 2, "running": false}]},
                 "clusterLoad": {"nodes": %s, "bucketLoad": [900, 400, 500, 0]},
                 "bucketLoad": [0, 0, 0, 0],
                 "bucketPartition": [0, 0, 0, 1]}
                """.formatted(loaded));
    }

    @Test
    void shouldNameTheRunningNodesWhoseLoadIsNotKnown() throws IOException {
        assertThat(ClusterMoveCommand.unknown(status("[0]"))).containsExactly(1);
        assertThat(ClusterMoveCommand.unknown(status("[0, 1]"))).isEmpty();
    }

    @Test
    void shouldSpreadTheLoadOfAllNodes() throws IOException {
        assertThat(ClusterMoveCommand.plan(status("[0, 1]"))).isEqualTo(Map.of(0, 1));
    }
}
