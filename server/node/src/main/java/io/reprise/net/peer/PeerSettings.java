package io.reprise.net.peer;

import io.reprise.cluster.Levels;
import io.reprise.id.DatabaseId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Settings of the port between nodes.
 *
 * @param cluster the name of the cluster; peers of another one are refused
 * @param database the identity of the database; peers of another one are refused
 * @param node this node's number
 * @param address the address to bind; port 0: any free port
 * @param tls mutual TLS; empty: none, which only loopback addresses allow
 * @param open whether addresses that other machines reach may do without TLS
 * @param bufferBytes the bytes that may wait on each side of a link; a single frame may be longer
 * @param maxFrameBytes the longest frame
 * @param greetingMs the time for connecting, and for handshake and greeting
 * @param levels the levels that this node speaks
 */
public record PeerSettings(
        String cluster,
        DatabaseId database,
        int node,
        InetSocketAddress address,
        Optional<PeerTls> tls,
        boolean open,
        int bufferBytes,
        int maxFrameBytes,
        long greetingMs,
        Levels levels) {
    /** The default port. */
    public static final int USUAL_PORT = 21213;

    private static final int BUFFER_BYTES = 8 << 20;
    private static final int MAX_FRAME_BYTES = 64 << 20;
    private static final long GREETING_MS = 5_000;
    private static final int MOST_NAME_CHARACTERS = 128;

    public PeerSettings {
        if (cluster.isEmpty() || cluster.length() > MOST_NAME_CHARACTERS) {
            throw new IllegalArgumentException(
                    "the name of a cluster has 1 to " + MOST_NAME_CHARACTERS + " characters, not " + cluster.length());
        }
        if (tls.isEmpty() && !open && !isLoopback(address.getAddress())) {
            throw new IllegalArgumentException("other machines can connect to " + address
                    + " (cluster.peer), and there is no TLS between nodes: give cluster.peer certificate, key and"
                    + " authorities, or use a loopback address such as 127.0.0.1");
        }
    }

    /** The usual settings of a node at an address. */
    public static PeerSettings of(String cluster, DatabaseId database, int node, InetSocketAddress address) {
        return of(cluster, database, node, address, Optional.empty());
    }

    /** The usual settings of a node at an address, with or without TLS. */
    public static PeerSettings of(
            String cluster, DatabaseId database, int node, InetSocketAddress address, Optional<PeerTls> tls) {
        return new PeerSettings(
                cluster, database, node, address, tls, false, BUFFER_BYTES, MAX_FRAME_BYTES, GREETING_MS, Levels.OWN);
    }

    /** The same with another bound of waiting bytes and another longest frame. */
    public PeerSettings withBuffers(int newBufferBytes, int newMaxFrameBytes) {
        return new PeerSettings(
                cluster, database, node, address, tls, open, newBufferBytes, newMaxFrameBytes, greetingMs, levels);
    }

    /** The same with another time for the greeting. */
    public PeerSettings withGreetingMs(long newGreetingMs) {
        return new PeerSettings(
                cluster, database, node, address, tls, open, bufferBytes, maxFrameBytes, newGreetingMs, levels);
    }

    /** The same without TLS at any address: every machine that reaches the port can be a peer. */
    public PeerSettings withoutProtection() {
        return new PeerSettings(
                cluster, database, node, address, tls, true, bufferBytes, maxFrameBytes, greetingMs, levels);
    }

    /** The same for a node with other levels. */
    public PeerSettings withLevels(Levels others) {
        return new PeerSettings(
                cluster, database, node, address, tls, open, bufferBytes, maxFrameBytes, greetingMs, others);
    }

    /** Whether a connection to an address may be made without TLS. */
    boolean mayDoWithoutTls(InetAddress peer) {
        return open || isLoopback(peer);
    }

    private static boolean isLoopback(InetAddress address) {
        return address != null && address.isLoopbackAddress();
    }
}
