package io.reprise.net.peer;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.Clock;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The port of a node for other nodes. It accepts peers and connects to them, over mutual TLS or on loopback addresses, and
 * refuses those of another cluster, database or version with a message that names the remedy.
 *
 * <p>An address that has just failed is dialled again after a pause that doubles up to {@value #MOST_PAUSE_MS} ms, so an
 * owner may ask for a link in each duty cycle.
 *
 * <p>The engine's agent calls the methods of {@link Links}; the rest is the node's.
 */
public final class PeerPort implements Links, AutoCloseable {
    /** Connections in their greeting; further ones are closed at once. */
    private static final int MOST_GREETING = 128;

    /** Links that the owner has not accepted; further ones are closed. */
    private static final int MOST_WAITING = 1024;

    private static final long LEAST_PAUSE_MS = 10;
    private static final long MOST_PAUSE_MS = 500;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final PeerSettings own;
    private final PeerProblems problems;
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final PeerConnector connector;
    private final ChannelGroup channels;
    private final Channel listening;
    private final ConcurrentLinkedQueue<PeerLink> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private volatile Waker waker;
    private volatile FrameTaker taker;
    private volatile PeerCalls calls;

    // The loop's.
    private final Map<String, Long> pausesMs = new HashMap<>();
    private int greeting;

    /**
     * Binds the port and listens.
     *
     * @param threads makes the thread of the network loop, and those that look names up
     */
    public PeerPort(PeerSettings settings, Clock clock, ThreadFactory threads) {
        own = settings;
        problems = new PeerProblems(clock);
        connector = new PeerConnector(settings, threads);
        boolean epoll = Epoll.isAvailable();
        group = new MultiThreadIoEventLoopGroup(
                1, threads, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        loop = group.next();
        channels = new DefaultChannelGroup(loop);
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 256)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new Pipeline())
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw new IllegalArgumentException(
                    "can't listen on " + settings.address() + " for other nodes: "
                            + bound.cause().getMessage() + "; set cluster.peer to another port",
                    bound.cause());
        }
        listening = bound.channel();
    }

    /** The address that peers connect to, with the port that was found. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** The last problem of each peer address that can't be reached. Any thread. */
    public SortedMap<String, String> problems() {
        return problems.all();
    }

    /** From now on connections that carry passed-on calls go to the native protocol; before, they are refused. */
    public void passCallsTo(PeerCalls protocol) {
        calls = protocol;
    }

    /** A loop of connections between nodes: begins a connection that carries calls to the peer at {@code host:port}. */
    public void connectForCalls(String address, EventLoop by, CallsConnection connection) {
        connector.connect(address, PeerHello.CALLS, by, new ConnectingGreeting.Connecting() {
            @Override
            public void connected(Channel channel, int level) {
                channels.add(channel);
                connection.connected(channel);
            }

            @Override
            public void failed(String why) {
                connection.failed(why);
            }
        });
    }

    /** The owner of a connection that carries calls. Called by the connection's loop. */
    public interface CallsConnection {
        /** The peer takes calls: adds the handler of the connection. */
        void connected(Channel channel);

        /** There is no connection. */
        void failed(String why);
    }

    @Override
    public Link connect(String address) {
        PeerLink link = new PeerLink(own, () -> waker, () -> taker, problems);
        try {
            loop.execute(() -> {
                long pauseMs = pausesMs.getOrDefault(address, 0L);
                if (pauseMs == 0) {
                    dial(address, link);
                } else {
                    loop.schedule(() -> dial(address, link), pauseMs, TimeUnit.MILLISECONDS);
                }
            });
        } catch (RejectedExecutionException closed) {
            link.ended();
        }
        return link;
    }

    private void dial(String address, PeerLink link) {
        if (link.state() == Link.State.CLOSED) {
            return;
        }
        connector.connect(address, PeerHello.FRAMES, loop, new ConnectingGreeting.Connecting() {
            @Override
            public void connected(Channel channel, int level) {
                channels.add(channel);
                pausesMs.remove(address);
                problems.connected(address);
                channel.pipeline().addLast(link);
                if (!link.opened(channel, level)) {
                    channel.close();
                }
            }

            @Override
            public void refused() {
                link.refused();
            }

            @Override
            public void failed(String why) {
                pausesMs.merge(address, LEAST_PAUSE_MS, (before, least) -> Math.min(2 * before, MOST_PAUSE_MS));
                problems.connecting(address, why);
                link.ended();
            }
        });
    }

    @Override
    public Link accept() {
        PeerLink link = waiting.poll();
        if (link != null) {
            waitingCount.decrementAndGet();
        }
        return link;
    }

    @Override
    public boolean tellsRefusals() {
        return true;
    }

    @Override
    public void wake(Waker owner) {
        waker = owner;
    }

    @Override
    public void offerTo(FrameTaker owner) {
        taker = owner;
    }

    /** Closes the port and all connections. Links that the owner has are closed. */
    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        channels.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    /** Sets up the connections of peers. */
    private final class Pipeline extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            if (greeting >= MOST_GREETING) {
                problems.accepted(
                        channel.remoteAddress(), MOST_GREETING + " connections are in their greeting already");
                channel.close();
                return;
            }
            greeting++;
            channels.add(channel);
            own.tls().ifPresent(tls -> channel.pipeline().addLast(new PeerDoor(own, tls, problems)));
            channel.pipeline().addLast(new AcceptedGreeting(own, problems, new Greeted()));
        }
    }

    /** The end of one peer's greeting. */
    private final class Greeted implements AcceptedGreeting.Accepted {
        @Override
        public Optional<String> accept(Channel channel, PeerHello hello) {
            if (hello.purpose() == PeerHello.CALLS) {
                PeerCalls protocol = calls;
                if (protocol == null) {
                    return Optional.of("node " + own.node() + " does not serve calls yet");
                }
                protocol.accept(channel);
                return Optional.empty();
            }
            if (waitingCount.incrementAndGet() > MOST_WAITING) {
                waitingCount.decrementAndGet();
                return Optional.of(MOST_WAITING + " links wait already to be accepted");
            }
            PeerLink link = new PeerLink(own, () -> waker, () -> taker, problems);
            channel.pipeline().addLast(link);
            link.opened(channel, hello.chosen(own));
            waiting.add(link);
            Waker owner = waker;
            if (owner != null) {
                owner.wake();
            }
            return Optional.empty();
        }

        @Override
        public void greetingOver() {
            greeting--;
        }
    }
}
