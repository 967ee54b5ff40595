package io.reprise.net.listen;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.reprise.runtime.time.Clock;
import io.reprise.waiting.SpinningSelect;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that serves one protocol: accepts connections, has TLS spoken, bounds connections and handshakes, and ends what remains
 * open. The port is reserved before a long recovery, so that a taken port is found at once, and opened when the engine is open.
 *
 * <pre>
 *  new -> reserve -> open -> stopAccepting -> (the engine closes) -> close
 * </pre>
 */
public final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");
    private static final int LOW_WATER_BYTES = 1 << 17;
    private static final long CHECK_MS = 250;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final long FLUSH_TIMEOUT_NS = 2_000_000_000;
    private static final long POLL_NS = 1_000_000;
    private static final double SECOND_NS = 1e9;

    private final ListenSettings settings;
    private final Protocol protocol;
    private final Clock clock;
    private final Handshakes handshakes;
    private final Map<ClientChannel, PortConnection> connections = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile int mostConnections;
    private ReservedPort reserved;
    private EventLoopGroup loops;
    private Channel listening;

    /**
     * A listener that has no port yet.
     *
     * @param handshakes runs the arithmetic of TLS handshakes and rejects what would wait too long
     */
    public Listener(ListenSettings settings, Protocol protocol, Clock clock, Executor handshakes) {
        if (!settings.protection().allows(settings.address())) {
            throw new IllegalArgumentException("other machines can connect to " + settings.address() + ", and "
                    + settings.protection().missing()
                    + ": listen on a loopback address such as 127.0.0.1, or with TLS and"
                    + " users, or allow it explicitly with PortSettings.withoutProtection()");
        }
        this.settings = settings;
        mostConnections = settings.maxConnections();
        this.protocol = protocol;
        this.clock = clock;
        this.handshakes = new Handshakes(handshakes);
    }

    /** Takes the port without listening, or throws {@link IllegalArgumentException} if the port is taken. */
    public void reserve() {
        reserved = ReservedPort.of(settings.address());
    }

    /**
     * Listens on the reserved port.
     *
     * @param threads makes the threads of the network loops
     */
    public void open(ThreadFactory threads) {
        protocol.begin();
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory(0, SpinningSelect::new) : NioIoHandler.newFactory();
        loops = new MultiThreadIoEventLoopGroup(settings.networkThreads(), threads, io);
        try {
            reserved.giveWay();
            ChannelFuture bound = bootstrap(epoll).bind(reserved.address()).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                // Netty would throw it undeclared, past those that close what was opened.
                throw ReservedPort.refused(reserved.address(), bound.cause());
            }
            listening = bound.channel();
            reserved.close();
        } catch (RuntimeException | Error failure) {
            loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw failure;
        }
        loops.next().scheduleWithFixedDelay(this::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
    }

    private ServerBootstrap bootstrap(boolean epoll) {
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        int highWaterBytes = settings.unreadBytes();
        int lowWaterBytes = Math.min(LOW_WATER_BYTES, highWaterBytes);
        return new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(lowWaterBytes, highWaterBytes))
                .childHandler(new Pipeline());
    }

    /** The address that clients connect to, with the port that was found. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** The number of connections, without those still in their handshake. */
    public int connections() {
        return count.get();
    }

    /** Any thread: the connected clients, the oldest first. */
    public List<ClientSession> sessions() {
        long nowNs = clock.nanoTime();
        return connections.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getKey().acceptedNs()))
                .map(each -> session(each.getKey(), each.getValue().details(), nowNs))
                .toList();
    }

    private static ClientSession session(ClientChannel channel, ClientSession.Details details, long nowNs) {
        InetSocketAddress from = channel.remoteAddress();
        return new ClientSession(
                details.id(),
                details.protocol(),
                details.user().orElse(""),
                from.getAddress().getHostAddress() + ":" + from.getPort(),
                Math.max(0, nowNs - channel.acceptedNs()) / SECOND_NS,
                details.state(),
                details.statement(),
                details.unreadBytes());
    }

    /** Any thread: changes the most connections. Open ones stay. */
    public void mostConnections(int most) {
        mostConnections = most;
    }

    /** Any thread: the connection of the session with this id. */
    public Optional<PortConnection> session(String id) {
        return connections.values().stream()
                .filter(each -> each.details().id().equals(id))
                .findFirst();
    }

    /** Accepts no connection and no request any more; requests under way are answered when the engine closes. */
    public void stopAccepting() {
        listening.close().syncUninterruptibly();
        protocol.refuseNew();
    }

    /** Ends all connections after their pending replies, and the threads. The engine has closed. */
    @Override
    public void close() {
        if (reserved != null) {
            reserved.close();
        }
        if (loops == null) {
            return;
        }
        connections.values().forEach(PortConnection::shutDown);
        // The loops drop unwritten bytes when they end.
        long beganNs = clock.nanoTime();
        while (!connections.isEmpty() && clock.nanoTime() - beganNs < FLUSH_TIMEOUT_NS) {
            LockSupport.parkNanos(POLL_NS);
        }
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    /** Has each connection checked on its own loop. */
    private void check() {
        long nowNs = clock.nanoTime();
        connections.forEach((channel, connection) -> channel.onLoop(() -> check(channel, connection, nowNs)));
    }

    /** Keeps failures: a periodic task that throws is not run again. */
    private static void check(ClientChannel channel, PortConnection connection, long nowNs) {
        try {
            connection.check(nowNs);
        } catch (RuntimeException | Error thrown) {
            LOG.error("The check of the connection of {} failed; it is repeated", channel.remoteAddress(), thrown);
        }
    }

    /** Sets up accepted channels: TLS, the connection limit, then the protocol. */
    private final class Pipeline extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel netty) {
            ClientChannel channel = new ClientChannel(netty, settings.patienceMs(), clock.nanoTime());
            PortConnection connection = protocol.connect(channel);
            settings.protection()
                    .tls()
                    .ifPresent(tls ->
                            netty.pipeline().addLast(new TlsDoor(tls, handshakes, connection, settings.patienceMs())));
            netty.pipeline().addLast(new Place(channel, connection), connection.handler());
        }
    }

    /**
     * The place of a connection among those of the listener. With TLS it is counted after its handshake. A silent client
     * would otherwise take the place of others, and a TLS client would not understand a rejection.
     */
    private final class Place extends ChannelInboundHandlerAdapter {
        private final ClientChannel channel;
        private final PortConnection connection;
        private boolean counted;

        Place(ClientChannel channel, PortConnection connection) {
            this.channel = channel;
            this.connection = connection;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            connections.put(channel, connection);
            context.fireChannelActive();
            if (settings.protection().tls().isEmpty()) {
                count();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake) {
                if (handshake.isSuccess()) {
                    count();
                } else {
                    handshakes.failed(channel.remoteAddress(), handshake.cause(), clock.nanoTime());
                }
            }
            context.fireUserEventTriggered(event);
        }

        /** A client may renegotiate, so there may be several handshakes. */
        private void count() {
            if (!counted) {
                counted = true;
                int most = mostConnections;
                if (count.incrementAndGet() > most) {
                    connection.rejectTooMany(most);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            context.fireChannelInactive();
            channel.closed();
            connections.remove(channel);
            if (counted) {
                count.decrementAndGet();
            }
        }
    }
}
