package io.reprise.node.process;

import io.reprise.cluster.zookeeper.EmbeddedZooKeeper;
import io.reprise.cluster.zookeeper.ZooKeeperSecurity;
import io.reprise.configuration.ClusterSection;
import io.reprise.node.security.ZooKeeperStores;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * ZooKeeper's server of a configuration. Its address for nodes is its entry in the list of servers; the two ports behind
 * that one are for the other servers.
 */
final class ZooKeeperServer {
    private ZooKeeperServer() {}

    /** The protection of the configuration. */
    static ZooKeeperSecurity security(ClusterSection.ZooKeeper settings) {
        return new ZooKeeperSecurity(
                settings.tls().map(tls -> ZooKeeperStores.of(tls.certificate(), tls.key(), tls.authorities())),
                settings.login().map(login -> login.user() + ":" + ZooKeeperStores.password(login.passwordFile())));
    }

    /** Starts it; empty if the configuration has none. */
    static Optional<EmbeddedZooKeeper> of(ClusterSection.ZooKeeper settings, ZooKeeperSecurity security) {
        if (settings.server().isEmpty()) {
            return Optional.empty();
        }
        int own = settings.server().getAsInt();
        InetSocketAddress address = address(settings.servers().get(own - 1));
        if (settings.servers().size() == 1) {
            return Optional.of(EmbeddedZooKeeper.alone(settings.directory(), address, security));
        }
        List<EmbeddedZooKeeper.Server> servers = new ArrayList<>();
        for (int i = 0; i < settings.servers().size(); i++) {
            InetSocketAddress at = address(settings.servers().get(i));
            servers.add(new EmbeddedZooKeeper.Server(i + 1, at.getHostString(), at.getPort() + 1, at.getPort() + 2));
        }
        return Optional.of(EmbeddedZooKeeper.of(settings.directory(), own, address, servers, security));
    }

    private static InetSocketAddress address(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        String host = hostAndPort.substring(0, colon).replace("[", "").replace("]", "");
        return new InetSocketAddress(host, Integer.parseInt(hostAndPort.substring(colon + 1)));
    }
}
