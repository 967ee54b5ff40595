package io.reprise.node.process;

import io.reprise.configuration.NodeConfiguration;
import io.reprise.net.client.ListenerSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** What a configuration means for the port that clients connect to. */
final class ClientSide {
    private ClientSide() {}

    static ListenerSettings settings(NodeConfiguration.Clients clients) {
        InetAddress address;
        try {
            address = InetAddress.getByName(clients.address());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("clients.address: there is no address " + clients.address(), e);
        }
        if (!address.isLoopbackAddress() && !clients.allowRemote()) {
            throw new IllegalArgumentException("clients.address is " + clients.address()
                    + ", which other machines reach, and whoever reaches it may read and write all data; set"
                    + " clients.allowRemote to true if that is meant, or use 127.0.0.1");
        }
        ListenerSettings usual = ListenerSettings.at(new InetSocketAddress(address, clients.port()));
        return usual.withCalls(
                clients.connections(), usual.callsPerSite(), usual.callsPerConnection(), usual.framesPerSite());
    }

    /** As this machine reaches it. */
    static String hostAndPort(InetSocketAddress address) {
        InetAddress at = address.getAddress();
        String host = at.isAnyLocalAddress() ? "127.0.0.1" : at.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
