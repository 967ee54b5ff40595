package io.reprise.net.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * An address that nobody else can listen on any more, and that nobody is listening on yet: what a node holds while it recovers. That
 * the port is another's is found out before the recovery and not behind it, and who connects meanwhile is refused by the system, as at a
 * node that is down. Clients try again after that, and a balancer that only looks whether the port answers sends nobody here.
 *
 * <p>It is a socket that is bound and doesn't listen. While it forbids that its address is used again, nobody's bind or listen succeeds;
 * when the listener comes it allows that, and the listener is there before this one goes, so there is no moment between the two. To be
 * bound it has to allow it too: otherwise connections of a server that has just been stopped would keep the address for a minute.
 */
final class ReservedPort implements AutoCloseable {
    private final SocketChannel socket;
    private final InetSocketAddress address;

    private ReservedPort(SocketChannel socket, InetSocketAddress address) {
        this.socket = socket;
        this.address = address;
    }

    /**
     * Takes the address, or throws {@link IllegalArgumentException} if it can't be had.
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

    /** With the port that was found. */
    InetSocketAddress address() {
        return address;
    }

    /** The listener may come now. */
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
                        + why.getMessage() + "; set clients.port (--port) to another one, or to 0 for any that is free",
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
