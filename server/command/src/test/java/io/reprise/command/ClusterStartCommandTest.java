package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The message of a start whose partitions get no leader. */
final class ClusterStartCommandTest {
    private static String missing(String view) throws IOException {
        return ClusterStartCommand.missing(Optional.of(new ObjectMapper().readTree(view)));
    }

    @Test
    void shouldNamePartitionsWithoutALeaderAndNodesThatAreDown() throws IOException {
        String view = """
                {"members": [0, 1, 2],
                 "nodes": [{"node": 0, "running": true}, {"node": 1, "running": false}],
                 "partitions": [{"partition": 0, "led": true}, {"partition": 1, "led": false},
                                {"partition": 4, "led": false}]}
                """;

        assertThat(missing(view)).isEqualTo("no node leads partition 1, 4, and ZooKeeper sees no node 1, 2");
    }

    @Test
    void shouldSayThatThereIsNoMap() throws IOException {
        assertThat(missing("{\"members\": [0], \"nodes\": [{\"node\": 0, \"running\": true}], \"partitions\": []}"))
                .isEqualTo("there is no map of the partitions");
        assertThat(ClusterStartCommand.missing(Optional.empty())).isEqualTo("no node answers");
    }
}
