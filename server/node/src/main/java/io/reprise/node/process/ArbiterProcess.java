package io.reprise.node.process;

import io.reprise.cluster.zookeeper.EmbeddedZooKeeper;
import io.reprise.configuration.ClusterSection;
import io.reprise.runtime.Secrets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/** A process with a server of ZooKeeper and no data: the third vote of two nodes, or the only vote of a cluster on one machine. */
public final class ArbiterProcess implements AutoCloseable {
    private static final int TOKEN_BYTES = 24;

    private final EmbeddedZooKeeper server;
    private final Path directory;
    private final RunFile runFile;

    private ArbiterProcess(EmbeddedZooKeeper server, Path directory, String address) {
        this.server = server;
        this.directory = directory;
        runFile = RunFile.ofThisProcess("", address, "", HexFormat.of().formatHex(Secrets.bytes(TOKEN_BYTES)));
        runFile.write(directory);
    }

    /** Starts the server that the configuration names. */
    public static ArbiterProcess start(Optional<ClusterSection> cluster) {
        ClusterSection.ZooKeeper settings = cluster.orElseThrow(
                        () -> new IllegalArgumentException(
                                "the configuration has no section 'cluster'; an arbiter needs cluster.name and cluster.zookeeper"))
                .zooKeeper();
        if (settings.server().isEmpty()) {
            throw new IllegalArgumentException("cluster.zookeeper.server is missing; it is the place of this arbiter in"
                    + " cluster.zookeeper.servers, from 1");
        }
        EmbeddedZooKeeper server =
                ZooKeeperServer.of(settings, ZooKeeperServer.security(settings)).orElseThrow();
        String address = settings.servers().get(settings.server().getAsInt() - 1);
        return new ArbiterProcess(server, settings.directory(), address);
    }

    @Override
    public void close() {
        server.close();
        runFile.remove(directory);
    }
}
