package io.reprise.net.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/**
 * Makes connections to peers. A name is looked up on a thread that ends afterwards, because a name server may take seconds
 * and the network loop has other links to move.
 */
final class PeerConnector {
    private final PeerSettings own;
    private final ThreadFactory lookups;

    PeerConnector(PeerSettings own, ThreadFactory lookups) {
        this.own = own;
        this.lookups = lookups;
    }

    /** The loop: connects to {@code host:port} and greets. */
    void connect(String address, byte purpose, EventLoop loop, ConnectingGreeting.Connecting connecting) {
        int colon = address.lastIndexOf(':');
        int port = colon < 0 ? -1 : port(address.substring(colon + 1));
        if (port < 0) {
            connecting.failed("the address " + address + " is not of the form host:port");
            return;
        }
        String host = address.substring(0, colon);
        byte[] numeric = NetUtil.createByteArrayFromIpAddressString(host);
        if (numeric != null) {
            dial(resolved(host, numeric), port, purpose, loop, connecting);
        } else {
            lookups.newThread(() -> lookUp(host, port, purpose, loop, connecting))
                    .start();
        }
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port > 0 && port < 1 << 16 ? port : -1;
        } catch (NumberFormatException notOne) {
            return -1;
        }
    }

    private static InetAddress resolved(String host, byte... numeric) {
        try {
            return InetAddress.getByAddress(host, numeric);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void lookUp(String host, int port, byte purpose, EventLoop loop, ConnectingGreeting.Connecting connecting) {
        Runnable next;
        try {
            InetAddress found = InetAddress.getByName(host);
            next = () -> dial(found, port, purpose, loop, connecting);
        } catch (UnknownHostException unknown) {
            next = () -> connecting.failed("no address is known for the host " + host);
        }
        try {
            loop.execute(next);
        } catch (RejectedExecutionException closed) {
            // The port has closed, so the connection is not needed.
        }
    }

    private void dial(
            InetAddress address, int port, byte purpose, EventLoop loop, ConnectingGreeting.Connecting connecting) {
        if (own.tls().isEmpty() && !own.mayDoWithoutTls(address)) {
            connecting.failed(address.getHostAddress() + " is on another machine, and there is no TLS between nodes:"
                    + " set cluster.peer certificate, key and authorities on all nodes");
            return;
        }
        ConnectingGreeting greeting = new ConnectingGreeting(own, purpose, connecting);
        new Bootstrap()
                .group(loop)
                .disableResolver()
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) own.greetingMs())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        own.tls().ifPresent(tls -> {
                            SslHandler handler = new SslHandler(tls.engine(true));
                            handler.setHandshakeTimeoutMillis(own.greetingMs());
                            channel.pipeline().addLast("tls", handler);
                        });
                        channel.pipeline().addLast(greeting);
                    }
                })
                .connect(new InetSocketAddress(address, port))
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        greeting.end();
                        if (isRefused(done.cause())) {
                            connecting.refused();
                        }
                        connecting.failed(done.cause().getMessage());
                    }
                });
    }

    /** Whether the peer's machine has said itself that its port is closed. A timeout has the same type. */
    private static boolean isRefused(Throwable cause) {
        return cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains("refused");
    }
}
