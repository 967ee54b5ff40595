package io.reprise.node.process;

import io.reprise.access.Protection;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.net.client.ListenerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** What a configuration means for the port that clients connect to. */
final class ClientSide {
    /** Whoever asks for the longest results may have as many of them under way without being taken for a slow reader. */
    private static final long RESULTS_UNREAD = 4;

    private ClientSide() {}

    static ListenerSettings settings(NodeConfiguration.Clients clients, Protection protection) {
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
        ListenerSettings usual = ListenerSettings.at(at);
        int largestResult = Math.toIntExact(clients.largestResult());
        long unread = Math.max(usual.maxUnreadBytes(), RESULTS_UNREAD * largestResult);
        return usual.withBytes(
                        usual.maxFrameBytes(),
                        largestResult,
                        usual.unreadBytes(),
                        unread,
                        Math.max(usual.maxAllUnreadBytes(), 2 * unread))
                .withCalls(
                        clients.connections(), usual.callsPerSite(), usual.callsPerConnection(), usual.framesPerSite())
                .withProtection(protection);
    }

    /** As this machine reaches it. */
    static String hostAndPort(InetSocketAddress address) {
        InetAddress at = address.getAddress();
        String host = at.isAnyLocalAddress() ? "127.0.0.1" : at.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
