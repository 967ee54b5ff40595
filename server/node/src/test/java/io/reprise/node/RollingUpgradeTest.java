package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.Client;
import io.reprise.cluster.Levels;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers over TCP whose programs speak different levels, one restarted after the other while calls run. */
@Timeout(180)
final class RollingUpgradeTest {
    private static final int NODES = 3;
    private static final Levels OLD = new Levels(1, 1);
    private static final Levels NEW = new Levels(1, 2);
    private static final Levels NEXT = new Levels(2, 3);

    @TempDir
    private Path directory;

    private CounterServers servers;

    @BeforeEach
    void start() throws IOException {
        servers = new CounterServers(directory, NODES, NODES, Duration.ofMillis(500), (node, ofPort) -> ofPort);
        servers.levels(OLD);
        servers.start();
        servers.awaitTopology();
    }

    @AfterEach
    void close() {
        servers.close();
    }

    private PartitionMap upgrade(int by) throws InterruptedException, ExecutionException, TimeoutException {
        return servers.of(by).engine().operate(new MapOperation.Upgrade()).get(20, TimeUnit.SECONDS);
    }

    private void restart(int node, Levels levels) throws IOException {
        servers.stop(node);
        servers.levels(levels);
        servers.start(node);
        servers.awaitInSync();
    }

    @Test
    void shouldFailNoCallWhileNodesAreUpgradedInTurn() throws Exception {
        try (Client client = servers.connect()) {
            CounterCallers callers = CounterCallers.begin(client);
            callers.awaitCalls(200);
            assertThat(servers.map().level()).isEqualTo(1);

            restart(2, NEW);
            callers.awaitCalls(200);
            assertThatThrownBy(() -> upgrade(2))
                    .hasMessageContaining("node 0 speaks level 1, and other nodes speak level 2")
                    .hasMessageContaining("restart it with their version");
            restart(2, OLD);
            callers.awaitCalls(200);
            for (int node = 0; node < NODES; node++) {
                restart(node, NEW);
                callers.awaitCalls(200);
            }
            assertThat(servers.map().level()).isEqualTo(1);

            assertThat(upgrade(1).level()).isEqualTo(2);
            callers.awaitCalls(200);
            restart(0, NEXT);
            callers.awaitCalls(200);
            callers.stopAndRequireEachCountedOnce();
        }
        assertThat(servers.map().level()).isEqualTo(2);
    }

    @Test
    void shouldRefuseANodeThatDoesNotSpeakTheLevelOfTheCluster() throws Exception {
        servers.stop(2);
        servers.levels(NEXT);
        requireRefused("the cluster works at level 1, and this version of Reprise speaks levels 2 to 3; bring all nodes"
                + " to a version that speaks levels 1 to 2 first, and run \"reprise cluster upgrade\"");

        assertThatThrownBy(() -> upgrade(0)).hasMessageContaining("node 2 does not run");
        servers.levels(NEW);
        servers.start(2);
        servers.awaitInSync();
        restart(0, NEW);
        restart(1, NEW);
        upgrade(2);
        servers.stop(2);
        servers.levels(OLD);
        requireRefused(
                "the cluster works at level 2, and this version of Reprise speaks level 1; start the node with the"
                        + " version that the other nodes run");

        try (Client client = servers.connect()) {
            CounterCallers callers = CounterCallers.begin(client);
            callers.awaitCalls(100);
            callers.stopAndRequireEachCountedOnce();
        }
    }

    /** Node 2 ends while it is started, or soon behind that. */
    private void requireRefused(String why) throws IOException {
        try {
            servers.start(2);
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining(why);
            return;
        }
        CounterCallers.await(() -> servers.of(2).engine().failure().isPresent());
        assertThat(servers.of(2).engine().failure().orElseThrow()).contains(why);
        servers.fail(2);
    }
}
