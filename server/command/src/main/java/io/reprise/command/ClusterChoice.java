package io.reprise.command;

import io.reprise.configuration.NodeConfiguration;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options by which a command finds nodes of a cluster on this machine. */
final class ClusterChoice {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "cluster",
            description = "The folder of a cluster on this machine. Default: ${DEFAULT-VALUE}.")
    private Path folder;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Instead of --dir: the configuration of a node on this machine.")
    private Path file;

    @Option(
            names = {"-d", "--data"},
            paramLabel = "DIR",
            description = "Instead of --dir: the data directory of a node on this machine.")
    private Path data;

    /** Whether the cluster is one that "cluster start" made. */
    boolean isFolder() {
        return file == null && data == null;
    }

    /** The cluster's folder. */
    ClusterFolder folder() {
        return new ClusterFolder(folder);
    }

    /** The data directories of nodes on this machine. */
    List<Path> directories() {
        return isFolder()
                ? folder().directories()
                : List.of(NodeChoice.of(data, file).configuration().data().directory());
    }

    /** The configurations of nodes on this machine. */
    List<NodeConfiguration> configurations() {
        return isFolder()
                ? List.copyOf(folder().nodes().values())
                : List.of(NodeChoice.of(data, file).configuration());
    }

    /** The number of the node that --config names. */
    int node() {
        NodeConfiguration configuration = NodeChoice.of(data, file).configuration();
        return configuration
                .cluster()
                .orElseThrow(() -> new IllegalArgumentException("the node serves alone: it has no section 'cluster'"))
                .node()
                .orElseThrow(() -> new IllegalArgumentException("cluster.node is missing in the node's configuration"));
    }
}
