package io.reprise.net.reprise;

import io.reprise.access.Protection;
import io.reprise.net.listen.ListenSettings;
import io.reprise.net.session.SessionLimits;
import io.reprise.wire.Wire;
import java.net.InetSocketAddress;

/**
 * Settings of a port with the native protocol.
 *
 * @param listen the address and its protection
 * @param limits the limits of its clients
 */
public record PortSettings(ListenSettings listen, SessionLimits limits) {
    /** The default port. */
    public static final int DEFAULT_PORT = Wire.USUAL_PORT;

    private static final int NETWORK_THREADS = 1;
    private static final int MAX_CONNECTIONS = 20_000;
    private static final long PATIENCE_MS = 30_000;

    /** Settings for most uses, at this address. */
    public static PortSettings at(InetSocketAddress address) {
        SessionLimits limits = SessionLimits.usual();
        return new PortSettings(
                new ListenSettings(
                        address, NETWORK_THREADS, MAX_CONNECTIONS, limits.unreadBytes(), PATIENCE_MS, Protection.NONE),
                limits);
    }

    /** The same with another patience. */
    public PortSettings withPatienceMs(long patienceMs) {
        return with(listen.maxConnections(), patienceMs, listen.protection(), limits);
    }

    /** The same with other limits on the bytes that clients send and are sent. */
    public PortSettings withBytes(int maxFrame, int maxResult, int unread, long maxUnread, long maxAllUnread) {
        return with(
                listen.maxConnections(),
                listen.patienceMs(),
                listen.protection(),
                limits.withBytes(maxFrame, maxResult, unread, maxUnread, maxAllUnread));
    }

    /** The same with other limits on connections, calls and frames. */
    public PortSettings withCalls(int connections, int perSite, int perConnection, int frames) {
        return with(
                connections,
                listen.patienceMs(),
                listen.protection(),
                limits.withCalls(perSite, perConnection, frames));
    }

    /** The same, allowing an address that other machines reach without TLS or logins. */
    public PortSettings withoutProtection() {
        Protection asked = listen.protection();
        return withProtection(new Protection(asked.tls(), asked.logins(), true));
    }

    /** The same with other TLS keys and logins. */
    public PortSettings withProtection(Protection protection) {
        return with(listen.maxConnections(), listen.patienceMs(), protection, limits);
    }

    private PortSettings with(int connections, long patienceMs, Protection protection, SessionLimits newLimits) {
        return new PortSettings(
                new ListenSettings(
                        listen.address(),
                        listen.networkThreads(),
                        connections,
                        newLimits.unreadBytes(),
                        patienceMs,
                        protection),
                newLimits);
    }
}
