package io.reprise.configuration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Membership in a cluster. A node whose file has no section {@code cluster} serves alone.
 *
 * @param name the cluster's name, also that of its folder in ZooKeeper
 * @param node this node's number, from 0; from {@code nodes} on it is added later; empty in the file of an arbiter
 * @param zone the place whose failure takes the node with it; empty if none is named
 * @param host the name or address by which other machines reach this node
 * @param nodes the number of nodes at the cluster's creation
 * @param kSafety the copies of each partition beyond the first
 * @param partitions the number of partitions of the cluster
 * @param forced whether in-sync replicas force a write before it is acknowledged
 * @param failureTimeout the silence after which a node is taken for dead
 * @param zooKeeper the way to ZooKeeper, and the server of it that this process runs
 * @param peer the port for other nodes
 */
public record ClusterSection(
        String name,
        OptionalInt node,
        String zone,
        String host,
        int nodes,
        int kSafety,
        int partitions,
        boolean forced,
        Duration failureTimeout,
        ZooKeeper zooKeeper,
        Peer peer) {
    static final int MOST_NODES = 1024;
    private static final int USUAL_NODES = 3;
    private static final int USUAL_PARTITIONS_PER_NODE = 2;
    private static final int USUAL_PEER_PORT = 21213;
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(50);
    private static final Duration LEAST_SESSION = Duration.ofSeconds(1);
    private static final Duration MOST_SESSION = Duration.ofMinutes(2);

    /** The two forms of an acknowledgement. */
    enum Acknowledge {
        /** All in-sync replicas have forced the write. */
        FORCED,
        /** All in-sync replicas have received it. */
        REPLICATED
    }

    /**
     * The way to ZooKeeper.
     *
     * @param servers {@code host:port} of each server
     * @param server the server that this process runs, from 1 in the list's order; empty: none
     * @param directory the data of that server
     * @param sessionTimeout the time without contact after which a node's entry is removed
     * @param tls the files of TLS with ZooKeeper; empty: no TLS
     * @param login the user to whom the cluster's znodes belong; empty: all clients may change them
     */
    public record ZooKeeper(
            List<String> servers,
            OptionalInt server,
            Path directory,
            Duration sessionTimeout,
            Optional<Tls> tls,
            Optional<Login> login) {}

    /**
     * The files of TLS, in PEM.
     *
     * @param certificate the certificate of this process; a server's certificate names its host
     * @param key its private key
     * @param authorities the authorities that vouch for servers and clients
     */
    public record Tls(Path certificate, Path key, Path authorities) {}

    /**
     * A login at ZooKeeper.
     *
     * @param user the name
     * @param passwordFile the file whose first line is the password
     */
    public record Login(String user, Path passwordFile) {}

    /**
     * The port for other nodes.
     *
     * @param address the address on which the node listens
     * @param port its number
     * @param certificate the certificate that this node shows; it names {@code node-N}
     * @param key its private key
     * @param authorities the authorities that vouch for the cluster's nodes
     */
    public record Peer(
            String address, int port, Optional<Path> certificate, Optional<Path> key, Optional<Path> authorities) {
        /** Whether nodes speak TLS with each other. */
        public boolean isTls() {
            return certificate.isPresent();
        }
    }

    /** Reads the section; empty if it has no keys. */
    static Optional<ClusterSection> read(Section section, Path base, Path data) {
        if (section.isEmpty()) {
            return Optional.empty();
        }
        String name = section.text("name", "");
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}")) {
            throw section.wrongValue(
                    "name",
                    name.isEmpty()
                            ? "is missing; all nodes of a cluster have the same name, as in name: shop"
                            : "must be 1 to 63 letters, digits, hyphens and underscores; it is '" + name + "'");
        }
        int nodes = section.integer("nodes", USUAL_NODES, 1, MOST_NODES);
        int number = section.integer("node", -1, 0, MOST_NODES - 1);
        int kSafety = section.integer("kSafety", Math.min(1, nodes - 1), 0, MOST_NODES - 1);
        if (kSafety >= nodes) {
            throw section.wrongValue(
                    "kSafety",
                    "is " + kSafety + "; with " + nodes + " nodes a partition can have at most " + (nodes - 1)
                            + " copies beyond the first");
        }
        Peer peer = peer(section.section("peer"), base);
        ClusterSection read = new ClusterSection(
                name,
                number < 0 ? OptionalInt.empty() : OptionalInt.of(number),
                section.text("zone", ""),
                host(section, peer),
                nodes,
                kSafety,
                section.integer(
                        "partitions",
                        Math.min(NodeConfiguration.MOST_PARTITIONS, USUAL_PARTITIONS_PER_NODE * nodes),
                        1,
                        NodeConfiguration.MOST_PARTITIONS),
                section.choice("acknowledge", Acknowledge.FORCED) == Acknowledge.FORCED,
                atLeast(section, "failureTimeout", Duration.ofSeconds(1), LEAST_TIMEOUT),
                zooKeeper(section.section("zookeeper"), base, data),
                peer);
        section.end();
        return Optional.of(read);
    }

    private static Duration atLeast(Section section, String key, Duration usual, Duration least) {
        Duration found = section.duration(key, usual);
        if (found.compareTo(least) < 0) {
            throw section.wrongValue(
                    key, "must be " + least.toMillis() + "ms or more; it is " + found.toMillis() + "ms");
        }
        return found;
    }

    private static String host(Section section, Peer peer) {
        String host = section.text("host", "");
        if (host.isEmpty()
                && (peer.address().equals("0.0.0.0") || peer.address().equals("::"))) {
            throw section.wrongValue(
                    "host",
                    "is missing; 'cluster.peer.address' is " + peer.address()
                            + ", and others need the name or address by which they reach this node");
        }
        return host.isEmpty() ? peer.address() : host;
    }

    private static Peer peer(Section section, Path base) {
        Peer peer = new Peer(
                section.text("address", "127.0.0.1"),
                section.integer("port", USUAL_PEER_PORT, 1, 65_535),
                section.file("certificate", base),
                section.file("key", base),
                section.file("authorities", base));
        if (peer.certificate().isPresent()
                || peer.key().isPresent()
                || peer.authorities().isPresent()) {
            require(section, "certificate", peer.certificate());
            require(section, "key", peer.key());
            require(section, "authorities", peer.authorities());
        }
        section.end();
        return peer;
    }

    private static void require(Section section, String key, Optional<Path> file) {
        if (file.isEmpty()) {
            throw section.wrongValue(
                    key, "is missing; TLS between nodes needs 'certificate', 'key' and 'authorities' together");
        }
    }

    private static Optional<Tls> tls(Section section, Path base) {
        Optional<Path> certificate = section.file("certificate", base);
        Optional<Path> key = section.file("key", base);
        Optional<Path> authorities = section.file("authorities", base);
        section.end();
        if (certificate.isEmpty() && key.isEmpty() && authorities.isEmpty()) {
            return Optional.empty();
        }
        requireOfZooKeeper(section, "certificate", certificate);
        requireOfZooKeeper(section, "key", key);
        requireOfZooKeeper(section, "authorities", authorities);
        return Optional.of(new Tls(certificate.get(), key.get(), authorities.get()));
    }

    private static void requireOfZooKeeper(Section section, String key, Optional<Path> file) {
        if (file.isEmpty()) {
            throw section.wrongValue(
                    key, "is missing; TLS with ZooKeeper needs 'certificate', 'key' and 'authorities' together");
        }
    }

    private static Optional<Login> login(Section section, Path base) {
        String user = section.text("user", "");
        Optional<Path> password = section.file("passwordFile", base);
        if (user.isEmpty() != password.isEmpty()) {
            throw section.wrongValue(
                    user.isEmpty() ? "user" : "passwordFile",
                    "is missing; a login at ZooKeeper needs 'user' and 'passwordFile' together");
        }
        if (!user.matches("[^:\\s]*")) {
            throw section.wrongValue("user", "has no colon and no space; it is '" + user + "'");
        }
        return password.map(file -> new Login(user, file));
    }

    private static ZooKeeper zooKeeper(Section section, Path base, Path data) {
        List<String> servers = section.texts("servers");
        if (servers.isEmpty()) {
            throw section.wrongValue(
                    "servers",
                    "is missing; it lists ZooKeeper's servers, as in servers: [zk1:2181, zk2:2181, zk3:2181]");
        }
        for (String server : servers) {
            if (!server.matches("[^:,/\\s]+:[0-9]{1,5}|\\[[0-9a-fA-F:]+\\]:[0-9]{1,5}")) {
                throw section.wrongValue("servers", "must have host:port of each server; one is '" + server + "'");
            }
        }
        int own = section.integer("server", 0, 1, servers.size());
        if (own > 0 && servers.size() % 2 == 0) {
            throw section.wrongValue(
                    "servers",
                    "names " + servers.size()
                            + "; run 1, 3 or 5 servers, because an even number tolerates no more failures");
        }
        Duration session = atLeast(section, "sessionTimeout", Duration.ofSeconds(6), LEAST_SESSION);
        if (session.compareTo(MOST_SESSION) > 0) {
            throw section.wrongValue("sessionTimeout", "must be 2min or less; it is " + session.toSeconds() + "s");
        }
        ZooKeeper read = new ZooKeeper(
                servers,
                own == 0 ? OptionalInt.empty() : OptionalInt.of(own),
                section.path("directory", data.resolveSibling("zookeeper"), base),
                session,
                tls(section.section("tls"), base),
                login(section, base));
        section.end();
        return read;
    }
}
