package io.reprise.cluster.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.jmx.MBeanRegistry;
import org.apache.zookeeper.jmx.ZKMBeanInfo;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.apache.zookeeper.util.ServiceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper server within this process: alone, or one of an ensemble of three or five. Its threads are ZooKeeper's own, and
 * its failure ends no process: the other servers of the ensemble go on, and alone it leaves the nodes without contact.
 *
 * <p>It has no administration port and no JMX beans. Old snapshots are removed each hour.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.cluster");

    /** ZooKeeper's unit of time: sessions are watched at this interval, and last twice as long at least. */
    private static final int TICK_MS = 500;

    private static final int LEAST_SESSION_MS = 1_000;
    private static final int MOST_SESSION_MS = 120_000;

    /** Ticks that a server of an ensemble may take to load and to follow. */
    private static final int START_TICKS = 40;

    private static final int LAG_TICKS = 10;
    private static final int CONNECTIONS_PER_HOST = 1_000;
    private static final int BACKLOG = 128;
    private static final int KEPT_SNAPSHOTS = 3;
    private static final int PURGE_HOURS = 1;

    private final Runnable end;
    private final int clientPort;
    private final DatadirCleanupManager purge;

    static {
        ZooKeeperSession.prepare();
        System.setProperty("zookeeper.admin.enableServer", "false");
        MBeanRegistry.setInstance(new NoBeans());
        ServiceUtils.setSystemExitProcedure(code ->
                LOG.error("The ZooKeeper server of this process has ended with code {}; its log says why.", code));
    }

    /** ZooKeeper's beans would be the node's only ones. */
    private static final class NoBeans extends MBeanRegistry {
        @Override
        public void register(ZKMBeanInfo bean, ZKMBeanInfo parent) {
            // Nothing is registered.
        }

        @Override
        public void unregister(ZKMBeanInfo bean) {
            // Nothing was registered.
        }
    }

    /**
     * A server of an ensemble.
     *
     * @param number from 1
     * @param host the name or address by which the others reach it
     * @param peerPort the port for copies
     * @param electionPort the port for elections
     */
    public record Server(int number, String host, int peerPort, int electionPort) {}

    private EmbeddedZooKeeper(Runnable end, int clientPort, DatadirCleanupManager purge) {
        this.end = end;
        this.clientPort = clientPort;
        this.purge = purge;
        purge.start();
    }

    /**
     * Starts a server that is alone.
     *
     * @param directory its data
     * @param address its address for nodes; port 0: any that is free
     */
    public static EmbeddedZooKeeper alone(Path directory, InetSocketAddress address) {
        return alone(directory, address, ZooKeeperSecurity.NONE);
    }

    /** The same with the protection that its clients have. */
    public static EmbeddedZooKeeper alone(Path directory, InetSocketAddress address, ZooKeeperSecurity security) {
        security.prepareServer();
        try {
            Files.createDirectories(directory);
            File folder = directory.toFile();
            FileTxnSnapLog log = new FileTxnSnapLog(folder, folder);
            ZooKeeperServer server =
                    new ZooKeeperServer(log, TICK_MS, LEAST_SESSION_MS, MOST_SESSION_MS, BACKLOG, null, "");
            ServerCnxnFactory factory = ServerCnxnFactory.createFactory();
            factory.configure(
                    address, CONNECTIONS_PER_HOST, BACKLOG, security.stores().isPresent());
            factory.startup(server);
            Runnable end = () -> {
                factory.shutdown();
                server.shutdown(true);
                closeLog(log);
            };
            return new EmbeddedZooKeeper(end, factory.getLocalPort(), purgeOf(directory));
        } catch (BindException e) {
            throw taken(address, e);
        } catch (IOException e) {
            throw failed(directory, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(directory, e);
        }
    }

    private static void closeLog(FileTxnSnapLog log) {
        try {
            log.close();
        } catch (IOException e) {
            LOG.warn("The log of the ZooKeeper server could not be closed: {}", e.getMessage());
        }
    }

    /**
     * Starts a server of an ensemble. It serves nodes once most of the servers are up; the start does not wait for that.
     *
     * @param directory its data
     * @param own its number
     * @param address its address for nodes
     */
    public static EmbeddedZooKeeper of(Path directory, int own, InetSocketAddress address, List<Server> servers) {
        return of(directory, own, address, servers, ZooKeeperSecurity.NONE);
    }

    /** The same with the protection that its clients and the other servers have. */
    public static EmbeddedZooKeeper of(
            Path directory, int own, InetSocketAddress address, List<Server> servers, ZooKeeperSecurity security) {
        security.prepareServer();
        QuorumPeerConfig configuration = new QuorumPeerConfig();
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("myid"), own + "\n", StandardCharsets.UTF_8);
            configuration.parseProperties(
                    properties(directory, address, servers, security.stores().isPresent()));
        } catch (IOException | ConfigException e) {
            throw failed(directory, e);
        }
        QuorumPeerMain peer = new QuorumPeerMain();
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name("reprise-zookeeper-" + own)
                .start(() -> run(peer, configuration, failure));
        awaitListening(thread, address, failure);
        return new EmbeddedZooKeeper(() -> end(peer, thread), address.getPort(), purgeOf(directory));
    }

    private static Properties properties(
            Path directory, InetSocketAddress address, List<Server> servers, boolean isTls) {
        Properties properties = new Properties();
        properties.setProperty("dataDir", directory.toString());
        properties.setProperty(isTls ? "secureClientPortAddress" : "clientPortAddress", address.getHostString());
        properties.setProperty(isTls ? "secureClientPort" : "clientPort", String.valueOf(address.getPort()));
        properties.setProperty("sslQuorum", String.valueOf(isTls));
        properties.setProperty("tickTime", String.valueOf(TICK_MS));
        properties.setProperty("minSessionTimeout", String.valueOf(LEAST_SESSION_MS));
        properties.setProperty("maxSessionTimeout", String.valueOf(MOST_SESSION_MS));
        properties.setProperty("initLimit", String.valueOf(START_TICKS));
        properties.setProperty("syncLimit", String.valueOf(LAG_TICKS));
        properties.setProperty("maxClientCnxns", String.valueOf(CONNECTIONS_PER_HOST));
        properties.setProperty("standaloneEnabled", "false");
        for (Server server : servers) {
            properties.setProperty(
                    "server." + server.number(),
                    server.host() + ":" + server.peerPort() + ":" + server.electionPort() + ":participant");
        }
        return properties;
    }

    private static void run(QuorumPeerMain peer, QuorumPeerConfig configuration, AtomicReference<Exception> failure) {
        try {
            peer.runFromConfig(configuration);
        } catch (IOException | AdminServerException | RuntimeException e) {
            failure.set(e);
            LOG.error("The ZooKeeper server of this process has ended: {}", e.toString());
        }
    }

    /** Its port is bound soon, or the server has failed. */
    private static void awaitListening(Thread thread, InetSocketAddress address, AtomicReference<Exception> failure) {
        try {
            thread.join(500);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Optional<Exception> why = Optional.ofNullable(failure.get());
        if (why.isPresent()) {
            throw why.get() instanceof BindException
                    ? taken(address, why.get())
                    : new IllegalStateException(
                            "the ZooKeeper server of this node could not start: " + why.get(), why.get());
        }
    }

    private static void end(QuorumPeerMain peer, Thread thread) {
        peer.close();
        thread.interrupt();
    }

    private static DatadirCleanupManager purgeOf(Path directory) {
        return new DatadirCleanupManager(directory.toFile(), directory.toFile(), KEPT_SNAPSHOTS, PURGE_HOURS);
    }

    private static IllegalStateException taken(InetSocketAddress address, Exception e) {
        return new IllegalStateException(
                "the ZooKeeper server can't listen on " + address.getHostString() + ":" + address.getPort() + ": "
                        + e.getMessage() + "; another process may use the port",
                e);
    }

    private static IllegalStateException failed(Path directory, Exception e) {
        return new IllegalStateException("the ZooKeeper server could not start in " + directory + ": " + e, e);
    }

    /** The port for nodes. */
    public int clientPort() {
        return clientPort;
    }

    @Override
    public void close() {
        purge.shutdown();
        end.run();
    }
}
