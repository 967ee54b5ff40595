package io.reprise.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClusterSectionTest {
    private static final Path BASE = Path.of("/etc/reprise");
    private static final Path SAMPLES = Path.of("samples");

    private static NodeConfiguration parse(String text) {
        return ConfigurationFile.parse(text, "node.yaml", BASE);
    }

    private static ClusterSection cluster(String keys) {
        return parse("cluster: {name: shop, zookeeper: {servers: [zk:2181]}, " + keys + "}")
                .cluster()
                .orElseThrow();
    }

    @Test
    void shouldBeAloneWithoutTheSection() {
        assertThat(parse("").cluster()).isEmpty();
        assertThat(parse("cluster:\n").cluster()).isEmpty();
    }

    @Test
    void shouldGiveDefaultsWhenOnlyWhatIsRequiredIsSaid() {
        NodeConfiguration read = parse("cluster: {name: shop, node: 2, zookeeper: {servers: [zk:2181]}}");

        assertThat(read.cluster())
                .contains(new ClusterSection(
                        "shop",
                        OptionalInt.of(2),
                        "",
                        "127.0.0.1",
                        3,
                        1,
                        6,
                        true,
                        Duration.ofSeconds(1),
                        new ClusterSection.ZooKeeper(
                                List.of("zk:2181"),
                                OptionalInt.empty(),
                                BASE.resolve("zookeeper"),
                                Duration.ofSeconds(6),
                                Optional.empty(),
                                Optional.empty()),
                        new ClusterSection.Peer(
                                "127.0.0.1", 21213, Optional.empty(), Optional.empty(), Optional.empty())));
        assertThat(read.engine().partitions()).isEqualTo(6);
        assertThat(read.node().name()).isEqualTo("shop-2");
    }

    @Test
    void shouldReadEachKeyWhenItIsSaid() {
        ClusterSection read = parse("""
                cluster:
                  name: shop
                  node: 4
                  zone: b
                  host: db4.example
                  nodes: 5
                  kSafety: 2
                  partitions: 40
                  acknowledge: replicated
                  failureTimeout: 300ms
                  zookeeper:
                    servers: [a:2181, b:2181, "[::1]:2181"]
                    server: 3
                    directory: /zk
                    sessionTimeout: 10s
                  peer:
                    address: 0.0.0.0
                    port: 4000
                    certificate: n.crt
                    key: n.key
                    authorities: ca.crt
                """).cluster().orElseThrow();

        assertThat(read)
                .isEqualTo(new ClusterSection(
                        "shop",
                        OptionalInt.of(4),
                        "b",
                        "db4.example",
                        5,
                        2,
                        40,
                        false,
                        Duration.ofMillis(300),
                        new ClusterSection.ZooKeeper(
                                List.of("a:2181", "b:2181", "[::1]:2181"),
                                OptionalInt.of(3),
                                Path.of("/zk"),
                                Duration.ofSeconds(10),
                                Optional.empty(),
                                Optional.empty()),
                        new ClusterSection.Peer(
                                "0.0.0.0",
                                4000,
                                Optional.of(BASE.resolve("n.crt")),
                                Optional.of(BASE.resolve("n.key")),
                                Optional.of(BASE.resolve("ca.crt")))));
    }

    @Test
    void shouldHaveNoCopyWhenThereIsOneNode() {
        assertThat(cluster("nodes: 1").kSafety()).isZero();
        assertThat(cluster("nodes: 1").partitions()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node: 1024 | 'cluster.node' must be a whole number from 0 to 1023",
                "kSafety: 3 | 'cluster.kSafety' is 3; with 3 nodes a partition can have at most 2 copies beyond the first",
                "acknowledge: soon | 'cluster.acknowledge' must be one of forced, replicated; it is 'soon'",
                "failureTimeout: 1ms | 'cluster.failureTimeout' must be 50ms or more; it is 1ms",
                "peer: {address: 0.0.0.0} | 'cluster.host' is missing; 'cluster.peer.address' is 0.0.0.0",
                "peer: {key: a.key} | 'cluster.peer.certificate' is missing; TLS between nodes needs",
                "peers: 1 | there is no key 'cluster.peers'; did you mean 'cluster.peer'?",
            })
    void shouldSayWhatIsWrong(String keys, String message) {
        assertThatThrownBy(() -> cluster(keys))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node: 1 | 'cluster.name' is missing",
                "name: a/b | must be 1 to 63 letters, digits, hyphens and underscores; it is 'a/b'",
                "name: a | 'cluster.zookeeper.servers' is missing; it lists",
                "name: a, zookeeper: {servers: [zk]} | must have host:port of each server; one is 'zk'",
                "name: a, zookeeper: {servers: ['a:1', 'b:1'], server: 1} | names 2; run 1, 3 or 5 servers",
                "name: a, zookeeper: {servers: ['a:1'], tls: {key: k}} | 'cluster.zookeeper.tls.certificate' is missing; TLS with",
                "name: a, zookeeper: {servers: ['a:1'], user: shop} | 'cluster.zookeeper.passwordFile' is missing; a login at",
                "name: a, zookeeper: {servers: ['a:1'], passwordFile: p} | 'cluster.zookeeper.user' is missing; a login at",
                "name: a, zookeeper: {servers: ['a:1'], sessionTimeout: 1h} | 'cluster.zookeeper.sessionTimeout' must be 2min",
            })
    void shouldSayWhatIsMissing(String keys, String message) {
        assertThatThrownBy(() -> parse("cluster: {" + keys + "}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engine: {partitions: 4} | 'engine.partitions' is for a node that serves alone",
                "log: {synchronous: false} | a node of a cluster forces its log",
                "clients: {port: 0} | 'clients.port' is 0; other nodes and clients must find",
            })
    void shouldRefuseSettingsThatDoNotFitACluster(String other, String message) {
        assertThatThrownBy(() -> parse("cluster: {name: a, node: 0, zookeeper: {servers: ['a:1']}}\n" + other))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldHaveEveryKeyInTheSample() throws IOException {
        List<String> lines = Files.readAllLines(SAMPLES.resolve("cluster-node.yaml"));

        assertThat(Stream.of(
                                ClusterSection.class,
                                ClusterSection.ZooKeeper.class,
                                ClusterSection.Tls.class,
                                ClusterSection.Login.class,
                                ClusterSection.Peer.class)
                        .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                        .map(component -> switch (component.getName()) {
                            case "forced" -> "acknowledge";
                            case "zooKeeper" -> "zookeeper";
                            case "login" -> "user";
                            default -> component.getName();
                        }))
                .hasSizeGreaterThan(15)
                .allSatisfy(key ->
                        assertThat(lines).as("the key %s", key).anyMatch(line -> line.matches("[ #]*" + key + ":.*")));
    }

    @Test
    void shouldStateTheDefaultsInTheSample() {
        ClusterSection sample = ConfigurationFile.read(SAMPLES.resolve("cluster-node.yaml"))
                .cluster()
                .orElseThrow();

        assertThat(sample)
                .isEqualTo(ConfigurationFile.parse(
                                "cluster: {name: shop, node: 0, zookeeper: {servers: ['127.0.0.1:21210']}}",
                                "x",
                                SAMPLES.toAbsolutePath())
                        .cluster()
                        .orElseThrow());
    }

    @Test
    void shouldAgreeInTheSamplesOfACluster() {
        for (String folder : List.of("cluster-dev", "cluster-secure", "two-nodes-arbiter")) {
            ClusterSection first = sample(folder, 0);
            for (int node = 1; node < first.nodes(); node++) {
                ClusterSection other = sample(folder, node);

                assertThat(other.node()).hasValue(node);
                assertThat(other.zooKeeper().servers())
                        .isEqualTo(first.zooKeeper().servers());
                assertThat(List.of(other.name(), other.nodes(), other.kSafety(), other.partitions()))
                        .isEqualTo(List.of(first.name(), first.nodes(), first.kSafety(), first.partitions()));
            }
        }
    }

    private static ClusterSection sample(String folder, int node) {
        return ConfigurationFile.read(SAMPLES.resolve(folder).resolve("node-" + node + ".yaml"))
                .cluster()
                .orElseThrow();
    }
}
