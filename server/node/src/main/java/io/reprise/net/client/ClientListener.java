package io.reprise.net.client;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureSignature;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.id.Buckets;
import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.time.Clock;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.waiting.SpinningSelect;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Parameter;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.Welcome;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where clients connect. Made before the engine, because it has an agent on each site's thread, and because its port should be known
 * to be free before a long recovery; listens once the engine is open.
 *
 * <pre>
 *  new -> reserve -> agent, for each site -> open -> stopAccepting -> (the engine closes) -> close
 * </pre>
 */
public final class ClientListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");
    private static final int LOW_WATER_BYTES = 1 << 17;
    private static final long LOOK_MS = 250;
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final long GOODBYE_TIMEOUT_NS = 2_000_000_000;
    private static final long LOOK_FOR_END_NS = 1_000_000;

    /** Clients' progress is looked at each {@link #LOOK_MS}. */
    private static final long UNTOUCHED_NS = 1_000_000_000;

    private final ListenerSettings settings;
    private final Backend backend;
    private final Clock clock;
    private final ProcedureHandles handles;
    private final Handshakes handshakes;
    private final UntoldOutcomes untold;
    private final LogThrottle strangers = new LogThrottle();
    private final List<CallAgent> agents = new ArrayList<>();
    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong partialBytes = new AtomicLong();
    private final AtomicLong unreadBytes = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong callBytes = new AtomicLong();

    /** Who is being ended because all have left too much unread; only one at a time, because that takes a moment to help. */
    private final AtomicReference<ClientConnection> ending = new AtomicReference<>();

    private ReservedPort reserved;
    private EventLoopGroup loops;
    private Channel listening;
    private Welcome welcome;

    /**
     * A listener for an engine that is about to be opened.
     *
     * @param handshakes does the arithmetic of TLS handshakes; refuses what would wait for too long
     */
    public ClientListener(ListenerSettings settings, Backend backend, Clock clock, Executor handshakes) {
        if (!settings.protection().allows(settings.address())) {
            throw new IllegalArgumentException("other machines can connect to " + settings.address() + ", and "
                    + settings.protection().missing()
                    + ": listen on a loopback address such as 127.0.0.1, or with TLS and"
                    + " users, or allow it explicitly with ListenerSettings.withoutProtection()");
        }
        this.settings = settings;
        this.backend = backend;
        this.clock = clock;
        this.handshakes = new Handshakes(handshakes);
        handles = new ProcedureHandles(backend);
        untold = new UntoldOutcomes(clock);
    }

    /** Takes the port, or throws {@link IllegalArgumentException} if it can't be had. Nobody can connect yet. */
    public void reserve() {
        reserved = ReservedPort.of(settings.address());
    }

    /** What runs the calls of a site, on its thread. Called for one site after the other, from 0. */
    public Agent agent(int site, Function<Integer, ClientPort> ports) {
        CallAgent agent = new CallAgent(
                site,
                ports.apply(settings.callsPerSite()),
                handles,
                settings,
                new SharedBytes(heldBytes, settings.maxAllUnreadBytes() / 2),
                new SharedBytes(callBytes, settings.maxAllUnreadBytes() / 4),
                untold);
        agents.add(agent);
        return agent;
    }

    /**
     * Listens on the port that was reserved.
     *
     * @param threads makes the threads that move bytes
     */
    public void open(ThreadFactory threads) {
        welcome = makeWelcome();
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory(0, SpinningSelect::new) : NioIoHandler.newFactory();
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        loops = new MultiThreadIoEventLoopGroup(settings.networkThreads(), threads, io);
        try {
            reserved.giveWay();
            ChannelFuture bound = new ServerBootstrap()
                    .group(loops)
                    .channel(type)
                    .option(ChannelOption.SO_BACKLOG, 1024)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.SO_KEEPALIVE, true)
                    .childOption(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(
                                    Math.min(LOW_WATER_BYTES, settings.unreadBytes()), settings.unreadBytes()))
                    .childHandler(new Pipeline())
                    .bind(reserved.address())
                    .awaitUninterruptibly();
            if (!bound.isSuccess()) {
                // Netty would throw it undeclared, past whoever closes what has been opened.
                throw ReservedPort.refused(reserved.address(), bound.cause());
            }
            listening = bound.channel();
            reserved.close();
        } catch (RuntimeException | Error failure) {
            loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
            throw failure;
        }
        loops.next().scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private final class Pipeline extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            ClientConnection connection =
                    new ClientConnection(ClientListener.this, numbers.getAndIncrement() & Integer.MAX_VALUE);
            settings.protection()
                    .tls()
                    .ifPresent(tls -> channel.pipeline()
                            .addLast(new TlsDoor(tls, handshakes, connection, settings.patienceMs())));
            channel.pipeline().addLast(connection);
        }
    }

    /** Ends connections whose clients take too long, or whose users are gone: each on its own loop. */
    private void look() {
        long nowNs = nowNs();
        for (ClientConnection connection : connections) {
            connection.onLoop(() -> check(connection, nowNs));
        }
    }

    /** A periodic task that throws is not run again, and nobody would look after any connection any more. */
    private static void check(ClientConnection connection, long nowNs) {
        try {
            connection.check(nowNs);
        } catch (RuntimeException | Error thrown) {
            LOG.error(
                    "The connection of {} could not be looked after, and is tried again",
                    connection.remoteAddress(),
                    thrown);
        }
    }

    /** Where it listens, with the port that was found. */
    public InetSocketAddress address() {
        SocketAddress address = listening.localAddress();
        return (InetSocketAddress) address;
    }

    /** How many connections there are, without those that have not shaken hands. */
    public int connections() {
        return count.get();
    }

    /** Takes no connection and begins no call any more; those under way are answered when the engine closes. */
    public void stopAccepting() {
        listening.close().syncUninterruptibly();
        agents.forEach(CallAgent::refuseNew);
    }

    /** Ends all connections, after what is to be written, and the threads. The engine has ended. */
    @Override
    public void close() {
        if (reserved != null) {
            reserved.close();
        }
        if (loops == null) {
            return;
        }
        connections.forEach(connection -> connection.close(Goodbye.Reason.SHUTTING_DOWN, "the server has been closed"));
        // The loops close what is open when they end, and forget what is still to be written.
        long beganNs = nowNs();
        while (!connections.isEmpty() && nowNs() - beganNs < GOODBYE_TIMEOUT_NS) {
            LockSupport.parkNanos(LOOK_FOR_END_NS);
        }
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }

    Handshakes handshakes() {
        return handshakes;
    }

    /** Tells of connections that ended before anybody knew whose they were. */
    LogThrottle strangers() {
        return strangers;
    }

    ListenerSettings settings() {
        return settings;
    }

    Backend backend() {
        return backend;
    }

    int sites() {
        return agents.size();
    }

    CallAgent agent(int site) {
        return agents.get(site);
    }

    /** Sites that hold calls of a connection back look again. */
    void wakeSites() {
        agents.forEach(CallAgent::wake);
    }

    long nowNs() {
        return clock.nanoTime();
    }

    Welcome welcome() {
        return welcome;
    }

    /** Counts bytes of frames that have begun to arrive. Returns how many there are now. */
    long partialBytes(int more) {
        return partialBytes.addAndGet(more);
    }

    /** A connection has begun; it is removed when it has ended. */
    void added(ClientConnection connection) {
        connections.add(connection);
    }

    /** Counts a connection; false if it is one too many. */
    boolean counted() {
        return count.incrementAndGet() <= settings.maxConnections();
    }

    void removed(ClientConnection connection, boolean wasCounted) {
        connections.remove(connection);
        if (wasCounted) {
            count.decrementAndGet();
        }
        ending.compareAndSet(connection, null);
    }

    /** Any thread: counts bytes of replies of all connections that are on their way. */
    void unread(int bytes) {
        if (unreadBytes.addAndGet(bytes) > settings.maxAllUnreadBytes()) {
            endWorst();
        }
    }

    /** Any thread: as many have gone. Returns whether there are few again, which there were not. */
    boolean read(int bytes) {
        long before = unreadBytes.getAndAdd(-bytes);
        return before > settings.maxAllUnreadBytes() / 2 && before - bytes <= settings.maxAllUnreadBytes() / 2;
    }

    /** Any thread: whether nobody should get more replies who hasn't read those that he has. */
    boolean hasMuchUnread() {
        return unreadBytes.get() > settings.maxAllUnreadBytes() / 2;
    }

    private void endWorst() {
        if (ending.get() != null) {
            return;
        }
        long nowNs = nowNs();
        ClientConnection worst = null;
        for (ClientConnection connection : connections) {
            if (worst == null || isWorse(connection, worst, nowNs)) {
                worst = connection;
            }
        }
        if (worst != null && ending.compareAndSet(null, worst)) {
            worst.cutOff("all clients together have left more than " + settings.maxAllUnreadBytes()
                    + " bytes of replies unread, and this one most of them, "
                    + worst.unread().bytes());
            if (!connections.contains(worst)) {
                ending.compareAndSet(worst, null);
            }
        }
    }

    /** Whoever reads is the last to be ended, however much he has asked for. */
    private static boolean isWorse(ClientConnection connection, ClientConnection than, long nowNs) {
        boolean untouched = connection.unread().areUntouched(nowNs, UNTOUCHED_NS);
        boolean otherUntouched = than.unread().areUntouched(nowNs, UNTOUCHED_NS);
        return untouched != otherUntouched
                ? untouched
                : connection.unread().bytes() > than.unread().bytes();
    }

    private Welcome makeWelcome() {
        BucketMap buckets = backend.buckets();
        Welcome.Builder builder = Welcome.newBuilder()
                .setVersion(Wire.VERSION)
                .setSoftware(backend.software())
                .setMaxFrameBytes(settings.maxFrameBytes())
                .setMaxCalls(Math.min(settings.callsPerSite(), settings.callsPerConnection()));
        for (int bucket = 0; bucket < Buckets.COUNT; bucket++) {
            builder.addPartitionOfBucket(buckets.partition(bucket));
        }
        return builder.build();
    }

    /** Counts a request that its user may not make. */
    void refusedRequest() {
        settings.protection().logins().ifPresent(logins -> logins.meter().refusedRequest());
    }

    /** What somebody is told who calls what he may not. */
    static String notPermitted(ConnectedUser user, Work work) {
        return user.name() + " may not call " + work.name() + "; it needs the role call, or call:" + work.name()
                + (work.readOnly() ? ", or read" : "");
    }

    /** What a client has to know to call a procedure. */
    Resolved resolve(long id, String name, ConnectedUser user) {
        Resolved.Builder answer = Resolved.newBuilder().setId(id);
        Work work = backend.procedure(name);
        if (work != null && !user.rights().calls(work.name(), work.readOnly())) {
            refusedRequest();
            return answer.setFailure(Failure.newBuilder()
                            .setCode(Failure.Code.NOT_PERMITTED)
                            .setMessage(notPermitted(user, work)))
                    .build();
        }
        int handle = work == null ? 0 : handles.handle(work.name());
        if (handle == 0) {
            return answer.setFailure(
                            Failure.newBuilder()
                                    .setCode(Failure.Code.INVALID_REQUEST)
                                    .setMessage(
                                            work == null
                                                    ? "there is no procedure " + name
                                                    : "the server has given numbers to as many procedures as it can; restart it"))
                    .build();
        }
        answer.setHandle(handle).setReadOnly(work.readOnly());
        if (work instanceof ProcedureWork procedure) {
            ProcedureSignature signature = procedure.signature();
            for (int i = 0; i < signature.parameters().size(); i++) {
                answer.addParameter(Parameter.newBuilder()
                        .setName(signature.names().get(i))
                        .setType(signature.parameters().get(i).javaType().getSimpleName()));
            }
            answer.setRoutingParameter(procedure.homeParameter() + 1);
        }
        return answer.build();
    }
}
