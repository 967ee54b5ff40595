package io.reprise.command;

import io.reprise.configuration.ClusterSection;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.FileFailure;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The folder of a cluster on one machine.
 *
 * <pre>
 *  zookeeper.yaml  zookeeper/  zookeeper.log    configuration, data and output of the process with ZooKeeper
 *  node-0.yaml     node-0/     node-0.log       the same of each node
 *  node-0.yaml.removed                          the configuration of a node that was removed from the cluster
 * </pre>
 *
 * <p>The files are written once. Later starts read them, so an operator may change them.
 */
final class ClusterFolder {
    private static final String ZOOKEEPER = "zookeeper";
    private static final int CLIENTS = 21212;
    private static final int PEER = 21213;
    private static final int PORTS_PER_NODE = 10;
    private static final int HTTP = 7077;
    private static final int ZOOKEEPER_PORT = 21210;

    private final Path folder;

    ClusterFolder(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** The shape of a new cluster. */
    record Shape(int nodes, int kSafety, int partitions, String memory, List<Path> scripts, List<Path> jars) {}

    Path path() {
        return folder;
    }

    boolean exists() {
        return Files.exists(configurationOf(0)) || Files.exists(removed(0));
    }

    private Path removed(int node) {
        return folder.resolve("node-" + node + ".yaml.removed");
    }

    Path configurationOf(int node) {
        return folder.resolve("node-" + node + ".yaml");
    }

    Path logOf(int node) {
        return folder.resolve("node-" + node + ".log");
    }

    Path zooKeeperConfiguration() {
        return folder.resolve(ZOOKEEPER + ".yaml");
    }

    Path zooKeeperLog() {
        return folder.resolve(ZOOKEEPER + ".log");
    }

    /** The nodes' configurations by number. */
    SortedMap<Integer, NodeConfiguration> nodes() {
        SortedMap<Integer, NodeConfiguration> nodes = new TreeMap<>();
        for (int node = 0; Files.exists(configurationOf(node)) || Files.exists(removed(node)); node++) {
            if (Files.exists(configurationOf(node))) {
                nodes.put(node, ConfigurationFile.read(configurationOf(node)));
            }
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("there is no cluster in " + folder
                    + "; \"reprise cluster start\" makes one, and --dir names another folder");
        }
        return nodes;
    }

    /** The configuration of the first node. */
    NodeConfiguration first() {
        return nodes().firstEntry().getValue();
    }

    /** The data directories of the nodes. */
    List<Path> directories() {
        return nodes().values().stream().map(node -> node.data().directory()).toList();
    }

    /** Whether the folder has a node of that number. */
    boolean has(int node) {
        return Files.exists(configurationOf(node));
    }

    /** The data directory of a node. */
    Path directory(int node) {
        return ConfigurationFile.read(configurationOf(node)).data().directory();
    }

    /** Writes the configuration of another node, unless one does not belong to the cluster yet. Returns its number. */
    int extend(Set<Integer> members) {
        for (int known : nodes().keySet()) {
            if (!members.contains(known)) {
                return known;
            }
        }
        int node = 0;
        Set<Integer> taken = new HashSet<>();
        while (Files.exists(configurationOf(node)) || Files.exists(removed(node))) {
            node++;
        }
        for (NodeConfiguration each : nodes().values()) {
            taken.add(each.clients().port());
            taken.add(each.http().port());
            each.cluster().ifPresent(section -> taken.add(section.peer().port()));
        }
        NodeConfiguration like = first();
        ClusterSection section = cluster();
        Shape shape = new Shape(
                section.nodes(),
                section.kSafety(),
                section.partitions(),
                like.engine().memoryPerPartition() + "B",
                List.of(),
                List.of());
        try {
            Files.writeString(
                    configurationOf(node),
                    node(
                            shape,
                            node,
                            String.join(", ", section.zooKeeper().servers()),
                            free(PEER + PORTS_PER_NODE * node, taken),
                            free(CLIENTS + PORTS_PER_NODE * node, taken),
                            free(HTTP + node, taken)));
        } catch (IOException e) {
            throw new IllegalArgumentException(configurationOf(node) + " can't be written: " + FileFailure.text(e), e);
        }
        return node;
    }

    /** A node was removed from the cluster: later starts leave it out. Returns the new name of its configuration. */
    Path giveUp(int node) {
        try {
            return Files.move(configurationOf(node), removed(node), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    configurationOf(node) + " can't be renamed: " + FileFailure.text(e)
                            + "; remove it, or the next start runs the node again",
                    e);
        }
    }

    /** The section of the cluster. */
    ClusterSection cluster() {
        return first().cluster()
                .orElseThrow(() -> new IllegalArgumentException(configurationOf(0) + " has no section 'cluster'"));
    }

    /** The process with ZooKeeper, if it is at work. */
    Optional<RunFile> zooKeeper() {
        return running(folder.resolve(ZOOKEEPER));
    }

    static Optional<RunFile> running(Path directory) {
        return Files.isDirectory(directory)
                ? RunFile.read(directory).filter(file -> file.process().isPresent())
                : Optional.empty();
    }

    /** Writes the configurations of a new cluster, at ports that are free now. */
    void create(Shape shape) {
        try {
            Files.createDirectories(folder);
            Set<Integer> taken = new HashSet<>();
            int zooKeeperPort = free(ZOOKEEPER_PORT, taken);
            Files.writeString(zooKeeperConfiguration(), """
                    # The ZooKeeper of a cluster on one machine.
                    cluster:
                      name: %s
                      zookeeper:
                        servers: [127.0.0.1:%d]
                        server: 1
                        directory: zookeeper
                    """.formatted(name(), zooKeeperPort));
            // Node 0 last: its file says that the folder is complete.
            for (int node = shape.nodes() - 1; node >= 0; node--) {
                Files.writeString(
                        configurationOf(node),
                        node(
                                shape,
                                node,
                                "127.0.0.1:" + zooKeeperPort,
                                free(PEER + PORTS_PER_NODE * node, taken),
                                free(CLIENTS + PORTS_PER_NODE * node, taken),
                                free(HTTP + node, taken)));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the cluster's folder " + folder + " can't be made: " + FileFailure.text(e)
                            + "; name another one by --dir",
                    e);
        }
    }

    private String name() {
        String name = String.valueOf(folder.getFileName()).replaceAll("[^A-Za-z0-9_-]", "-");
        return name.matches("[A-Za-z0-9].{0,62}") ? name : "cluster";
    }

    private String node(Shape shape, int node, String zooKeeper, int peerPort, int clientPort, int httpPort) {
        StringBuilder text = new StringBuilder("""
                # Node %d of a cluster on one machine. cluster-config/samples/cluster-node.yaml explains all keys.
                cluster:
                  name: %s
                  node: %d
                  nodes: %d
                  kSafety: %d
                  partitions: %d
                  zookeeper:
                    servers: [%s]
                  peer:
                    port: %d
                data:
                  directory: node-%d
                engine:
                  memoryPerPartition: %s
                clients:
                  port: %d
                http:
                  port: %d
                """.formatted(
                        node,
                        name(),
                        node,
                        shape.nodes(),
                        shape.kSafety(),
                        shape.partitions(),
                        zooKeeper,
                        peerPort,
                        node,
                        shape.memory(),
                        clientPort,
                        httpPort));
        if (!shape.scripts().isEmpty() || !shape.jars().isEmpty()) {
            text.append("schema:\n");
            list(text, "scripts", shape.scripts());
            list(text, "jars", shape.jars());
        }
        return text.toString();
    }

    private static void list(StringBuilder text, String key, List<Path> files) {
        if (!files.isEmpty()) {
            text.append("  ").append(key).append(":\n");
            for (Path file : files) {
                text.append("    - \"")
                        .append(file.toAbsolutePath()
                                .normalize()
                                .toString()
                                .replace("\\", "\\\\")
                                .replace("\"", "\\\""))
                        .append("\"\n");
            }
        }
    }

    /** The wished port if it is free, or else one that the system gives. */
    private static int free(int wished, Set<Integer> taken) throws IOException {
        for (int port : new int[] {wished, 0, 0, 0, 0, 0}) {
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (taken.add(probe.getLocalPort())) {
                    return probe.getLocalPort();
                }
            } catch (IOException inUse) {
                if (port == 0) {
                    throw inUse;
                }
            }
        }
        throw new IOException("no port is free");
    }
}
