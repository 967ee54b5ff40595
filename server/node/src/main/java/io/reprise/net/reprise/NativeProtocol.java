package io.reprise.net.reprise;

import io.netty.channel.Channel;
import io.reprise.cluster.Topology;
import io.reprise.execution.BucketMap;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.listen.Protocol;
import io.reprise.net.peer.PeerPort;
import io.reprise.net.session.Backend;
import io.reprise.net.session.ReplyMemory;
import io.reprise.net.session.Session;
import io.reprise.net.session.SessionLimits;
import io.reprise.net.session.UnreadReplies;
import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.time.Clock;
import io.reprise.txn.initiator.ClientPort;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The native protocol of one engine: the shared state of its connections, and an agent on each site that runs their
 * calls. Made before the engine, which takes the agents; connections come when the engine is open.
 */
public final class NativeProtocol implements Protocol {
    private static final long CHECK_MS = 250;

    private final PortSettings settings;
    private final SessionLimits limits;
    private final Backend backend;
    private final Clock clock;
    private final ProcedureHandles handles;
    private final Resolver resolver;
    private final UntoldOutcomes untold;
    private final ReplyMemory memory;
    private final LogThrottle strangers = new LogThrottle();
    private final List<CallAgent> agents = new ArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong partialBytes = new AtomicLong();
    private final LongAdder passedOn = new LongAdder();
    private final Set<NativeConnection> connections = ConcurrentHashMap.newKeySet();
    private FrameQueue[] queues;
    private HintedSites hinted;
    private volatile Welcome welcome;

    /** Null: the node serves alone. Set before the engine is opened. */
    private ClusterSide cluster;

    /** The protocol of an engine that is about to be opened. */
    public NativeProtocol(PortSettings settings, Backend backend, Clock clock) {
        this.settings = settings;
        this.backend = backend;
        this.clock = clock;
        limits = settings.limits();
        handles = new ProcedureHandles(backend);
        resolver = new Resolver(backend, handles);
        untold = new UntoldOutcomes(clock);
        memory = new ReplyMemory(limits.maxAllUnreadBytes(), clock);
    }

    /**
     * The server is a node of a cluster. Called before the engine is opened.
     *
     * @param peers the port to other nodes: requests are passed on through it, and taken from it
     */
    public void joinCluster(int node, PeerPort peers) {
        cluster = new ClusterSide(node, Optional.of(peers));
    }

    /** Any thread: the cluster has this topology now. Clients are told, and older topologies are ignored. */
    public synchronized void topology(Topology next) {
        Topology before = cluster.topology();
        if (before != null && next.version() < before.version()) {
            return;
        }
        cluster.replace(next);
        if (welcome == null) {
            return;
        }
        welcome = makeWelcome();
        connections.forEach(connection -> connection.topologyChanged(before, next));
    }

    /** A loop between nodes: a peer passes requests of one of its clients on. The peer has checked the client's rights. */
    private void acceptPassedOn(Channel channel) {
        ClientChannel client = new ClientChannel(channel, patienceMs(), nowNs());
        NativeConnection connection =
                new NativeConnection(this, client, nextNumber(), new Session(Optional.empty()), true);
        FrameDecoder decoder = connection.decoder();
        channel.pipeline().addLast(decoder);
        decoder.channelActive(channel.pipeline().context(decoder));
        Future<?> checks = channel.eventLoop()
                .scheduleWithFixedDelay(() -> connection.check(nowNs()), CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
        channel.closeFuture().addListener(closed -> checks.cancel(false));
    }

    private int nextNumber() {
        return numbers.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** The agent that runs the calls of a site, on its thread. Called for each site, from 0. */
    public Agent agent(int site, Function<Integer, ClientPort> ports) {
        CallAgent agent = new CallAgent(
                site,
                ports.apply(limits.callsPerSite()),
                new CurrentProcedures(handles),
                limits,
                memory.held(),
                memory.calls(),
                untold,
                cluster != null);
        agents.add(agent);
        return agent;
    }

    @Override
    public synchronized void begin() {
        queues = agents.stream().map(CallAgent::queue).toArray(FrameQueue[]::new);
        hinted = new HintedSites(backend.buckets().partitions(), agents.size(), backend::siteOf);
        welcome = makeWelcome();
        if (cluster != null) {
            cluster.takeCalls(this::acceptPassedOn);
        }
    }

    private Welcome makeWelcome() {
        BucketMap buckets = backend.buckets();
        Welcome.Builder builder = Welcome.newBuilder()
                .setVersion(Wire.VERSION)
                .setSoftware(backend.software())
                .setMaxFrameBytes(limits.maxFrameBytes())
                .setMaxCalls(mostCalls());
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            builder.addPartitionOfBucket(buckets.partition(bucket));
        }
        if (cluster != null) {
            builder.setNode(cluster.node() + 1);
            if (cluster.topology() != null) {
                builder.setTopology(ClusterSide.told(cluster.topology()));
            }
        }
        return builder.build();
    }

    @Override
    public PortConnection connect(ClientChannel channel) {
        return new NativeConnection(this, channel, nextNumber(), session(), false);
    }

    @Override
    public void refuseNew() {
        agents.forEach(CallAgent::refuseNew);
    }

    /** Any thread: sites look again at the calls that they hold back. */
    void wakeSites() {
        agents.forEach(CallAgent::wake);
    }

    FrameDecoder decoder(FrameDecoder.Receiver receiver) {
        return new FrameDecoder(
                receiver, clock::nanoTime, limits.maxFrameBytes(), limits.maxPartialBytes(), partialBytes);
    }

    Arrivals arrivals() {
        return new Arrivals(queues, limits.unreadBytes(), limits.framesPerSite());
    }

    UnreadReplies unread(UnreadReplies.Reader reader) {
        return new UnreadReplies(memory, limits, patienceMs(), reader, nowNs());
    }

    private Session session() {
        return new Session(settings.listen().protection().logins());
    }

    void opened(NativeConnection connection) {
        memory.add(connection.unread());
        if (cluster != null) {
            connections.add(connection);
        }
    }

    void closed(NativeConnection connection) {
        memory.remove(connection.unread());
        connections.remove(connection);
    }

    /** Any thread: counts a request that is passed on to another node. */
    void countPassedOn() {
        passedOn.increment();
    }

    /** Any thread: the number of requests that were passed on to other nodes. */
    public long passedOn() {
        return passedOn.sum();
    }

    /** The cluster, or null. */
    ClusterSide cluster() {
        return cluster;
    }

    int mostCalls() {
        return Math.min(limits.callsPerSite(), limits.callsPerConnection());
    }

    Backend backend() {
        return backend;
    }

    Resolver resolver() {
        return resolver;
    }

    /** The throttle of log messages about connections without a user. */
    LogThrottle strangers() {
        return strangers;
    }

    Welcome welcome() {
        return welcome;
    }

    HintedSites hintedSites() {
        return hinted;
    }

    int sites() {
        return agents.size();
    }

    int maxResultBytes() {
        return limits.maxResultBytes();
    }

    long patienceMs() {
        return settings.listen().patienceMs();
    }

    long nowNs() {
        return clock.nanoTime();
    }
}
