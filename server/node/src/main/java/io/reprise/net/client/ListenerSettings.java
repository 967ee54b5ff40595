package io.reprise.net.client;

import io.reprise.access.Protection;
import io.reprise.wire.Wire;
import java.net.InetSocketAddress;

/**
 * How clients are served.
 *
 * @param address where to listen; port 0: any that is free
 * @param networkThreads how many threads move bytes
 * @param maxConnections how many connections there may be; more are told so and closed
 * @param maxFrameBytes the longest frame that a client may send
 * @param maxResultBytes the longest result of a call; what is longer is refused, though the transaction has committed
 * @param callsPerSite how many calls may be under way at each site; the others wait in their connections
 * @param callsPerConnection how many calls of one connection may be under way at each site; more are refused
 * @param framesPerSite how many reads with calls may wait for each site; more are refused
 * @param unreadBytes a connection that has so much waiting for a site, or whose client leaves so much unread, is not read from
 * @param maxUnreadBytes a connection whose client leaves more replies than this unread, and reads nothing for the time of its
 *     patience, is closed
 * @param maxAllUnreadBytes how many bytes of replies all clients together may leave unread: from half of it on no calls are run for those
 *     that have any, and beyond it the connection that has most of them is ended; half as many may wait for the log, and calls
 *     that are under way may take a quarter of it
 * @param maxPartialBytes how many bytes all frames may have that have not arrived as a whole
 * @param patienceMs for how long a client may take for its first frame, for the rest of a frame it has begun, or to read on
 * @param protection what is asked of who connects; whether the address may be one that other machines can connect to
 */
public record ListenerSettings(
        InetSocketAddress address,
        int networkThreads,
        int maxConnections,
        int maxFrameBytes,
        int maxResultBytes,
        int callsPerSite,
        int callsPerConnection,
        int framesPerSite,
        int unreadBytes,
        long maxUnreadBytes,
        long maxAllUnreadBytes,
        long maxPartialBytes,
        long patienceMs,
        Protection protection) {
    /** The port that servers listen on unless it is said otherwise. */
    public static final int DEFAULT_PORT = Wire.USUAL_PORT;

    /** What serves most uses, at this address. */
    public static ListenerSettings at(InetSocketAddress address) {
        return new ListenerSettings(
                address,
                1,
                20_000,
                1 << 20,
                16 << 20,
                1 << 14,
                1 << 13,
                1 << 15,
                1 << 20,
                64L << 20,
                Math.max(128L << 20, Runtime.getRuntime().maxMemory() / 4),
                256L << 20,
                30_000,
                Protection.NONE);
    }

    /** The same with a shorter or longer patience. */
    public ListenerSettings withPatienceMs(long value) {
        return with(
                maxConnections,
                maxFrameBytes,
                maxResultBytes,
                callsPerSite,
                callsPerConnection,
                framesPerSite,
                unreadBytes,
                maxUnreadBytes,
                maxAllUnreadBytes,
                value,
                protection);
    }

    /** The same with other limits on what clients send and are sent. */
    public ListenerSettings withBytes(
            int newMaxFrame, int newMaxResult, int newUnread, long newMaxUnread, long newMaxAllUnread) {
        return with(
                maxConnections,
                newMaxFrame,
                newMaxResult,
                callsPerSite,
                callsPerConnection,
                framesPerSite,
                newUnread,
                newMaxUnread,
                newMaxAllUnread,
                patienceMs,
                protection);
    }

    /** The same with other limits on how much may be under way. */
    public ListenerSettings withCalls(int connections, int perSite, int perConnection, int frames) {
        return with(
                connections,
                maxFrameBytes,
                maxResultBytes,
                perSite,
                perConnection,
                frames,
                unreadBytes,
                maxUnreadBytes,
                maxAllUnreadBytes,
                patienceMs,
                protection);
    }

    /** The same for an address that other machines can connect to, though there is no TLS, or nobody is asked who he is. */
    public ListenerSettings withoutProtection() {
        return withProtection(new Protection(protection.tls(), protection.logins(), true));
    }

    /** The same with this asked of who connects. */
    public ListenerSettings withProtection(Protection value) {
        return with(
                maxConnections,
                maxFrameBytes,
                maxResultBytes,
                callsPerSite,
                callsPerConnection,
                framesPerSite,
                unreadBytes,
                maxUnreadBytes,
                maxAllUnreadBytes,
                patienceMs,
                value);
    }

    private ListenerSettings with(
            int connections,
            int frameBytes,
            int resultBytes,
            int perSite,
            int perConnection,
            int frames,
            int unread,
            long mostUnread,
            long mostOfAll,
            long patience,
            Protection asked) {
        return new ListenerSettings(
                address,
                networkThreads,
                connections,
                frameBytes,
                resultBytes,
                perSite,
                perConnection,
                frames,
                unread,
                mostUnread,
                mostOfAll,
                maxPartialBytes,
                patience,
                asked);
    }
}
