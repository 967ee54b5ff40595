package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A cluster in a folder, whose processes the command line starts and stops. Closing it kills them. */
final class ClusterUnderTest implements AutoCloseable {
    private static final int MOST_NODES = 4;
    private static final int LINES_SHOWN = 60;

    private final Path folder;

    ClusterUnderTest(Path folder) {
        this.folder = folder;
    }

    /** Runs a command of the program on this cluster, which has to end with a code. Returns its output. */
    String run(int code, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(arguments));
        all.add("--dir");
        all.add(folder.toString());
        Path output = Files.createTempFile(folder.toAbsolutePath().getParent(), "out", ".txt");
        Process process = new ProcessBuilder(CommandProcess.line(all.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(4, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(all + " did not end:\n" + Files.readString(output));
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as("%s", text).isEqualTo(code);
        return text;
    }

    Path directory(int node) {
        return folder.resolve("node-" + node);
    }

    Path log(int node) {
        return folder.resolve("node-" + node + ".log");
    }

    private Optional<RunFile> node(int node) {
        return ClusterFolder.running(directory(node));
    }

    /** Sends a signal to a node's process, if it runs. */
    void signal(int node, String signal) throws IOException, InterruptedException {
        Optional<RunFile> running = node(node);
        if (running.isPresent()) {
            new ProcessBuilder(
                            "kill", "-" + signal, String.valueOf(running.get().pid()))
                    .start()
                    .waitFor();
        }
    }

    /** The cluster as a node sees it. */
    Optional<JsonNode> view(int node) {
        return ClusterStatusCommand.view(List.of(directory(node)));
    }

    /** Whether a node sees each partition led, with so many replicas in sync. */
    boolean isWhole(int node, int copies) {
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

    /** Whether a node sees another one in sync in no partition. */
    boolean isOutOfSync(int seenBy, int node) {
        Optional<JsonNode> view = view(seenBy);
        if (view.isEmpty()) {
            return false;
        }
        for (JsonNode partition : view.get().path("partitions")) {
            for (JsonNode member : partition.path("inSync")) {
                if (member.asInt() == node) {
                    return false;
                }
            }
        }
        return true;
    }

    void awaitWhole(int node, int copies) {
        try {
            ClusterHistory.await("in sync as node " + node + " sees it", () -> isWhole(node, copies));
        } catch (AssertionError late) {
            throw new AssertionError(describe(node), late);
        }
    }

    /** The cluster as a node sees it, and the ends of all logs. */
    private String describe(int node) {
        StringBuilder text =
                new StringBuilder(view(node).map(JsonNode::toPrettyString).orElse("no answer"));
        for (int each = 0; each < MOST_NODES; each++) {
            if (Files.exists(log(each))) {
                text.append("\nnode ").append(each).append(":\n").append(tail(log(each)));
            }
        }
        return text.toString();
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The leader of a partition as a node sees it; -1 if there is none, or the node does not answer. */
    int leader(int node, int partition) {
        JsonNode line =
                view(node).map(view -> view.path("partitions").path(partition)).orElse(MissingNode.getInstance());
        return line.path("led").asBoolean() ? line.path("leader").asInt() : -1;
    }

    Client client(int... nodes) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int node : nodes) {
            String[] clients = node(node).orElseThrow().clients().split(":");
            addresses.add(new InetSocketAddress(clients[0], Integer.parseInt(clients[1])));
        }
        return Client.connect(
                ClientSettings.to(addresses.toArray(InetSocketAddress[]::new)).withCallTimeout(Duration.ofMinutes(2)));
    }

    /** Kills ZooKeeper and deletes its data. */
    void loseZooKeeper() throws IOException {
        ProcessHandle process =
                new ClusterFolder(folder).zooKeeper().flatMap(RunFile::process).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(folder.resolve("zookeeper"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Kills a node and waits for its end. */
    void kill(int node) throws InterruptedException {
        node(node).flatMap(RunFile::process).orElseThrow().destroyForcibly();
        awaitEnd(node);
    }

    /** Waits until the process of a killed node is gone: the system gives its memory back first, and a start finds it running meanwhile. */
    void awaitEnd(int node) throws InterruptedException {
        Optional<RunFile> running = node(node);
        if (running.isPresent()) {
            assertThat(running.get().awaitEnd(2, TimeUnit.MINUTES))
                    .as("the end of node " + node)
                    .isTrue();
        }
    }

    @Override
    public void close() throws InterruptedException {
        ClusterFolder cluster = new ClusterFolder(folder);
        if (cluster.exists()) {
            for (int node = 0; node < MOST_NODES; node++) {
                node(node).flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
            }
            cluster.zooKeeper().flatMap(RunFile::process).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
