package io.reprise.net.reprise;

import io.reprise.execution.BucketMap;
import io.reprise.net.listen.ClientChannel;
import io.reprise.net.listen.PortConnection;
import io.reprise.net.listen.Protocol;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The native protocol of one engine: the shared state of its connections, and an agent on each site that runs their
 * calls. Made before the engine, which takes the agents; connections come when the engine is open.
 */
public final class NativeProtocol implements Protocol {
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
    private FrameQueue[] queues;
    private HintedSites hinted;
    private Welcome welcome;

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

    /** The agent that runs the calls of a site, on its thread. Called for each site, from 0. */
    public Agent agent(int site, Function<Integer, ClientPort> ports) {
        CallAgent agent = new CallAgent(
                site,
                ports.apply(limits.callsPerSite()),
                new CurrentProcedures(handles),
                limits,
                memory.held(),
                memory.calls(),
                untold);
        agents.add(agent);
        return agent;
    }

    @Override
    public void begin() {
        queues = agents.stream().map(CallAgent::queue).toArray(FrameQueue[]::new);
        hinted = new HintedSites(backend.buckets().partitions(), agents.size(), backend::siteOf);
        welcome = makeWelcome();
    }

    private Welcome makeWelcome() {
        BucketMap buckets = backend.buckets();
        Welcome.Builder builder = Welcome.newBuilder()
                .setVersion(Wire.VERSION)
                .setSoftware(backend.software())
                .setMaxFrameBytes(limits.maxFrameBytes())
                .setMaxCalls(Math.min(limits.callsPerSite(), limits.callsPerConnection()));
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            builder.addPartitionOfBucket(buckets.partition(bucket));
        }
        return builder.build();
    }

    @Override
    public PortConnection connect(ClientChannel channel) {
        return new NativeConnection(this, channel, numbers.getAndIncrement() & Integer.MAX_VALUE);
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

    Session session() {
        return new Session(settings.listen().protection().logins());
    }

    void opened(UnreadReplies client) {
        memory.add(client);
    }

    void closed(UnreadReplies client) {
        memory.remove(client);
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
