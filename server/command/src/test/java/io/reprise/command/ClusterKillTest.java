package io.reprise.command;

import io.reprise.client.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes as processes, each with all partitions, under the load of a {@link ClusterHistory}: one is killed, then another one stands
 * still, so that the last one serves alone; both come back. {@link ClusterProcessTest} takes more time and shows more.
 */
final class ClusterKillTest {
    @TempDir
    private Path temporary;

    private final ClusterHistory history = new ClusterHistory();

    @Test
    void shouldCountEachCallOnceWhenANodeIsKilledAnotherStandsStillAndBothComeBack()
            throws IOException, InterruptedException {
        Path schema = Files.writeString(temporary.resolve("schema.sql"), ClusterHistory.SCHEMA);
        try (ClusterUnderTest cluster = new ClusterUnderTest(temporary.resolve("three"))) {
            cluster.run(0, "start", "--nodes", "3", "--k", "2", "--memory", "64MiB", "--ddl", schema.toString());
            try (Client client = cluster.client(0, 1, 2)) {
                history.begin(client);
                history.awaitProgress("at first");

                int killed = cluster.leader(0, 0);
                cluster.signal(killed, "KILL");
                history.awaitProgress("with a node dead");

                int suspended = (killed + 1) % 3;
                cluster.signal(suspended, "STOP");
                history.awaitProgress("with another one suspended");
                cluster.signal(suspended, "CONT");
                cluster.awaitEnd(killed);
                cluster.run(0, "start");
                cluster.awaitWhole(killed, 3);
                history.awaitProgress("with all nodes");

                history.stop(client);
                history.check(client);
            } finally {
                history.abandon();
            }
        }
    }
}
