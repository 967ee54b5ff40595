package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.Rows;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes that gets a node, loses one, is backed up, and restored with another number of nodes, under load. */
@Tag("long")
final class ClusterGrowthProcessTest {
    private static final int KEYS = 8;
    private static final long PATIENCE_NS = 120_000_000_000L;
    private static final String SCHEMA = """
            CREATE TABLE counters (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE counters ON COLUMN id;
            CREATE PROCEDURE Make PARTITION ON TABLE counters COLUMN id AS INSERT INTO counters VALUES (?, 0);
            CREATE PROCEDURE Bump PARTITION ON TABLE counters COLUMN id AS UPDATE counters SET n = n + 1 WHERE id = ?;
            CREATE PROCEDURE Look PARTITION ON TABLE counters COLUMN id AS SELECT n FROM counters WHERE id = ?;
            """;

    @TempDir
    private Path temporary;

    private final AtomicLongArray counted = new AtomicLongArray(KEYS);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean loading = new AtomicBoolean(true);

    private Path folder(String name) {
        return temporary.resolve(name);
    }

    @AfterEach
    void end() {
        loading.set(false);
        for (String name : List.of("first", "second")) {
            ClusterFolder cluster = new ClusterFolder(folder(name));
            for (int node = 0; node < 3; node++) {
                node(name, node).flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
            }
            cluster.zooKeeper().flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(temporary, "out", ".txt");
        Process process = new ProcessBuilder(CommandProcess.line(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as("%s", text).isZero();
        return text;
    }

    private Optional<RunFile> node(String cluster, int node) {
        return ClusterFolder.running(folder(cluster).resolve("node-" + node));
    }

    private static void await(String what, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).as(what).isLessThan(PATIENCE_NS);
            LockSupport.parkNanos(50_000_000);
        }
    }

    private Client client(String cluster, int... nodes) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int node : nodes) {
            String[] clients = node(cluster, node).orElseThrow().clients().split(":");
            addresses.add(new InetSocketAddress(clients[0], Integer.parseInt(clients[1])));
        }
        return Client.connect(
                ClientSettings.to(addresses.toArray(InetSocketAddress[]::new)).withCallTimeout(Duration.ofSeconds(60)));
    }

    /** One call after the other for each key; each acknowledged one is counted. */
    private void bump(Client client, int key) {
        if (!loading.get()) {
            return;
        }
        client.callAsync("Bump", (long) key).whenComplete((reply, problem) -> {
            if (problem != null) {
                failure.compareAndSet(null, problem);
            } else {
                counted.incrementAndGet(key);
                bump(client, key);
            }
        });
    }

    private void awaitProgress(String when) {
        for (int key = 0; key < KEYS; key++) {
            int of = key;
            long before = counted.get(key);
            await(when + ": key " + key + ", failure " + failure.get(), () -> counted.get(of) > before + 1);
        }
    }

    @Test
    void shouldCountEachCallOnceWhileNodesComeAndGo() throws IOException, InterruptedException {
        Path schema = Files.writeString(temporary.resolve("schema.sql"), SCHEMA);
        String first = folder("first").toString();
        String[] start = {"cluster", "start", "--dir", first};
        run(
                start[0],
                start[1],
                start[2],
                start[3],
                "--nodes",
                "2",
                "--k",
                "1",
                "--memory",
                "64MiB",
                "--ddl",
                schema.toString());
        long[] before = new long[KEYS];
        Path backup = temporary.resolve("backup");
        try (Client client = client("first", 0, 1)) {
            for (int key = 0; key < KEYS; key++) {
                client.call("Make", (long) key);
            }
            for (int key = 0; key < KEYS; key++) {
                bump(client, key);
            }
            awaitProgress("at first");

            assertThat(run("cluster", "add", "--dir", first)).contains("Node 2 has its share of replicas and leads.");
            awaitProgress("with three nodes");
            assertThat(run("cluster", "status", "--dir", first)).contains("3 nodes, k=1");

            node("first", 1).flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
            awaitProgress("with a node dead");
            assertThat(run("cluster", "remove", "1", "--dir", first)).contains("Node 1 is removed from the cluster.");
            awaitProgress("with two nodes");
            assertThat(run("cluster", "status", "--wait", "60", "--dir", first)).contains("2 nodes, k=1");

            assertThat(run("cluster", "move", "--buckets", "0-1000,1001-1023", "--to", "0", "--dir", first))
                    .contains("buckets are on the move");
            awaitProgress("with all buckets in one partition");
            assertThat(run("cluster", "move", "--dir", first)).contains("on the move");
            awaitProgress("with spread buckets");

            assertThat(run("cluster", "snapshot", "--dir", first)).contains("node-0: ", "node-2: ");

            for (int key = 0; key < KEYS; key++) {
                before[key] = counted.get(key);
            }
            assertThat(run("cluster", "backup", backup.toString(), "--dir", first))
                    .contains("The cut is ");
            awaitProgress("behind the backup");
            loading.set(false);
            await("an end of all calls", () -> client.metrics().underWay() == 0);
            assertThat(failure.get()).isNull();
            for (int key = 0; key < KEYS; key++) {
                assertThat(look(client, key)).as("key " + key).isEqualTo(counted.get(key));
            }
        }
        run("cluster", "stop", "--dir", first);

        String second = folder("second").toString();
        run("cluster", "restore", backup.toString(), "--dir", second, "--nodes", "1", "--memory", "64MiB");
        run("cluster", "start", "--dir", second);
        try (Client client = client("second", 0)) {
            for (int key = 0; key < KEYS; key++) {
                assertThat(look(client, key)).as("key " + key).isBetween(before[key], counted.get(key));
            }
        }
    }

    private static long look(Client client, int key) {
        Rows rows = client.call("Look", (long) key).rows();
        assertThat(rows.next()).isTrue();
        return rows.longAt(0);
    }
}
