package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.engine.ClusterOptions;
import io.reprise.engine.Options;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.net.peer.PeerPort;
import io.reprise.net.peer.PeerSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.runtime.time.SystemClock;
import io.reprise.wire.message.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers with replicated engines, over TCP: counters of numbered calls are exact after a node has failed. */
@Timeout(180)
final class ReplicatedServersTest {
    private static final int NODES = 3;
    private static final int COUNTERS = 30;
    private static final int CALLERS = 16;
    private static final DatabaseId DATABASE = DatabaseId.of(4, 2 << 8, Buckets.DEFAULT);
    private static final String DDL = """
            CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE counter ON COLUMN id;
            CREATE PROCEDURE StartCounter PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS INSERT INTO counter VALUES (?, 0);
            CREATE PROCEDURE CountOne PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS
                UPDATE counter SET n = n + 1 WHERE id = ?;
            CREATE PROCEDURE GetCounter PARTITION ON TABLE counter COLUMN id PARAMETER 0 AS SELECT n FROM counter WHERE id = ?;
            """;

    @TempDir
    Path directory;

    private final LocalMembership membership = new LocalMembership();
    private final PeerPort[] peers = new PeerPort[NODES];
    private final Server[] servers = new Server[NODES];
    private final AtomicLong[] counted = new AtomicLong[COUNTERS];
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @BeforeEach
    void start() throws IOException {
        for (int node = 0; node < NODES; node++) {
            start(node);
        }
        for (int node = 0; node < NODES; node++) {
            Server server = servers[node];
            await(() -> server.engine().topology().isPresent());
        }
        for (int i = 0; i < COUNTERS; i++) {
            counted[i] = new AtomicLong();
        }
    }

    @AfterEach
    void close() {
        for (int node = 0; node < NODES; node++) {
            fail(node);
        }
    }

    private void start(int node) throws IOException {
        PeerPort port = new PeerPort(
                PeerSettings.of("test", DATABASE, node, loopback(0)),
                SystemClock.INSTANCE,
                task -> Thread.ofPlatform().daemon().name("peers-" + node).unstarted(task));
        int clients = freePort();
        ClusterOptions cluster = new ClusterOptions(
                node,
                NODES,
                1 + (System.nanoTime() & Long.MAX_VALUE >> 1),
                1,
                true,
                Duration.ofMillis(500),
                port,
                membership.of(node),
                "127.0.0.1:" + port.address().getPort(),
                "127.0.0.1:" + clients,
                0);
        Options options = Options.create()
                .name("node-" + node)
                .partitions(NODES)
                .memoryPerPartition(64 << 20)
                .directory(directory.resolve("node-" + node))
                .ddl(DDL)
                .cluster(cluster);
        peers[node] = port;
        PortSettings listen = PortSettings.at(loopback(clients));
        servers[node] = Server.open(
                options,
                listen,
                Optional.of(new PostgresSettings(PortSettings.at(loopback(0)).listen(), listen.limits())),
                Optional.of(new ServerCluster(node, port)),
                () -> {});
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Cuts a node off and ends it. */
    private void fail(int node) {
        if (servers[node] != null) {
            peers[node].close();
            membership.end(node);
            servers[node].close();
            servers[node] = null;
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).isLessThan(60_000_000_000L);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Client connect() {
        return Client.connect(ClientSettings.to(servers[0].address(), servers[1].address())
                .withCallTimeout(Duration.ofSeconds(60))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(50)));
    }

    private List<Thread> callers(Client client) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int first = i;
            callers.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int id = first; !stop.get(); id = (id + CALLERS) % COUNTERS) {
                        client.call("CountOne", (long) id);
                        counted[id].incrementAndGet();
                    }
                } catch (RuntimeException | Error wrong) {
                    failure.set(wrong);
                }
            }));
        }
        return callers;
    }

    /** Ends the callers: no call has failed, and each was counted once. */
    private void requireEachCountedOnce(Client client, List<Thread> callers) throws InterruptedException {
        stop.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(failure.get()).isNull();
        for (int id = 0; id < COUNTERS; id++) {
            var rows = client.call("GetCounter", (long) id).rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.longAt(0)).as("counter " + id).isEqualTo(counted[id].get());
        }
    }

    private long all() {
        long sum = 0;
        for (AtomicLong each : counted) {
            sum += each.get();
        }
        return sum;
    }

    private void awaitCalls(int more) {
        long begin = all();
        await(() -> all() >= begin + more || failure.get() != null);
    }

    @Test
    void shouldCountEachCallOnceOverAFailure() throws InterruptedException {
        try (Client client = connect()) {
            for (long id = 0; id < COUNTERS; id++) {
                client.call("StartCounter", id);
            }
            List<Thread> callers = callers(client);
            awaitCalls(200);

            fail(2);
            awaitCalls(200);
            requireEachCountedOnce(client, callers);
        }
    }

    @Test
    void shouldServePostgresClientsAtEachNodeOverAFailure() throws SQLException {
        try (Connection first = postgres(0);
                Connection second = postgres(1);
                Connection third = postgres(2)) {
            for (int id = 0; id < COUNTERS; id++) {
                Connection at = List.of(first, second, third).get(id % NODES);
                String insert = "INSERT INTO counter VALUES (" + id + ", 0)";
                retry(() -> update(at, insert));
            }
            for (Connection each : List.of(first, second, third)) {
                retry(() -> transfer(each));
            }
            assertThat(number(third, "SELECT SUM(n) FROM counter")).isZero();
            assertThat(number(second, "SELECT n FROM counter WHERE id = 1")).isEqualTo(-9);
        }
        try (Connection survivor = postgres(0)) {
            AtomicLong updates = new AtomicLong();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; !stop.get(); i++) {
                        update(survivor, "UPDATE counter SET n = n + 1 WHERE id = " + i % COUNTERS);
                        updates.incrementAndGet();
                    }
                } catch (SQLException | RuntimeException | Error wrong) {
                    failure.set(wrong);
                }
            });
            await(() -> updates.get() > 60 || failure.get() != null);
            fail(2);
            long before = updates.get();
            await(() -> updates.get() > before + 60 || failure.get() != null);
            stop.set(true);
            await(() -> !caller.isAlive());

            assertThat(failure.get()).isNull();
            assertThat(number(survivor, "SELECT SUM(n) FROM counter")).isEqualTo(updates.get());
        }
    }

    private Connection postgres(int node) throws SQLException {
        int port = servers[node].postgresAddress().orElseThrow().getPort();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/any?user=ann&sslmode=disable");
    }

    /** Moves 3 between two counters of different partitions, and takes something else back. */
    private static void transfer(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try {
            update(connection, "UPDATE counter SET n = n - 3 WHERE id = 1");
            Savepoint before = connection.setSavepoint();
            update(connection, "UPDATE counter SET n = n + 1000");
            connection.rollback(before);
            update(connection, "UPDATE counter SET n = n + 3 WHERE id = 2");
            assertThat(number(connection, "SELECT SUM(n) FROM counter")).isZero();
            connection.commit();
        } catch (SQLException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private interface Action {
        void run() throws SQLException;
    }

    /** A new cluster may reject what comes before its leaders are known. */
    private static void retry(Action action) throws SQLException {
        for (int attempt = 0; ; attempt++) {
            try {
                action.run();
                return;
            } catch (SQLException refused) {
                boolean isPassing = refused.getSQLState().startsWith("40")
                        || refused.getSQLState().startsWith("57");
                if (attempt == 100 || !isPassing) {
                    throw refused;
                }
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    @Test
    void shouldShowClientsNoErrorWhenLeadersAreHandedOver() throws InterruptedException {
        try (Client client = connect()) {
            for (long id = 0; id < COUNTERS; id++) {
                client.call("StartCounter", id);
            }
            List<Thread> callers = callers(client);
            awaitCalls(100);

            servers[2].engine().leaveCluster();
            await(() -> servers[2].engine().hasLeftCluster());
            awaitCalls(100);
            fail(2);
            awaitCalls(100);
            assertThat(failure.get()).isNull();
            servers[1].engine().leaveCluster();
            await(() -> servers[1].engine().hasLeftCluster());
            awaitCalls(100);
            requireEachCountedOnce(client, callers);
        }
    }

    @Test
    void shouldServeEachCallAndStatementAtEachNode() throws IOException {
        try (Client client = connect()) {
            for (long id = 0; id < COUNTERS; id++) {
                client.call("StartCounter", id);
            }
        }

        for (int node = 0; node < NODES; node++) {
            try (RawConnection connection = RawConnection.greeted(servers[node].address(), 7 + node)) {
                int count = connection.handle("CountOne");
                for (long id = 0; id < COUNTERS; id++) {
                    Reply reply = connection.call(count, id + 1, 0, id);
                    assertThat(reply.getValue().getInteger())
                            .as(reply.toString())
                            .isEqualTo(1);
                    Reply read = connection.statement("SELECT n FROM counter WHERE id = " + id);
                    assertThat(read.getTable().getRow(0).getValue(0).getInteger())
                            .as(read.toString())
                            .isEqualTo(node + 1);
                }
            }
        }
    }
}
