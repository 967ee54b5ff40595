package io.reprise.node.process;

import io.reprise.access.Protection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.net.listen.ListenSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.net.session.RequestTracing;
import io.reprise.net.session.SessionLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The settings of the clients' ports, from a node's configuration. */
final class ClientSide {
    /** The longest results that a client may have under way without being taken for a slow reader. */
    private static final long RESULTS_UNREAD = 4;

    private ClientSide() {}

    private static InetSocketAddress address(String section, String host, int port, Protection protection) {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(section + ".address: there is no address " + host, e);
        }
        InetSocketAddress at = new InetSocketAddress(address, port);
        if (!protection.allows(at)) {
            throw new IllegalArgumentException(section + ".address is " + host + ", which other machines reach, and "
                    + protection.missing() + "; name a certificate and a file of users in the section security, use"
                    + " 127.0.0.1, or set " + section + ".allowRemote to true if that is meant");
        }
        return at;
    }

    /** The settings of the port for PostgreSQL's clients, with the limits of the clients' port; empty if there is none. */
    static Optional<PostgresSettings> postgres(
            NodeConfiguration.Postgres postgres, PortSettings clients, Protection protection, RequestTracing tracing) {
        if (!postgres.enabled()) {
            return Optional.empty();
        }
        ListenSettings usual = clients.listen();
        return Optional.of(new PostgresSettings(
                new ListenSettings(
                        address("postgres", postgres.address(), postgres.port(), protection),
                        usual.networkThreads(),
                        usual.maxConnections(),
                        usual.unreadBytes(),
                        usual.patienceMs(),
                        protection),
                clients.limits(),
                tracing));
    }

    static PortSettings settings(NodeConfiguration.Clients clients, Protection protection) {
        InetSocketAddress at = address("clients", clients.address(), clients.port(), protection);
        PortSettings usual = PortSettings.at(at);
        SessionLimits limits = usual.limits();
        int largestResult = Math.toIntExact(clients.largestResult());
        long unread = Math.max(limits.maxUnreadBytes(), RESULTS_UNREAD * largestResult);
        return usual.withBytes(
                        limits.maxFrameBytes(),
                        largestResult,
                        limits.unreadBytes(),
                        unread,
                        Math.max(limits.maxAllUnreadBytes(), 2 * unread))
                .withCalls(
                        clients.connections(),
                        limits.callsPerSite(),
                        limits.callsPerConnection(),
                        limits.framesPerSite())
                .withProtection(protection);
    }

    /** The address as this machine reaches it. */
    static String hostAndPort(InetSocketAddress address) {
        InetAddress at = address.getAddress();
        String host = at.isAnyLocalAddress() ? "127.0.0.1" : at.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
