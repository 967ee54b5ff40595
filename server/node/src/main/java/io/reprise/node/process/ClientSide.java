package io.reprise.node.process;

import io.reprise.access.Protection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.net.reprise.PortSettings;
import io.reprise.net.session.SessionLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** The settings of the clients' port, from a node's configuration. */
final class ClientSide {
    /** The longest results that a client may have under way without being taken for a slow reader. */
    private static final long RESULTS_UNREAD = 4;

    private ClientSide() {}

    static PortSettings settings(NodeConfiguration.Clients clients, Protection protection) {
        InetAddress address;
        try {
            address = InetAddress.getByName(clients.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("clients.address: there is no address " + clients.address(), e);
        }
        InetSocketAddress at = new InetSocketAddress(address, clients.port());
        if (!protection.allows(at)) {
            throw new IllegalArgumentException("clients.address is " + clients.address()
                    + ", which other machines reach, and "
                    + protection.missing() + "; name a certificate and a file of users in the section security, use"
                    + " 127.0.0.1, or set clients.allowRemote to true if that is meant");
        }
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
