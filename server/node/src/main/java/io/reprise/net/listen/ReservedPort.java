package io.reprise.net.listen;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * An address that a node holds while it recovers: no other process can listen on it, and the node does not listen yet. A taken port is found
 * before the recovery instead of after it. Meanwhile the system refuses connections, as at a node that is down: clients retry,
 * and load balancers that probe the port send no clients here.
 *
 * <p>It is a bound socket that doesn't listen. Without SO_REUSEADDR no other bind or listen succeeds. The option is set again when the
 * listener binds, before this socket closes, so the address is never free in between. It is also set for this socket's own bind,
 * because connections of a server that just stopped would otherwise keep the address for a minute.
 */
final class ReservedPort implements AutoCloseable {
    private final SocketChannel socket;
    private final InetSocketAddress address;

    private ReservedPort(SocketChannel socket, InetSocketAddress address) {
        this.socket = socket;
        this.address = address;
    }

    /**
     * Takes the address, or throws {@link IllegalArgumentException} if it is taken.
     *
     * @param asked port 0: any that is free
     */
    static ReservedPort of(InetSocketAddress asked) {
        try {
            SocketChannel socket = SocketChannel.open();
            try {
                socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                socket.bind(asked);
                socket.setOption(StandardSocketOptions.SO_REUSEADDR, false);
                int port = ((InetSocketAddress) socket.getLocalAddress()).getPort();
                return new ReservedPort(socket, new InetSocketAddress(asked.getAddress(), port));
            } catch (IOException | RuntimeException e) {
                socket.close();
                throw e;
            }
        } catch (IOException e) {
            throw refused(asked, e);
        }
    }

    /** The address with the port that was found. */
    InetSocketAddress address() {
        return address;
    }

    /** Lets the listener bind. */
    void giveWay() {
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        } catch (IOException e) {
            throw refused(address, e);
        }
    }

    static IllegalArgumentException refused(InetSocketAddress address, Throwable why) {
        return new IllegalArgumentException(
                "can't listen on " + address.getHostString() + ", port " + address.getPort() + ", for clients: "
                        + why.getMessage()
                        + "; set clients.port (--port), or postgres.port, to another one, or to 0 for any that is free",
                why);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("can't give up port " + address.getPort() + ": " + e.getMessage(), e);
        }
    }
}
