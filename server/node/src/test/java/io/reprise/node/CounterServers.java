package io.reprise.node;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.cluster.Levels;
import io.reprise.cluster.Links;
import io.reprise.cluster.PartitionMap;
import io.reprise.engine.ClusterOptions;
import io.reprise.engine.Options;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.net.peer.PeerPort;
import io.reprise.net.peer.PeerSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Servers with replicated engines and a table of counters, over TCP on loopback, with k=1. Clients may use the native protocol or
 * PostgreSQL's. A node that fails is cut off from the others first.
 */
final class CounterServers implements AutoCloseable {
    private static final DatabaseId DATABASE = DatabaseId.of(4, 2 << 8, Buckets.DEFAULT);
    static final String DDL = """
            CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE PROCEDURE StartCounter PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS INSERT INTO counter VALUES (?, 0);
            CREATE PROCEDURE CountOne PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS
                UPDATE counter SET n = n + 1 WHERE id = ?;
            CREATE PROCEDURE GetCounter PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS SELECT n FROM counter WHERE id = ?;
            """;

    private final Path directory;
    private final int partitions;
    private final Duration failureTimeout;
    private final LinksOf linksOf;
    private final LocalMembership membership = new LocalMembership();
    private final PeerPort[] peers;
    private final Server[] servers;
    private Levels levels = Levels.OWN;

    /** The links of a node over those of its port. */
    interface LinksOf {
        Links of(int node, Links ofPort);
    }

    /** Servers that are started one by one, or all. */
    CounterServers(Path directory, int nodes, int partitions, Duration failureTimeout, LinksOf linksOf) {
        this.directory = directory;
        this.partitions = partitions;
        this.failureTimeout = failureTimeout;
        this.linksOf = linksOf;
        peers = new PeerPort[nodes];
        servers = new Server[nodes];
    }

    /** The levels of the nodes that are started from now on. */
    void levels(Levels spoken) {
        levels = spoken;
    }

    void start() throws IOException {
        for (int node = 0; node < servers.length; node++) {
            start(node);
        }
    }

    void start(int node) throws IOException {
        PeerPort port = new PeerPort(
                PeerSettings.of("test", DATABASE, node, loopback(0)).withLevels(levels),
                SystemClock.INSTANCE,
                task -> Thread.ofPlatform().daemon().name("peers-" + node).unstarted(task));
        int clients = freePort();
        Options options = Options.create()
                .name("node-" + node)
                .partitions(partitions)
                .memoryPerPartition(16 << 20)
                .directory(directory.resolve("node-" + node))
                .ddl(DDL)
                .cluster(new ClusterOptions(
                                node,
                                servers.length,
                                1 + (System.nanoTime() & Long.MAX_VALUE >> 1),
                                1,
                                true,
                                failureTimeout,
                                linksOf.of(node, port),
                                membership.of(node),
                                "127.0.0.1:" + port.address().getPort(),
                                "127.0.0.1:" + clients,
                                0)
                        .withLevels(levels));
        peers[node] = port;
        PortSettings listen = PortSettings.at(loopback(clients));
        try {
            servers[node] = Server.open(
                    options,
                    listen,
                    Optional.of(
                            new PostgresSettings(PortSettings.at(loopback(0)).listen(), listen.limits())),
                    Optional.of(new ServerCluster(node, port)),
                    () -> {});
        } catch (RuntimeException | Error failure) {
            port.close();
            throw failure;
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Waits until each node knows the leaders of partitions. */
    void awaitTopology() {
        for (Server server : servers) {
            CounterCallers.await(() -> server.engine().topology().isPresent());
        }
    }

    /** A client of the first two nodes. */
    Client connect() {
        return connect(servers[0].address(), servers[1].address());
    }

    /** A client whose calls outlast the failure of a node, and that reconnects soon. */
    static Client connect(InetSocketAddress... nodes) {
        return Client.connect(ClientSettings.to(nodes)
                .withCallTimeout(Duration.ofSeconds(60))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    /** The server of a node that runs. */
    Server of(int node) {
        return servers[node];
    }

    /** Stops a node in order: others take over before it ends. */
    void stop(int node) {
        servers[node].engine().leaveCluster();
        CounterCallers.await(() -> servers[node].engine().hasLeftCluster());
        fail(node);
    }

    /** The map as the membership service has it. */
    PartitionMap map() {
        return PartitionMap.decode(membership.map().content());
    }

    /** Waits until all replicas are in sync under the runs of their nodes. */
    void awaitInSync() {
        CounterCallers.await(() -> map().partitions().stream()
                .allMatch(line -> line.holders().stream()
                        .allMatch(node -> line.member(node)
                                .filter(member -> membership.incarnation(node) == member.incarnation())
                                .isPresent())));
    }

    /** Cuts a node off and ends it. */
    void fail(int node) {
        if (servers[node] != null) {
            peers[node].close();
            membership.end(node);
            servers[node].close();
            servers[node] = null;
        }
    }

    @Override
    public void close() {
        for (int node = 0; node < servers.length; node++) {
            fail(node);
        }
    }
}
