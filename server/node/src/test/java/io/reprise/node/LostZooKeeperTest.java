package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reprise.client.Client;
import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.Member;
import io.reprise.cluster.replica.ClusterAgent;
import io.reprise.cluster.replica.MapRecovery;
import io.reprise.cluster.replica.NodeEntry;
import io.reprise.cluster.zookeeper.EmbeddedZooKeeper;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.ClusterRecovery;
import io.reprise.node.process.NodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A cluster of two nodes whose ZooKeeper comes back without data: the map is made anew of the logs, and no counted call is lost. */
@Timeout(240)
final class LostZooKeeperTest {
    private static final int NODES = 2;
    private static final int PARTITIONS = 2;

    @TempDir
    private Path folder;

    private final List<NodeConfiguration> configurations = new ArrayList<>();
    private final List<FutureTask<NodeProcess>> nodes = new ArrayList<>();
    private final int[] clientPorts = new int[NODES];
    private InetSocketAddress address;
    private EmbeddedZooKeeper zooKeeper;
    private int zooKeepers;

    @BeforeEach
    void begin() throws IOException {
        Files.writeString(folder.resolve("schema.sql"), CounterServers.DDL);
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), CounterServers.freePort());
        for (int node = 0; node < NODES; node++) {
            clientPorts[node] = CounterServers.freePort();
            configurations.add(ConfigurationFile.parse(
                    """
                    cluster:
                      name: shop
                      node: %d
                      nodes: %d
                      kSafety: 1
                      partitions: %d
                      failureTimeout: 500ms
                      zookeeper: {servers: ["127.0.0.1:%d"], sessionTimeout: 2s}
                      peer: {port: %d}
                    data: {directory: node-%d}
                    engine: {memoryPerPartition: 16MiB}
                    schema: {scripts: schema.sql}
                    log: {segment: 1MiB, largestRecord: 256KiB}
                    http: {port: 0}
                    clients: {port: %d}
                    """.formatted(
                                    node,
                                    NODES,
                                    PARTITIONS,
                                    address.getPort(),
                                    CounterServers.freePort(),
                                    node,
                                    clientPorts[node]),
                    "test",
                    folder));
            nodes.add(null);
        }
        startEmptyZooKeeper();
    }

    private void startEmptyZooKeeper() {
        zooKeeper = EmbeddedZooKeeper.alone(folder.resolve("zookeeper-" + zooKeepers++), address);
    }

    @AfterEach
    void end() throws Exception {
        for (int node = 0; node < NODES; node++) {
            stop(node);
        }
        zooKeeper.close();
    }

    private void start(int node) {
        FutureTask<NodeProcess> start = new FutureTask<>(() -> NodeProcess.start(configurations.get(node)));
        nodes.set(node, start);
        Thread.ofPlatform().name("start-" + node).start(start);
    }

    private NodeProcess ready(int node) throws Exception {
        return nodes.get(node).get(60, TimeUnit.SECONDS);
    }

    private void stop(int node) throws Exception {
        FutureTask<NodeProcess> start = nodes.set(node, null);
        if (start != null) {
            start.get(60, TimeUnit.SECONDS).close();
        }
    }

    private Client connect(int node) {
        return CounterServers.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPorts[node]));
    }

    private void startAll() throws Exception {
        for (int node = 0; node < NODES; node++) {
            start(node);
        }
        for (int node = 0; node < NODES; node++) {
            ready(node);
        }
    }

    private void loseZooKeeper() {
        zooKeeper.close();
        startEmptyZooKeeper();
    }

    private SortedMap<Integer, NodeEntry> awaitWaiting(ClusterRecovery recovery, Integer... running) {
        CounterCallers.await(() -> recovery.waiting().keySet().equals(Set.of(running)));
        return recovery.waiting();
    }

    private void end(ClusterRecovery recovery, MapRecovery.Result result) {
        recovery.end(result.map().orElseThrow(), "by a test");
    }

    @Test
    void shouldHaveEachCountedCallWhenTheMapWasMadeAnew() throws Exception {
        startAll();
        CounterCallers callers;
        try (Client client = connect(0)) {
            callers = CounterCallers.begin(client);
            callers.awaitCalls(300);
            assertThatThrownBy(() -> ClusterRecovery.begin(configurations.get(0), () -> false))
                    .hasMessageContaining("there is nothing to recover");
            callers.stop();
        }
        stop(1);
        stop(0);
        loseZooKeeper();

        start(0);
        start(1);
        try (ClusterRecovery recovery = ClusterRecovery.begin(configurations.get(1), () -> false)) {
            MapRecovery.Result result = recovery.plan(awaitWaiting(recovery, 0, 1), new TreeMap<>());
            assertThat(result.problems()).isEmpty();
            assertThat(result.findings()).allMatch(MapRecovery.Finding::isSafe).hasSize(PARTITIONS);
            end(recovery, result);
        }

        ready(0);
        ready(1);
        try (Client client = connect(1)) {
            callers.requireEachCountedOnce(client);
            client.call("CountOne", 3L);
        }
        assertThat(ready(0).engine().topology().orElseThrow().version()).isGreaterThan(1_700_000_000L << 20);
    }

    @Test
    void shouldLetNoReplicaLeadThatMayLackCalls() throws Exception {
        startAll();
        CounterCallers callers;
        try (Client client = connect(0)) {
            callers = CounterCallers.begin(client);
            callers.awaitCalls(200);
            stop(1);
            callers.awaitCalls(200);
            callers.stop();
        }
        stop(0);
        loseZooKeeper();

        start(1);
        try (ClusterRecovery recovery = ClusterRecovery.begin(configurations.get(1), () -> false)) {
            SortedMap<Integer, NodeEntry> stale = awaitWaiting(recovery, 1);
            MapRecovery.Result refused = recovery.plan(stale, new TreeMap<>());
            assertThat(refused.map()).isEmpty();
            for (MapRecovery.Finding each : refused.findings()) {
                assertThat(each.isSafe()).isFalse();
                assertThat(each.missing()).extracting(Member::node).contains(0);
            }
            TreeMap<Integer, Integer> accepted = new TreeMap<>();
            accepted.put(0, MapRecovery.LONGEST);
            assertThat(recovery.plan(stale, accepted).map()).isEmpty();
            accepted.put(1, 1);
            assertThat(recovery.plan(stale, accepted).map()).isPresent();

            start(0);
            MapRecovery.Result safe = recovery.plan(awaitWaiting(recovery, 0, 1), new TreeMap<>());
            assertThat(safe.findings())
                    .allMatch(MapRecovery.Finding::isSafe)
                    .allMatch(each -> each.node().orElseThrow() == 0);
            end(recovery, safe);
        }

        ready(0);
        ready(1);
        try (Client client = connect(1)) {
            callers.requireEachCountedOnce(client);
        }
    }

    /** The node that does not lead has the lost records, and starts later. */
    @Test
    void shouldTellEachNodeOfALossThatAnOperatorAccepted() throws Exception {
        startAll();
        try (Client client = connect(0)) {
            CounterCallers callers = CounterCallers.begin(client);
            callers.awaitCalls(100);
            stop(1);
            callers.awaitCalls(100);
            callers.stop();
        }
        stop(0);
        loseZooKeeper();
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger(ClusterAgent.class);
        log.addAppender(told);

        try {
            start(1);
            TreeMap<Integer, Integer> accepted = new TreeMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                accepted.put(partition, MapRecovery.LONGEST);
            }
            try (ClusterRecovery recovery = ClusterRecovery.begin(configurations.get(1), () -> false)) {
                end(recovery, recovery.plan(awaitWaiting(recovery, 1), accepted));
            }
            ready(1);
            assertThat(losses(told)).hasSize(PARTITIONS).allMatch(each -> each.contains("that node 0 acknowledged"));
            start(0);
            ready(0);
            CounterCallers.await(this::isWhole);
            assertThat(losses(told)).as("the loss at each node").hasSize(2 * PARTITIONS);
            stop(0);
            start(0);
            ready(0);
            assertThat(losses(told)).as("the loss, once at each node").hasSize(2 * PARTITIONS);
        } finally {
            log.detachAppender(told);
        }
    }

    private static List<String> losses(ListAppender<ILoggingEvent> told) {
        return List.copyOf(told.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(each ->
                        each.startsWith("An operator accepted the loss of acknowledged transactions. Partition "))
                .toList();
    }

    private boolean isWhole() {
        try {
            List<FollowerStatus> followers = ready(1).engine().replicas().stream()
                    .flatMap(replica -> replica.followers().stream())
                    .toList();
            return followers.size() == PARTITIONS && followers.stream().allMatch(FollowerStatus::inSync);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
