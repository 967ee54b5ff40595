package io.reprise.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The lines of the map in a node's status, which may tell more of a partition than a benchmark needs. */
class ClusterLinesTest {
    @Test
    void shouldReadTheLinesOfAStatus() {
        String status = "{\"partitions\":["
                + "{\"partition\":0,\"leader\":0,\"led\":true,\"epoch\":1,\"inSync\":[0,1],\"holders\":[0,1],\"goal\":[0,1]},"
                + "{\"partition\":1,\"leader\":1,\"led\":false,\"epoch\":7,\"inSync\":[]}]}";

        assertThat(ClusterProcesses.Line.of(status))
                .containsExactly(new ClusterProcesses.Line(0, 0, 2), new ClusterProcesses.Line(1, -1, 0));
    }
}
