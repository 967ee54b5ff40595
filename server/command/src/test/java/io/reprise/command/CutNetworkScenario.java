package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Three nodes in namespaces of their own, whose network is cut in one direction and in both, and one of whose disks is full for a
 * while, under the load of a {@link ClusterHistory}. It is a program: {@link ClusterNetworkTest} runs it in a world of its own, which ends
 * with it.
 */
final class CutNetworkScenario {
    private static final int NODES = 3;
    private static final int CLIENTS = 21212;
    private static final int PEERS = 21213;
    private static final int HTTP = 7077;
    private static final int ZOOKEEPER = 21210;

    /** The node whose data directory is a small file system. */
    private static final int SMALL = 2;

    private final Path folder;
    private final NodeNamespaces network;
    private final ClusterUnderTest cluster;
    private final ClusterHistory history = new ClusterHistory();
    private final List<Process> processes = new ArrayList<>();

    private CutNetworkScenario(Path folder, NodeNamespaces network) {
        this.folder = folder;
        this.network = network;
        cluster = new ClusterUnderTest(folder);
    }

    /** Takes the folder, and whether only one node is mute for a while; the exit code is 0 if all is right. */
    public static void main(String[] arguments) throws Exception {
        endWithStandardInput();
        Path folder = Path.of(arguments[0]);
        try (NodeNamespaces network = new NodeNamespaces(NODES)) {
            new CutNetworkScenario(folder, network).run(Boolean.parseBoolean(arguments[1]));
        } catch (Throwable problem) {
            problem.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    /** The parent process holds the other end: when it ends, this world does. */
    private static void endWithStandardInput() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing comes.
                }
            } catch (IOException closed) {
                // As at its end.
            }
            Runtime.getRuntime().halt(2);
        });
        watch.setDaemon(true);
        watch.start();
    }

    private void run(boolean isShort) throws IOException, InterruptedException {
        start();
        try (Client client = Client.connect(ClientSettings.to(address(0), address(1), address(2))
                .withCallTimeout(Duration.ofMinutes(2))
                .withSilenceTimeout(Duration.ofSeconds(2)))) {
            history.begin(client);
            history.awaitProgress("at first");
            muteNode(0);
            if (!isShort) {
                deafenNode(1);
                isolateNode(0);
                fillDisk();
            }
            history.stop(client);
            history.check(client);
        }
    }

    private static InetSocketAddress address(int node) {
        return new InetSocketAddress(NodeNamespaces.address(node), CLIENTS);
    }

    private static void say(String step) {
        System.out.println(step);
    }

    // ---- Faults

    /** Other nodes hear nothing of the node, which hears them, ZooKeeper and the clients. */
    private void muteNode(int node) throws IOException, InterruptedException {
        say("node " + node + " is mute");
        for (int other = 0; other < NODES; other++) {
            if (other != node) {
                network.drop(node, other);
            }
        }
        awaitSuspicion();
        for (int other = 0; other < NODES; other++) {
            if (other != node) {
                network.pass(node, other);
            }
        }
        awaitWhole("the mute node speaks");
    }

    /** The node hears nothing of other nodes, which hear it. */
    private void deafenNode(int node) throws IOException, InterruptedException {
        say("node " + node + " is deaf");
        for (int other = 0; other < NODES; other++) {
            if (other != node) {
                network.drop(other, node);
            }
        }
        awaitSuspicion();
        for (int other = 0; other < NODES; other++) {
            if (other != node) {
                network.pass(other, node);
            }
        }
        awaitWhole("the deaf node hears");
    }

    /** Nothing reaches the node or leaves it; the others serve all partitions meanwhile. */
    private void isolateNode(int node) throws IOException, InterruptedException {
        say("node " + node + " is cut off");
        network.cut(node);
        history.awaitProgress("with a node cut off");
        network.join(node);
        awaitWhole("the node is back");
    }

    /** Calls that need the full disk are rejected as not run, or its node gives way to others. */
    private void fillDisk() throws IOException, InterruptedException {
        say("the disk of node " + SMALL + " is full");
        history.allow(ErrorCode.STORAGE_UNAVAILABLE);
        Path filler = cluster.directory(SMALL).resolve("filler");
        fill(filler);
        ClusterHistory.await("the full disk is noticed", () -> history.refusals() > 0 || cluster.isOutOfSync(0, SMALL));
        history.awaitSomeProgress("with a full disk", 6);
        Files.delete(filler);
        say(history.refusals() + " calls were rejected: " + history.refusal());
        awaitWhole("there is room again");
        history.allow();
        history.awaitProgress("no call is rejected any more");
    }

    private static void fill(Path filler) throws IOException {
        byte[] block = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    /** Waits until some replica is out of sync. Transactions over nodes wait for the end of the cut meanwhile. */
    private void awaitSuspicion() {
        ClusterHistory.await("a replica out of sync", () -> !cluster.isWhole(2, 2));
    }

    private void awaitWhole(String when) {
        for (int node = 0; node < NODES; node++) {
            cluster.awaitWhole(node, 2);
        }
        history.awaitProgress(when);
    }

    // ---- Processes

    private void start() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("schema.sql"), ClusterHistory.SCHEMA);
        Files.createDirectories(cluster.directory(SMALL));
        NodeNamespaces.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=192m",
                "tmpfs",
                cluster.directory(SMALL).toString());
        Path zooKeeper =
                Files.writeString(folder.resolve("zookeeper.yaml"), """
                cluster:
                  name: cut
                  zookeeper: {servers: ["%s:%d"], server: 1, directory: zookeeper}
                """.formatted(NodeNamespaces.HUB, ZOOKEEPER));
        begin(CommandProcess.line("arbiter", "--config", zooKeeper.toString()), "zookeeper");
        for (int node = 0; node < NODES; node++) {
            Path configuration = Files.writeString(folder.resolve("node-" + node + ".yaml"), configuration(node));
            begin(
                    network.command(node, CommandProcess.line("start", "--config", configuration.toString())),
                    "node-" + node);
        }
        for (int node = 0; node < NODES; node++) {
            int each = node;
            ClusterHistory.await("node " + node + " serves", () -> isServing(each));
        }
        awaitReplicas();
    }

    private void awaitReplicas() {
        for (int node = 0; node < NODES; node++) {
            cluster.awaitWhole(node, 2);
        }
    }

    private boolean isServing(int node) {
        for (Process process : processes) {
            assertThat(process.isAlive()).as("a process has ended; see its log").isTrue();
        }
        Optional<RunFile> running = ClusterFolder.running(cluster.directory(node));
        return running.isPresent() && !running.get().clients().isEmpty();
    }

    private String configuration(int node) {
        String address = NodeNamespaces.address(node);
        return """
                cluster:
                  name: cut
                  node: %d
                  nodes: %d
                  kSafety: 1
                  zookeeper: {servers: ["%s:%d"]}
                  peer: {address: "%s", port: %d}
                data: {directory: node-%d}
                engine: {sites: 1, memoryPerPartition: 16MiB, slowAfter: 0s}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {every: 0s, afterLog: 0B, onStop: false}
                schema: {scripts: [schema.sql]}
                http: {address: "%s", port: %d}
                clients: {address: "%s", port: %d}
                """.formatted(
                node, NODES, NodeNamespaces.HUB, ZOOKEEPER, address, PEERS, node, address, HTTP, address, CLIENTS);
    }

    private void begin(List<String> command, String name) throws IOException {
        processes.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }
}
