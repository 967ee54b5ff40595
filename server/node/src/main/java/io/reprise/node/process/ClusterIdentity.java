package io.reprise.node.process;

import io.reprise.engine.FileFailure;
import io.reprise.runtime.Secrets;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The file {@code .cluster} in a data directory: the node of a cluster whose data are there. It is written before the first
 * start of the engine, and never changes.
 *
 * <pre>
 *  cluster=shop
 *  id=0f3c...     of the database, in hexadecimal
 *  node=0
 *  instance=9a..  a random number in hexadecimal; a node of the same number with another data directory has another
 * </pre>
 */
public record ClusterIdentity(String cluster, String id, int node, String instance) {
    private static final String NAME = ".cluster";
    private static final int INSTANCE_BYTES = 16;

    /** A new node's identity. */
    static ClusterIdentity create(String cluster, String id, int node) {
        return new ClusterIdentity(cluster, id, node, HexFormat.of().formatHex(Secrets.bytes(INSTANCE_BYTES)));
    }

    /** The identity in a data directory; empty if its data belong to no cluster yet. */
    public static Optional<ClusterIdentity> read(Path directory) {
        Path file = directory.resolve(NAME);
        SortedMap<String, String> lines = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                int at = line.indexOf('=');
                if (at > 0) {
                    lines.put(line.substring(0, at), line.substring(at + 1));
                }
            }
            return Optional.of(new ClusterIdentity(
                    lines.getOrDefault("cluster", ""),
                    lines.getOrDefault("id", ""),
                    Integer.parseInt(lines.getOrDefault("node", "")),
                    lines.getOrDefault("instance", "")));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException("can't read " + file + ": " + FileFailure.text(e), e);
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    file
                            + " is damaged; restore it from another copy of the data directory, or begin with an empty one",
                    e);
        }
    }

    /** Refuses another node's data. */
    void require(Path directory, String configuredCluster, int configuredNode) {
        if (!cluster.equals(configuredCluster) || node != configuredNode) {
            throw new IllegalStateException("the data in " + directory + " are those of node " + node + " of cluster '"
                    + cluster + "', and the configuration is for node " + configuredNode + " of cluster '"
                    + configuredCluster + "'; check cluster.name, cluster.node and data.directory");
        }
    }

    /** Refuses the data of a node of a cluster, which has parts of its data elsewhere. */
    public static void requireNone(Path directory) {
        read(directory).ifPresent(known -> {
            throw new IllegalStateException(
                    "the data in " + directory + " are those of node " + known.node
                            + " of cluster '" + known.cluster
                            + "', and can't be opened without it. Start the node with the"
                            + " section cluster of its configuration; to leave the cluster, restore a backup of it into one node");
        });
    }

    /** Refuses data that are not those of a cluster's node with this number. */
    public static void requireNode(Path directory, int wanted) {
        ClusterIdentity known = read(directory)
                .orElseThrow(
                        () -> new IllegalArgumentException("the data in " + directory + " are those of no cluster"));
        if (known.node != wanted) {
            throw new IllegalArgumentException("the data in " + directory + " are those of node " + known.node
                    + " of cluster '" + known.cluster + "', not of node " + wanted);
        }
    }

    /** Writes the file, and forces it: a loss of power leaves it whole, or not there. */
    void write(Path directory) {
        Path file = directory.resolve(NAME);
        Path next = directory.resolve(NAME + ".new");
        String text = "cluster=" + cluster + "\nid=" + id + "\nnode=" + node + "\ninstance=" + instance + "\n";
        try {
            Files.createDirectories(directory);
            Files.writeString(next, text);
            force(next, StandardOpenOption.WRITE);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            force(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new IllegalStateException("can't write " + file + ": " + FileFailure.text(e), e);
        }
    }

    private static void force(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
