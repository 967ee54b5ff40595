package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ResultRows;
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

/** Three nodes and ZooKeeper as processes, started and stopped by the command line. */
@Tag("long")
final class ClusterProcessTest {
    private static final int KEYS = 12;
    private static final long PATIENCE_NS = 60_000_000_000L;
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

    private Path folder() {
        return temporary.resolve("three");
    }

    @AfterEach
    void end() throws InterruptedException {
        loading.set(false);
        ClusterFolder cluster = new ClusterFolder(folder());
        if (cluster.exists()) {
            for (int node = 0; node < 3; node++) {
                kill(node, "CONT");
                kill(node, "KILL");
            }
            cluster.zooKeeper().flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private String run(int code, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(temporary, "out", ".txt");
        Process process = new ProcessBuilder(CommandProcess.line(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        String text = Files.readString(output);
        assertThat(process.exitValue()).as("%s", text).isEqualTo(code);
        return text;
    }

    private Optional<RunFile> node(int node) {
        return ClusterFolder.running(folder().resolve("node-" + node));
    }

    private void kill(int node, String signal) throws InterruptedException {
        Optional<RunFile> running = node(node);
        if (running.isPresent()) {
            try {
                new ProcessBuilder(
                                "kill",
                                "-" + signal,
                                String.valueOf(running.get().pid()))
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - beganNs).as(what).isLessThan(PATIENCE_NS);
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** As the given node sees it. */
    private Optional<JsonNode> view(int node) {
        return ClusterStatusCommand.view(List.of(folder().resolve("node-" + node)));
    }

    private boolean allInSync(int node, int copies) {
        Optional<JsonNode> view = view(node);
        if (view.isEmpty() || !view.get().path("allLed").asBoolean()) {
            return false;
        }
        for (JsonNode partition : view.get().path("partitions")) {
            if (partition.path("inSync").size() != copies) {
                return false;
            }
        }
        return true;
    }

    private int leader(int partition) {
        return view(0).orElseThrow()
                .path("partitions")
                .get(partition)
                .path("leader")
                .asInt();
    }

    private Client client() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            String[] clients = node(node).orElseThrow().clients().split(":");
            addresses.add(new InetSocketAddress(clients[0], Integer.parseInt(clients[1])));
        }
        return Client.connect(
                ClientSettings.to(addresses.toArray(InetSocketAddress[]::new)).withCallTimeout(Duration.ofSeconds(60)));
    }

    private void load(Client client) {
        for (int key = 0; key < KEYS; key++) {
            bump(client, key);
        }
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
        long[] before = new long[KEYS];
        for (int key = 0; key < KEYS; key++) {
            before[key] = counted.get(key);
        }
        for (int key = 0; key < KEYS; key++) {
            int of = key;
            await(when + ": key " + key + ", failure " + failure.get(), () -> counted.get(of) > before[of] + 1);
        }
    }

    @Test
    void shouldCountEachCallOnceWhileNodesDieAndStop() throws IOException, InterruptedException {
        Path schema = Files.writeString(temporary.resolve("schema.sql"), SCHEMA);
        String[] start = {"cluster", "start", "--dir", folder().toString()};
        String said = run(
                0,
                start[0],
                start[1],
                start[2],
                start[3],
                "--nodes",
                "3",
                "--k",
                "1",
                "--memory",
                "64MiB",
                "--ddl",
                schema.toString());
        assertThat(said).contains("3 nodes, 6 partitions, k=1").contains("reprise sql --server 127.0.0.1:");

        try (Client client = client()) {
            for (int key = 0; key < KEYS; key++) {
                client.call("Make", (long) key);
            }
            load(client);
            awaitProgress("at first");

            int killed = leader(0);
            int other = (killed + 1) % 3;
            kill(killed, "KILL");
            await(
                    "other leaders",
                    () -> view(other)
                            .map(view -> view.path("allLed").asBoolean()
                                    && view.path("partitions")
                                                    .get(0)
                                                    .path("leader")
                                                    .asInt()
                                            != killed)
                            .orElse(false));
            awaitProgress("with a node dead");
            run(0, start);
            await("in sync again", () -> allInSync(other, 2));
            awaitProgress("with the node back");

            kill(other, "STOP");
            awaitProgress("with a node that stands still");
            kill(other, "CONT");
            await("in sync once more", () -> allInSync(killed, 2));
            awaitProgress("with the node that goes on");

            assertThat(run(0, "cluster", "restart", "--rolling", "--dir", folder().toString()))
                    .contains("Node 2 was restarted.")
                    .contains("All 3 nodes were restarted, and all replicas are in sync.");
            await("the first leaders", () -> leader(0) == 0 && leader(1) == 1 && leader(2) == 2);
            assertThat(handovers()).isEqualTo(3);
            awaitProgress("after a rolling restart");

            stopLoad(client);
            assertCounts(client);
        }
        assertThat(run(0, "cluster", "status", "--dir", folder().toString()))
                .contains("3 nodes, k=1, acknowledge forced")
                .doesNotContain("none");
        assertThat(run(0, "cluster", "stop", "--dir", folder().toString()))
                .contains("has stopped: 3 nodes and ZooKeeper.");

        run(0, start);
        try (Client client = client()) {
            assertCounts(client);
        }
    }

    /** The number of stops in the nodes' logs that gave up nothing by a timeout. */
    private int handovers() throws IOException {
        int stops = 0;
        for (int node = 0; node < 3; node++) {
            String log = Files.readString(folder().resolve("node-" + node + ".log"));
            assertThat(log).doesNotContain("before it has handed over");
            stops += log.contains("has stopped.") ? 1 : 0;
        }
        return stops;
    }

    private void stopLoad(Client client) {
        loading.set(false);
        await("an end of all calls", () -> client.metrics().underWay() == 0);
        assertThat(failure.get()).isNull();
    }

    private void assertCounts(Client client) {
        for (int key = 0; key < KEYS; key++) {
            ResultRows rows = client.call("Look", (long) key).rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.longAt(0)).as("key " + key).isEqualTo(counted.get(key));
        }
    }
}
