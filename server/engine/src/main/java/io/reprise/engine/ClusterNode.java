package io.reprise.engine;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.Topology;
import io.reprise.cluster.replica.ClusterAgent;
import io.reprise.cluster.replica.NodeEntry;
import io.reprise.cluster.replica.PeerOutbox;
import io.reprise.cluster.replica.Placement;
import io.reprise.cluster.replica.ReplicaExchange;
import io.reprise.cluster.replica.ReplicaGroup;
import io.reprise.cluster.replica.ReplicaSettings;
import io.reprise.cluster.transaction.TransactionSettings;
import io.reprise.cluster.transaction.TransactionSite;
import io.reprise.engine.replication.BucketRoutes;
import io.reprise.engine.replication.CallPassing;
import io.reprise.engine.replication.CutCall;
import io.reprise.engine.replication.NodeCalls;
import io.reprise.engine.replication.NodeStreams;
import io.reprise.engine.replication.PartitionReplica;
import io.reprise.engine.replication.ReplicaSite;
import io.reprise.engine.replication.ReplicatedTransactions;
import io.reprise.engine.replication.SchemaCall;
import io.reprise.engine.replication.StreamFeeds;
import io.reprise.execution.Admission;
import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.Request;
import io.reprise.execution.durable.Replication;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.log.PartitionLog;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * An engine's part in a cluster: a replica for each partition, in a group for each site, the agent that owns links and
 * membership, and the topology for calls.
 *
 * <p>The map decides which replicas hold something here. Calls of a partition that another node leads are refused with MOVED.
 */
final class ClusterNode implements CallPassing.Peers, AutoCloseable {
    private static final long MARK_NS = 250_000_000;
    private static final int BATCH_RECORDS = 512;
    private static final int LEAST_PIECE_BYTES = 1 << 10;
    private static final int MOST_PIECE_BYTES = 64 << 10;

    /** The pieces of an image that are under way have no more bytes than a stream keeps in memory. */
    private static final int PIECES = 8;

    private static final int HEARTBEATS_TO_FAILURE = 5;

    /** A node lives while its sites are busy with a change of the schema, for so long at most. */
    private static final long LONGEST_CHANGE_NS = 600_000_000_000L;

    /** A passed call waits so many failure timeouts for a leader that runs it. */
    private static final int PASSING_TIMEOUTS = 10;

    private final ClusterOptions options;
    private final Clock clock;
    private final int sites;
    private final List<Partition> partitions;
    private final BucketMap dealt;
    private final PartitionLog[] logs;
    private final Waker[] siteWakers;
    private final Waker waker;
    private final PartitionReplica[] bySlot;
    private final ClusterAgent agent;
    private final AtomicReference<Topology> topology = new AtomicReference<>();
    private final AtomicBoolean holdsNothing = new AtomicBoolean();
    private final List<Consumer<Topology>> listeners = new CopyOnWriteArrayList<>();
    private final List<Agent> siteAgents = new ArrayList<>();
    private final List<NodeCalls> calls = new ArrayList<>();
    private final ClusterSchema schema;
    private final StreamFeeds feeds;
    private final PeerOutbox outbox;
    private final ClusterLoads loads;
    private final CallPassing passing;
    private final BucketRoutes routes;
    private Sites running;

    /** The places of buckets in the newest map. */
    private List<BucketPlace> places = List.of();

    private Consumer<Execution> submitRouted;

    /**
     * Replicas that go on where a recovery has ended.
     *
     * @param logs by slot
     * @param siteWakers by site
     * @param feeds reads the log for peers that lag
     * @param startPosition the position of the first ring behind the record of this node's start
     * @param completed the change of the schema that was completed before, as the cluster's transaction, or 0
     * @param seed the cut of the backup with whose rows the cluster begins, or 0
     */
    ClusterNode(
            EngineSettings all,
            ClusterOptions options,
            Recovered recovered,
            NodeStreams streams,
            EngineSchema engineSchema,
            PartitionLog[] logs,
            Waker[] siteWakers,
            StreamFeeds feeds,
            long startPosition,
            long completed,
            long seed) {
        this.options = options;
        clock = all.clock();
        this.logs = logs;
        this.feeds = feeds;
        this.siteWakers = siteWakers.clone();
        partitions = recovered.partitions();
        dealt = recovered.buckets();
        sites = all.layout().sites();
        waker = all.hasThreads() ? new Waker() : null;
        bySlot = new PartitionReplica[partitions.size()];
        Placement placement = new Placement(0, options.nodes(), options.kSafety() + 1);
        schema = new ClusterSchema(engineSchema, dealt, all.hasThreads() ? new Waker() : null);
        routes = new BucketRoutes(dealt, this::route);
        ReplicatedTransactions transactions = new ReplicatedTransactions(
                new TransactionSettings(
                        heartbeatNs() / 2,
                        HEARTBEATS_TO_FAILURE * 3 * heartbeatNs(),
                        MARK_NS,
                        options.broken().transactions()),
                all.clock(),
                all.durability().differential(),
                all.durability().log().maxRecordBytes(),
                options.broken().streams());
        List<NodeEntry.Log> entries = new ArrayList<>();
        for (Partition partition : partitions) {
            PartitionReplica replica = new PartitionReplica(
                    partition,
                    logs[partition.slot()],
                    streams,
                    schema,
                    transactions,
                    routes,
                    id -> running.stampAbove(id),
                    () -> leaderOf(partition.id()),
                    bucket -> running.meter(partition.site()).load(bucket),
                    other -> leader(other) != Topology.NO_LEADER,
                    this::operate);
            if (completed != 0) {
                replica.changed(completed, false);
            }
            bySlot[partition.slot()] = replica;
            if (seed != 0 && !placement.holds(options.node(), partition.id())) {
                // The backup has all partitions.
                replica.log().beginImage();
            }
            if (placement.holds(options.node(), partition.id()) || replica.hasLog()) {
                entries.add(NodeEntry.Log.of(partition.id(), replica.log()));
            }
        }
        agent = new ClusterAgent(
                member(),
                partitions.size(),
                placement,
                options.links(),
                node -> "",
                options.membership(),
                new NodeEntry(
                                options.incarnation(),
                                engineSchema.hash() ^ seed,
                                options.peerAddress(),
                                options.clientAddress(),
                                entries)
                        .withLevels(options.levels()),
                () -> logs[0].durable() >= startPosition);
        agent.listener(this::publish);
        agent.others(this::receive);
        outbox = new PeerOutbox(waker);
        agent.sendFrom(outbox);
        passing = new CallPassing(
                this,
                schema,
                options.failureTimeout().multipliedBy(PASSING_TIMEOUTS).toNanos(),
                all.hasThreads() ? new Waker() : null);
        loads = new ClusterLoads(options.node(), dealt.count(), all.clock());
        agent.broadcast(ClusterLoads.INTERVAL_NS, loads::frame);
        agent.wakeEvery(heartbeatNs());
        agent.hear(heartbeatNs());
        long longestBusyNs = all.limits().time().plus(options.failureTimeout()).toNanos();
        agent.longestBusy(() -> schema.isChanging() ? LONGEST_CHANGE_NS : longestBusyNs);
        if (waker != null) {
            options.links().wake(waker);
        }
    }

    private Member member() {
        return new Member(options.node(), options.incarnation());
    }

    private long heartbeatNs() {
        return options.failureTimeout().toNanos() / HEARTBEATS_TO_FAILURE;
    }

    // ---- Parts of the engine

    /** By slot, the admission of each partition's executor. */
    List<Admission> admissions() {
        return List.of(bySlot);
    }

    /** By slot, the replication of each partition. */
    Replication[] replications() {
        return bySlot.clone();
    }

    /** Before it starts, of adaptive logging: the chooser of a site. */
    void chooseBy(int site, LoggingChooser chooser) {
        for (Partition partition : partitions) {
            if (partition.site() == site) {
                bySlot[partition.slot()].chooseBy(chooser, clock);
            }
        }
    }

    /** Makes the groups of all sites. */
    void runIn(Sites newSites) {
        running = newSites;
        newSites.callOverNodesBy(this::take);
        ReplicaSettings settings = new ReplicaSettings(
                options.forced(),
                heartbeatNs(),
                options.failureTimeout().toNanos(),
                BATCH_RECORDS,
                Math.clamp(options.streamBytes(partitions.size()) / PIECES, LEAST_PIECE_BYTES, MOST_PIECE_BYTES),
                options.broken().replicas());
        for (int site = 0; site < sites; site++) {
            ReplicaExchange exchange = new ReplicaExchange(siteWakers[site], waker);
            ReplicaGroup group = new ReplicaGroup(member(), settings, exchange, this::isAvailable);
            group.lentIf(this::isLent);
            TransactionSite transactions = new TransactionSite(member(), partitions.size(), group);
            NodeCalls siteCalls = new NodeCalls(siteWakers[site]);
            calls.add(siteCalls);
            List<PartitionReplica> replicas = new ArrayList<>();
            List<Integer> held = new ArrayList<>();
            for (Partition partition : newSites.partitions(site)) {
                PartitionReplica replica = bySlot[partition.slot()];
                replica.feedBy(feeds, siteWakers[site]);
                replica.join(group);
                replica.enter(newSites.executor(partition), transactions, siteCalls);
                replicas.add(replica);
                held.add(partition.id());
            }
            agent.connect(exchange, held.stream().mapToInt(Integer::intValue).toArray());
            siteAgents.add(new ReplicaSite(site, group, replicas, transactions, siteCalls));
        }
    }

    /** Takes a call over several partitions. Any thread. */
    private boolean take(Execution call) {
        if (call.participantCount() == 1 || call.work() instanceof EngineWork) {
            return false;
        }
        int home = call.coordinator();
        if (!calls.get(running.siteOf(home)).offer(call)) {
            call.refuse(ErrorCode.OVERLOADED, "too many calls wait for partition " + home + "; try again later");
        }
        return true;
    }

    // ---- Calls of sessions

    /**
     * Takes a call of this node's sessions whose home is not served here, or that needs leaders of other partitions, which may
     * change. Any thread.
     */
    boolean passes(Execution call) {
        if (call.work() instanceof EngineWork) {
            return false;
        }
        if (call.participantCount() == 1 && serves(call.participant(0))) {
            call.replyBy(session -> ended -> answer(ended, session));
            return false;
        }
        if (!passing.offer(call)) {
            call.refuse(ErrorCode.OVERLOADED, "too many calls wait for the leaders of other nodes; try again later");
        }
        return true;
    }

    /** A call that was not run here, because its buckets have moved or the lead did, is passed on after all. */
    private void answer(Execution ended, ReplyTarget session) {
        ErrorCode error = ended.outcome().error();
        if (error != ErrorCode.MOVED && error != ErrorCode.PARTITION_UNAVAILABLE) {
            session.complete(ended);
            return;
        }
        Request request = ended.request();
        long client = request.client();
        long sequence = request.sequence();
        long acknowledged = request.acknowledged();
        long largestResult = request.largestResult();
        ended.prepare(request.work(), session, ended.cookie());
        request.once(client, sequence, acknowledged);
        request.limitResult(largestResult);
        if (!passing.offer(ended)) {
            ended.refuse(ErrorCode.OVERLOADED, "too many calls wait for the leaders of other nodes; try again later");
        }
    }

    /**
     * Before it starts, of a recovery on demand.
     *
     * @param wanted has a bucket loaded soon, or all
     * @param failed a view of the buckets that can't be loaded, with the reasons
     */
    void loadBy(IntConsumer wanted, Map<Integer, String> failed) {
        for (PartitionReplica replica : bySlot) {
            replica.loadBy(wanted, failed);
        }
    }

    /** Whether this node leads a partition and admits its calls. Any thread. */
    boolean leads(int partition) {
        return bySlot[partitions.getFirst().peers().slotOf(partition)].isServing();
    }

    private boolean serves(int partition) {
        return topology.get() == null || leads(partition);
    }

    /** Any thread. */
    private void receive(byte[] frame) {
        if (frame[0] == CallPassing.KIND) {
            passing.receive(frame);
        } else if (frame[0] == SchemaFollower.KIND) {
            schema.receive(frame);
        } else if (frame[0] == ClusterLoads.KIND) {
            loads.receive(frame);
        } else {
            agent.deliverFrame(TransactionSite.receiverOf(frame), frame);
        }
    }

    @Override
    public int node() {
        return options.node();
    }

    @Override
    public long incarnation() {
        return options.incarnation();
    }

    @Override
    public int leader(int partition) {
        Topology now = topology.get();
        return now == null ? Topology.NO_LEADER : now.leader(partition);
    }

    @Override
    public boolean reachesMembership() {
        return agent.reachesMembership();
    }

    @Override
    public boolean reaches(int node) {
        return agent.reaches(node);
    }

    @Override
    public void send(int node, byte[] frame) {
        outbox.send(node, frame);
    }

    @Override
    public void run(Execution call) {
        submitRouted.accept(call);
    }

    private boolean isLent(int partition) {
        return !running.executor(partitions.getFirst().peers().withId(partition))
                .isHere();
    }

    private boolean isAvailable(int partition) {
        Partition at = partitions.getFirst().peers().withId(partition);
        return running.executor(at).isHere() && logs[at.slot()].hasRoom() && !bySlot[at.slot()].isChangeDue();
    }

    // ---- The schema

    /** The node's schema, for a thread of its own. */
    ClusterSchema schema() {
        return schema;
    }

    /**
     * Before it starts, and when all else is ready: the ways of works, and of routed calls of other nodes, to this node's partitions.
     * The network's threads offer frames from now on.
     */
    void runBy(Consumer<Execution> works, Consumer<Execution> routed) {
        submitRouted = routed;
        schema.runIn(this, works);
        options.links().offerTo(agent::takeNow);
    }

    /** Makes a cut over all partitions. Any thread; the future is completed on a site's thread with the cut's id. */
    CompletableFuture<Long> cut() {
        CompletableFuture<Long> end = new CompletableFuture<>();
        int home = ledPartition();
        if (home < 0) {
            end.completeExceptionally(new ProcedureException(
                    ErrorCode.PARTITION_UNAVAILABLE, "this node leads no partition at the moment; ask another node"));
        } else if (!calls.get(running.siteOf(home)).offer(new CutCall(home, partitions.size(), end))) {
            end.completeExceptionally(
                    new ProcedureException(ErrorCode.OVERLOADED, "too many cuts wait; try again later"));
        }
        return end;
    }

    /** The first partition that this node leads and serves; -1: there is none. */
    private int ledPartition() {
        for (Partition partition : partitions) {
            if (bySlot[partition.slot()].isServing()) {
                return partition.id();
            }
        }
        return -1;
    }

    /** Changes the schema at all nodes. Any thread; the future is completed on a site's thread. */
    CompletableFuture<SchemaCall.Ended> change(byte[] content) {
        CompletableFuture<SchemaCall.Ended> end = new CompletableFuture<>();
        int home = ledPartition();
        if (home < 0) {
            end.complete(new SchemaCall.Ended(
                    SchemaCall.End.NOT_RUN,
                    ErrorCode.PARTITION_UNAVAILABLE,
                    "this node leads no partition at the moment; nothing was changed. Change the schema at a node that"
                            + " leads one"));
            return end;
        }
        SchemaCall call = new SchemaCall(home, partitions.size(), content, end::complete);
        if (!calls.get(running.siteOf(home)).offer(call)) {
            end.complete(new SchemaCall.Ended(
                    SchemaCall.End.NOT_RUN, ErrorCode.OVERLOADED, "too many changes of the schema wait"));
        }
        return end;
    }

    /** The node has carried out a change, while the caller holds all partitions. */
    void changed(long transaction, boolean isWhole) {
        for (PartitionReplica replica : bySlot) {
            replica.changed(transaction, isWhole);
        }
    }

    /** Whether the cluster counts on a replica, as far as the node knows. While the caller holds all partitions. */
    boolean isCounted() {
        for (PartitionReplica replica : bySlot) {
            if (replica.isCounted()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the map wants and counts no replica of this node. Any thread. */
    boolean holdsNothing() {
        return holdsNothing.get();
    }

    /** The replicas of a site, for its thread. */
    Agent siteAgent(int site) {
        return siteAgents.get(site);
    }

    /** Links and membership, for a thread of its own. */
    Agent agent() {
        return agent;
    }

    /** The reading of the log for peers that lag, for a thread of its own. */
    StreamFeeds feeds() {
        return feeds;
    }

    /** The calls of sessions that are passed on, for a thread of its own. */
    CallPassing passing() {
        return passing;
    }

    /** The idling of that thread. */
    IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, 0, 0, 50_000, 1_000_000);
    }

    // ---- Leaderships for other nodes

    /** This node is about to stop: its replicas withdraw from their partitions. Any thread. */
    void leave() {
        agent.leave();
    }

    /** Whether this node has no part in a partition that another node can take over. Any thread. */
    boolean hasLeft() {
        return agent.hasLeft();
    }

    /** This node's leaders hand over to the first holders of their partitions. Any thread. */
    void balance() {
        agent.balance();
    }

    /** Brings an operation into the cluster's map. Any thread. */
    CompletableFuture<PartitionMap> operate(MapOperation operation) {
        return agent.operate(operation);
    }

    /** Buckets are to go to other partitions. Any thread. */
    CompletableFuture<PartitionMap> moveBuckets(SortedMap<Integer, Integer> goals) {
        return agent.operate(new MapOperation.MoveBuckets(goals, dealt));
    }

    /** The loads of buckets over nodes. */
    ClusterLoads loads() {
        return loads;
    }

    // ---- Topology

    private void publish(ClusterAgent.ClusterNews news) {
        if (news.map() == null) {
            return;
        }
        List<Integer> leaders = new ArrayList<>();
        news.map().partitions().forEach(line -> {
            NodeEntry leader = news.live().get(line.leader());
            boolean runs = leader != null && line.has(new Member(line.leader(), leader.incarnation()));
            leaders.add(runs ? line.leader() : Topology.NO_LEADER);
        });
        if (!news.map().buckets().equals(places)) {
            places = news.map().buckets();
            routes.map(news.map().over(dealt));
        }
        holdsNothing.set(news.map().partitions().stream()
                .noneMatch(line -> line.member(node()).isPresent() || line.mayHold(node())));
        SortedMap<Integer, String> clients = new TreeMap<>();
        SortedMap<Integer, String> peers = new TreeMap<>();
        news.live().forEach((node, entry) -> {
            // A node without a replica in sync may not have the schema yet.
            boolean isUseful = news.map().partitions().stream()
                    .anyMatch(line -> line.member(node).isPresent());
            if (isUseful && !entry.clientAddress().isEmpty()) {
                clients.put(node, entry.clientAddress());
            }
            peers.put(node, entry.peerAddress());
        });
        Topology now =
                new Topology(news.map().versionForClients(news.version()), schema.buckets(), leaders, clients, peers);
        topology.set(now);
        listeners.forEach(listener -> listener.accept(now));
    }

    private void route(BucketMap map) {
        schema.route(map);
        running.route(map);
    }

    /** The newest topology, or null before the first map. Any thread. */
    Topology topology() {
        return topology.get();
    }

    /** The listener is told of each topology, on the cluster's thread, and of the present one at once. */
    void onTopology(Consumer<Topology> listener) {
        listeners.add(listener);
        Topology now = topology.get();
        if (now != null) {
            listener.accept(now);
        }
    }

    private String leaderOf(int partition) {
        Topology now = topology.get();
        int leader = now == null ? Topology.NO_LEADER : now.leader(partition);
        return leader == Topology.NO_LEADER || leader == options.node() ? "" : "node " + leader;
    }

    /** The state of the replicas that this node holds or is to hold. Any thread. */
    List<ReplicaStatus> replicas() {
        List<ReplicaStatus> all = new ArrayList<>();
        for (PartitionReplica replica : bySlot) {
            if (replica.isHere()) {
                all.add(replica.status());
            }
        }
        return all;
    }

    @Override
    public void close() {
        feeds.close();
        for (PartitionReplica replica : bySlot) {
            replica.close();
        }
    }
}
