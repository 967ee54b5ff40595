package io.reprise.node.process;

import io.reprise.cluster.Levels;
import io.reprise.cluster.zookeeper.ClusterConfiguration;
import io.reprise.cluster.zookeeper.Coordination;
import io.reprise.cluster.zookeeper.EmbeddedZooKeeper;
import io.reprise.cluster.zookeeper.Registration;
import io.reprise.cluster.zookeeper.ZooKeeperMembership;
import io.reprise.cluster.zookeeper.ZooKeeperSecurity;
import io.reprise.cluster.zookeeper.ZooKeeperSettings;
import io.reprise.configuration.ClusterSection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.ClusterOptions;
import io.reprise.id.DatabaseId;
import io.reprise.net.peer.PeerPort;
import io.reprise.net.peer.PeerSettings;
import io.reprise.node.ServerCluster;
import io.reprise.node.http.ClusterView;
import io.reprise.node.security.PeerTlsFiles;
import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's parts of a node: a ZooKeeper server if the node runs one, the session with ZooKeeper, and the port for other nodes. They
 * are opened before the engine, which uses session and port, and closed after it.
 */
final class ClusterSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.cluster");
    private static final int USUAL_BUCKETS = 1024;
    private static final long LOOK_MS = 1000;

    private final ClusterSection section;
    private final int node;
    private Optional<EmbeddedZooKeeper> zooKeeper = Optional.empty();
    private Optional<ScheduledExecutorService> looking = Optional.empty();
    private PeerPort port;
    private ZooKeeperMembership membership;
    private ClusterConfiguration cluster;
    private ClusterOptions options;

    private ClusterSide(ClusterSection section, int node) {
        this.section = section;
        this.node = node;
    }

    /**
     * Opens all parts. Waits for contact with ZooKeeper, without a limit.
     *
     * @param http the URL of this node's HTTP server; empty if it has none
     * @param waiting is told why the node waits
     * @param stopped whether the node was told to stop, which ends the wait
     * @param failure is told why the node can't go on
     */
    static ClusterSide open(
            NodeConfiguration configuration,
            String http,
            Consumer<String> waiting,
            BooleanSupplier stopped,
            Consumer<String> failure) {
        ClusterSection section = configuration.cluster().orElseThrow();
        int node = section.node()
                .orElseThrow(() -> new IllegalArgumentException(
                        "cluster.node is missing; give each node its number, from 0" + " to " + (section.nodes() - 1)
                                + ". \"reprise arbiter\" runs a process without data"));
        ClusterSide side = new ClusterSide(section, node);
        try {
            side.openAll(configuration, http, waiting, stopped, failure);
            return side;
        } catch (RuntimeException | Error e) {
            side.close();
            throw e;
        }
    }

    private void openAll(
            NodeConfiguration configuration,
            String http,
            Consumer<String> waiting,
            BooleanSupplier stopped,
            Consumer<String> failure) {
        Path directory = configuration.data().directory();
        Optional<ClusterIdentity> known = ClusterIdentity.read(directory);
        known.ifPresent(found -> found.require(directory, section.name(), node));
        ZooKeeperSecurity security = ZooKeeperServer.security(section.zooKeeper());
        zooKeeper = ZooKeeperServer.of(section.zooKeeper(), security);
        LOG.info("Node {} of cluster {} looks for ZooKeeper at {}.", node, section.name(), servers(section));
        try (Coordination coordination = connect(section, security, stopped)) {
            cluster = coordination.configuration(wish(configuration), known.map(ClusterIdentity::id), waiting);
            coordination.requireLevel(Levels.OWN);
            ClusterIdentity identity =
                    known.orElseGet(() -> ClusterIdentity.create(section.name(), cluster.id(), node));
            port = new PeerPort(
                    peerSettings(),
                    SystemClock.INSTANCE,
                    threads(configuration.node().name()));
            coordination.register(registration(configuration, http, identity.instance()));
            if (known.isEmpty()) {
                identity.write(directory);
            }
            membership = coordination.membership(cluster, node, failure);
        }
        options = new ClusterOptions(
                node,
                section.nodes(),
                incarnation(),
                section.kSafety(),
                section.forced(),
                section.failureTimeout(),
                port,
                membership,
                peerAddress(),
                clientAddress(configuration),
                0);
    }

    /** A session with the cluster's ZooKeeper. Waits for contact, without a limit, until stopped. */
    static Coordination connect(ClusterSection section, ZooKeeperSecurity security, BooleanSupplier stopped) {
        return Coordination.open(
                new ZooKeeperSettings(servers(section), section.zooKeeper().sessionTimeout(), security),
                section.name(),
                stopped);
    }

    private static String servers(ClusterSection section) {
        return String.join(",", section.zooKeeper().servers());
    }

    /** The settings of a cluster as a node's configuration has them. */
    static ClusterConfiguration wish(NodeConfiguration configuration) {
        ClusterSection section = configuration.cluster().orElseThrow();
        int buckets = configuration.engine().buckets();
        return new ClusterConfiguration(
                section.name(),
                "",
                section.nodes(),
                section.partitions(),
                buckets == 0 ? USUAL_BUCKETS : buckets,
                section.kSafety(),
                section.forced());
    }

    private static long incarnation() {
        return Math.max(1, ByteBuffer.wrap(Secrets.bytes(Long.BYTES)).getLong() & Long.MAX_VALUE);
    }

    private PeerSettings peerSettings() {
        ClusterSection.Peer peer = section.peer();
        InetAddress address;
        try {
            address = InetAddress.getByName(peer.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("cluster.peer.address: there is no address " + peer.address(), e);
        }
        Optional<PeerTlsFiles> files = peer.certificate()
                .map(certificate -> new PeerTlsFiles(
                        certificate,
                        peer.key().orElseThrow(),
                        peer.authorities().orElseThrow()));
        files.ifPresent(this::look);
        DatabaseId database = new DatabaseId(
                Long.parseUnsignedLong(cluster.id(), 0, 16, 16), Long.parseUnsignedLong(cluster.id(), 16, 32, 16));
        return PeerSettings.of(
                section.name(),
                database,
                node,
                new InetSocketAddress(address, peer.port()),
                files.map(PeerTlsFiles::tls));
    }

    /** Reloads renewed certificates for peers while the node runs. */
    private void look(PeerTlsFiles files) {
        looking = Optional.of(Executors.newSingleThreadScheduledExecutor(threads("certificates")));
        looking.get().scheduleWithFixedDelay(() -> lookOnce(files), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Runs the task and logs its failure: a periodic task that throws would not run again. */
    private static void lookOnce(PeerTlsFiles files) {
        try {
            files.look();
        } catch (RuntimeException | Error e) {
            LOG.error("The check for a renewed certificate of this node failed; it is repeated", e);
        }
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> Thread.ofPlatform()
                .daemon()
                .name("reprise-" + name + "-peers-" + count.getAndIncrement())
                .unstarted(task);
    }

    private Registration registration(NodeConfiguration configuration, String http, String instance) {
        return new Registration(
                node,
                configuration.node().name(),
                section.zone(),
                peerAddress(),
                clientAddress(configuration),
                http,
                NodeProcess.VERSION,
                instance);
    }

    private String peerAddress() {
        return hostAndPort(section.peer().port());
    }

    private String clientAddress(NodeConfiguration configuration) {
        return configuration.clients().enabled()
                ? hostAndPort(configuration.clients().port())
                : "";
    }

    private String hostAndPort(int at) {
        String host = section.host();
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + at;
    }

    /** The server's place in the cluster. */
    ServerCluster server() {
        return new ServerCluster(node, port);
    }

    /** The settings of the engine. */
    ClusterOptions options() {
        return options;
    }

    /** The present view of the cluster. Any thread. */
    ClusterView view() {
        return ClusterViews.of(cluster, node, servers(section), membership.seen(), port);
    }

    /** Ends the session, so that others notice at once, then the port, then ZooKeeper's server. */
    @Override
    public void close() {
        if (membership != null) {
            membership.close();
        }
        if (port != null) {
            port.close();
        }
        looking.ifPresent(ScheduledExecutorService::shutdownNow);
        zooKeeper.ifPresent(EmbeddedZooKeeper::close);
    }
}
