package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and ZooKeeper as processes, started and stopped by the command line, under the load of a {@link ClusterHistory}. */
@Tag("long")
final class ClusterProcessTest {
    @TempDir
    private Path temporary;

    private final ClusterHistory history = new ClusterHistory();

    private Path schema() throws IOException {
        return Files.writeString(temporary.resolve("schema.sql"), ClusterHistory.SCHEMA);
    }

    @Test
    void shouldCountEachCallOnceWhileANodeIsKilledAndAnotherIsSuspended() throws IOException, InterruptedException {
        try (ClusterUnderTest cluster = new ClusterUnderTest(temporary.resolve("three"))) {
            assertThat(cluster.run(
                            0, "start", "--nodes", "3", "--k", "1", "--memory", "64MiB", "--ddl", schema().toString()))
                    .contains("3 nodes, 6 partitions, k=1")
                    .contains("reprise sql --server 127.0.0.1:");
            try (Client client = cluster.client(0, 1, 2)) {
                history.begin(client);
                history.awaitProgress("at first");

                int killed = cluster.leader(0, 0);
                int other = (killed + 1) % 3;
                cluster.signal(killed, "KILL");
                ClusterHistory.await("another leader", () -> {
                    int leader = cluster.leader(other, 0);
                    return leader >= 0 && leader != killed;
                });
                history.awaitProgress("with a node dead");
                cluster.awaitEnd(killed);
                cluster.run(0, "start");
                cluster.awaitWhole(other, 2);
                history.awaitProgress("with the node back");

                cluster.signal(other, "STOP");
                history.awaitProgress("with a suspended node");
                cluster.signal(other, "CONT");
                cluster.awaitWhole(killed, 2);
                history.awaitProgress("with the node that goes on");

                history.stop(client);
                history.check(client);
            } finally {
                history.abandon();
            }
        }
    }

    @Test
    void shouldCountEachCallOnceWhileNodesComeAndGo() throws IOException, InterruptedException {
        Path backup = temporary.resolve("backup");
        long[] before;
        try (ClusterUnderTest cluster = new ClusterUnderTest(temporary.resolve("first"))) {
            cluster.run(0, "start", "--nodes", "2", "--k", "1", "--memory", "64MiB", "--ddl", schema().toString());
            try (Client client = cluster.client(0, 1)) {
                history.begin(client);
                history.awaitProgress("at first");

                assertThat(cluster.run(0, "add")).contains("Node 2 has its share of replicas and leads.");
                history.awaitProgress("with three nodes");
                assertThat(cluster.run(0, "status"))
                        .contains("3 nodes, k=1, acknowledge forced")
                        .doesNotContain("none");
                int[] leaders = leaders(cluster);

                assertThat(cluster.run(0, "restart", "--rolling"))
                        .contains("Node 2 was restarted.")
                        .contains("All 3 nodes were restarted, and all replicas are in sync.");
                requireHandovers(cluster);
                ClusterHistory.await("the first leaders", () -> Arrays.equals(leaders(cluster), leaders));
                history.awaitProgress("after a rolling restart");

                cluster.signal(1, "KILL");
                history.awaitProgress("with a node dead");
                cluster.awaitEnd(1);
                assertThat(cluster.run(0, "remove", "1")).contains("Node 1 is removed from the cluster.");
                history.awaitProgress("with two nodes");
                assertThat(cluster.run(0, "status", "--wait", "60")).contains("2 nodes, k=1");

                before = history.acknowledged();
                assertThat(cluster.run(0, "backup", backup.toString())).contains("The cut is ");
                history.awaitProgress("behind the backup");
                history.stop(client);
                history.check(client);
            } finally {
                history.abandon();
            }
            assertThat(cluster.run(0, "stop")).contains("has stopped: 2 nodes and ZooKeeper.");
            cluster.run(0, "start");
            try (Client client = cluster.client(0)) {
                history.check(client);
            }
        }
        try (ClusterUnderTest restored = new ClusterUnderTest(temporary.resolve("second"))) {
            restored.run(0, "restore", backup.toString(), "--nodes", "1", "--memory", "64MiB");
            restored.run(0, "start");
            try (Client client = restored.client(0)) {
                history.check(client, before);
            }
        }
    }

    @Test
    void shouldHaveEachCallWhenZooKeeperHasLostItsData() throws IOException, InterruptedException {
        try (ClusterUnderTest cluster = new ClusterUnderTest(temporary.resolve("lost"))) {
            cluster.run(0, "start", "--nodes", "3", "--k", "1", "--memory", "64MiB", "--ddl", schema().toString());
            try (Client client = cluster.client(0, 1, 2)) {
                history.begin(client);
                history.awaitProgress("at first");
                cluster.signal(1, "KILL");
                history.awaitProgress("with a node dead");
                cluster.awaitEnd(1);
                assertThat(cluster.run(3, "recover")).contains("there is nothing to recover");
                history.stop(client);
            } finally {
                history.abandon();
            }
            cluster.kill(0);
            cluster.kill(2);
            cluster.loseZooKeeper();

            assertThat(cluster.run(0, "recover"))
                    .contains("with each acknowledged transaction")
                    .doesNotContain("missing")
                    .contains("The map is made.");
            cluster.awaitWhole(0, 2);
            try (Client client = cluster.client(0)) {
                history.check(client);
            }
            assertThat(Files.readString(cluster.log(0))).contains("The cluster's map was made anew");
        }
    }

    private static int[] leaders(ClusterUnderTest cluster) {
        return IntStream.range(0, 4)
                .map(partition -> cluster.leader(0, partition))
                .toArray();
    }

    /** No node gave anything up by a timeout when it stopped. */
    private static void requireHandovers(ClusterUnderTest cluster) throws IOException {
        for (int node = 0; node < 3; node++) {
            assertThat(Files.readString(cluster.log(node)))
                    .contains("has stopped.")
                    .doesNotContain("before it has handed over");
        }
    }
}
