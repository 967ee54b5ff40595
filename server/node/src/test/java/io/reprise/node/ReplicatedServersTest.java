package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.engine.ClusterLoad;
import io.reprise.wire.message.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers with replicated engines, over TCP: counters of numbered calls are exact after a node has failed. */
@Timeout(180)
final class ReplicatedServersTest {
    private static final int NODES = 3;
    private static final int COUNTERS = CounterCallers.COUNTERS;

    @TempDir
    Path directory;

    private CounterServers servers;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @BeforeEach
    void start() throws IOException {
        servers = new CounterServers(directory, NODES, NODES, Duration.ofMillis(500), (node, ofPort) -> ofPort);
        servers.start();
        servers.awaitTopology();
    }

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void shouldCountEachCallOnceOverAFailure() throws InterruptedException {
        try (Client client = servers.connect()) {
            CounterCallers callers = CounterCallers.begin(client);
            callers.awaitCalls(200);

            servers.fail(2);
            callers.awaitCalls(200);
            callers.stopAndRequireEachCountedOnce();
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
            CounterCallers.await(() -> updates.get() > 60 || failure.get() != null);
            servers.fail(2);
            long before = updates.get();
            CounterCallers.await(() -> updates.get() > before + 60 || failure.get() != null);
            stop.set(true);
            CounterCallers.await(() -> !caller.isAlive());

            assertThat(failure.get()).isNull();
            assertThat(number(survivor, "SELECT SUM(n) FROM counter")).isEqualTo(updates.get());
        }
    }

    private Connection postgres(int node) throws SQLException {
        int port = servers.of(node).postgresAddress().orElseThrow().getPort();
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
        try (Client client = servers.connect()) {
            CounterCallers callers = CounterCallers.begin(client);
            callers.awaitCalls(100);

            servers.of(2).engine().leaveCluster();
            CounterCallers.await(() -> servers.of(2).engine().hasLeftCluster());
            callers.awaitCalls(100);
            servers.fail(2);
            callers.awaitCalls(100);
            callers.requireNoFailure();
            servers.of(1).engine().leaveCluster();
            CounterCallers.await(() -> servers.of(1).engine().hasLeftCluster());
            callers.awaitCalls(100);
            callers.stopAndRequireEachCountedOnce();
        }
    }

    @Test
    void shouldKnowTheLoadOfAllBucketsAtEachNode() throws InterruptedException {
        try (Client client = servers.connect()) {
            CounterCallers callers = CounterCallers.begin(client);
            for (int node = 0; node < NODES; node++) {
                Server server = servers.of(node);
                CounterCallers.await(() -> {
                    ClusterLoad load = server.engine().clusterLoad().orElseThrow();
                    return load.nodes().equals(List.of(0, 1, 2)) && loadedPartitions(server, load) == NODES;
                });
            }
            callers.stopAndRequireEachCountedOnce();
        }
    }

    private static long loadedPartitions(Server server, ClusterLoad load) {
        return IntStream.range(0, load.buckets().length)
                .filter(bucket -> load.buckets()[bucket] > 0)
                .map(bucket -> server.engine().buckets().partition(bucket))
                .distinct()
                .count();
    }

    @Test
    void shouldServeEachCallAndStatementAtEachNode() throws IOException {
        try (Client client = servers.connect()) {
            for (long id = 0; id < COUNTERS; id++) {
                client.call("StartCounter", id);
            }
        }

        for (int node = 0; node < NODES; node++) {
            try (RawConnection connection =
                    RawConnection.greeted(servers.of(node).address(), 7 + node)) {
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
