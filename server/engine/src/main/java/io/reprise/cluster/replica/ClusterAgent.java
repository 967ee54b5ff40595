package io.reprise.cluster.replica;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Links;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's side of its cluster: opens {@linkplain PeerLinks links} for the messages of the {@linkplain ReplicaGroup groups of
 * replicas} and carries those that can't pass at once, publishes maps to the groups, and requests {@linkplain MapChanges
 * changes of the map} for them.
 */
public final class ClusterAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterAgent.class);
    private static final int MOST_UNSENT = 1024;

    private final Member self;
    private final int partitions;
    private final Placement placement;
    private final PeerLinks links;
    private final Membership membership;
    private final MapChanges changes;
    private NodeEntry entry;
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final long schemaHash;
    private final Levels levels;
    private final BooleanSupplier isStarted;
    private final List<ReplicaExchange> exchanges;
    private final MapOperations operations;

    /** By partition, the exchange of the group that holds its replica, or null. */
    private final ReplicaExchange[] byPartition;

    /** A received message for whose group there was no room yet, or null. */
    private PeerMessage.Envelope held;

    private PeerFrames others = frame -> {};

    /** Frames of other protocols that wait to be sent, or null. */
    private PeerOutbox outbox;

    private final ArrayDeque<PeerOutbox.Frame> unsent = new ArrayDeque<>();
    private final AtomicBoolean reachesMembership = new AtomicBoolean();

    private Consumer<ClusterNews> listener = news -> {};

    /** Null if the node does not tell others that it lives. */
    private Hearing hearing;

    private Unreached unreached;

    /** Null if the node tells others nothing at intervals. */
    private Supplier<byte[]> broadcast;

    private long broadcastEveryNs;
    private long broadcastNs = Long.MIN_VALUE / 2;

    private long wakeEveryNs;
    private LongSupplier longestBusyNs = () -> 0;
    private long wokenNs;

    private int seenVersion = -1;
    private PartitionMap map;
    private SortedMap<Integer, byte[]> seenLive = new TreeMap<>();
    private SortedMap<Integer, NodeEntry> live = new TreeMap<>();

    /** The levels that the live nodes speak. */
    private SortedMap<Integer, Levels> liveLevels = new TreeMap<>();

    /** Whether the membership service has lost the map, and no other one was made yet. */
    private boolean isMapLost;

    private boolean wasConnected;
    private boolean isNews;
    private boolean announced;
    private boolean announcedLeaving;

    /** The map and the live nodes, for the node's clients. */
    public record ClusterNews(int version, PartitionMap map, SortedMap<Integer, NodeEntry> live) {}

    /**
     * An agent without groups.
     *
     * @param addresses the peer address of each node that was never live; otherwise its last entry has it
     * @param entry this node's entry
     * @param isStarted whether the node's start is durable; it is announced then
     */
    public ClusterAgent(
            Member self,
            int partitions,
            Placement placement,
            Links links,
            IntFunction<String> addresses,
            Membership membership,
            NodeEntry entry,
            BooleanSupplier isStarted) {
        this.self = self;
        this.partitions = partitions;
        this.placement = placement;
        this.links = new PeerLinks(self, links, addresses);
        this.membership = membership;
        changes = new MapChanges(membership);
        this.entry = entry;
        schemaHash = entry.schemaHash();
        levels = entry.levels();
        this.isStarted = isStarted;
        exchanges = new ArrayList<>();
        operations = new MapOperations(placement.copies());
        byPartition = new ReplicaExchange[partitions];
    }

    /** Before the first step: the exchange with the group that holds these partitions. */
    public void connect(ReplicaExchange exchange, int... held) {
        exchanges.add(exchange);
        exchange.connect(this);
        for (int partition : held) {
            byPartition[partition] = exchange;
        }
    }

    /** Frames of another protocol go here. */
    public void others(PeerFrames taker) {
        others = taker;
    }

    /** Whether the membership service answers. Any thread. */
    public boolean reachesMembership() {
        return reachesMembership.get();
    }

    /** Before the first step: frames of other protocols come from here. */
    public void sendFrom(PeerOutbox newOutbox) {
        outbox = newOutbox;
    }

    /** Before the first step: the listener is told of each change of map or live nodes, on this agent's thread. */
    public void listener(Consumer<ClusterNews> value) {
        listener = value;
    }

    /** Before the first step: the sites' threads are woken so often at least, for heartbeats and timeouts. */
    public void wakeEvery(long ns) {
        wakeEveryNs = ns;
    }

    /**
     * Before the first step: a site's thread may be busy with one transaction for so long. Its leaders keep their leads
     * meanwhile.
     */
    public void longestBusy(LongSupplier ns) {
        longestBusyNs = ns;
    }

    /** Before the first step: this node tells all others at intervals that it lives, and its entry names those that it does not hear. */
    public void hear(long intervalNs) {
        hearing = new Hearing(self, intervalNs);
        unreached = new Unreached(self, intervalNs);
    }

    /** Before the first step: a frame of another protocol goes to all live nodes at intervals. One that finds no open link is lost. */
    public void broadcast(long intervalNs, Supplier<byte[]> frame) {
        broadcastEveryNs = intervalNs;
        broadcast = frame;
    }

    /**
     * Whether frames can be exchanged with a node, as far as is known. A node with which that has failed for long is not reached until
     * both hear each other again. Any thread.
     */
    public boolean reaches(int node) {
        return unreached == null || !unreached.has(node);
    }

    PeerLinks links() {
        return links;
    }

    @Override
    public String roleName() {
        return "cluster-" + self.node();
    }

    @Override
    public int doWork(long nowNs) {
        if (wakeEveryNs > 0 && nowNs - wokenNs >= wakeEveryNs) {
            wokenNs = nowNs;
            exchanges.forEach(ReplicaExchange::wakeSite);
        }
        tellLife(nowNs);
        tellAll(nowNs);
        return takeIn(nowNs) + speakForBusySites(nowNs) + giveOut();
    }

    /** Peers learn at once that the node has ended. */
    @Override
    public void onClose() {
        links.close();
    }

    /** Takes in news and messages, for the groups. */
    int takeIn(long nowNs) {
        if (!announced || membership.session() == Membership.Session.LOST) {
            if (!isStarted.getAsBoolean()) {
                return 0;
            }
            membership.poll(nowNs);
            takeNews();
            if (seenVersion == 0) {
                checkSchema();
            }
            announce();
            announced = true;
        } else if (leaving.get() && !announcedLeaving) {
            announce();
        }
        int work = membership.poll(nowNs);
        work += takeNews() + changes.resolve(seenVersion, map) + receive() + links.check(nowNs) + hear();
        links.publish();
        publish();
        return work;
    }

    private int hear() {
        if (hearing == null || !hearing.takeChanged()) {
            return 0;
        }
        List<Member> unheard = hearing.unheard();
        LOG.info("Node {} hears {}", self.node(), unheard.isEmpty() ? "all other nodes" : "nothing of " + unheard);
        entry = entry.withUnheard(unheard);
        announce();
        return 1;
    }

    private void announce() {
        announcedLeaving = leaving.get();
        membership.announce((announcedLeaving ? entry.withLeaving() : entry).encode());
    }

    /** The node is about to stop: its replicas withdraw from their partitions. Any thread. */
    public void leave() {
        leaving.set(true);
    }

    /** Whether no replica of this node has a part that another node can take over. Any thread. */
    public boolean hasLeft() {
        for (ReplicaExchange exchange : exchanges) {
            if (!exchange.isWithdrawn()) {
                return false;
            }
        }
        return true;
    }

    /** The leaders of this node hand over to the first holders of their partitions, if those are in sync. Any thread. */
    public void balance() {
        exchanges.forEach(exchange -> exchange.balance(true));
    }

    /**
     * Brings an operation into the map. Any thread.
     *
     * @return the map behind the operation, or the {@link MapOperation.RefusedException}; completed on this agent's thread, and
     *     not before there is contact with the membership service
     */
    public CompletableFuture<PartitionMap> operate(MapOperation operation) {
        return operations.offer(operation);
    }

    /** Sends what the groups have left. */
    int giveOut() {
        if (!announced) {
            return 0;
        }
        return changes.request(exchanges, seenVersion, map) + operate() + sendAll() + sendFrames() + makeFirstMap();
    }

    private void tellLife(long nowNs) {
        if (announced && hearing != null) {
            hearing.step(nowNs, held == null, (frame, node) -> links.send(node, frame));
            unreached.step(live, nowNs);
        }
    }

    private void tellAll(long nowNs) {
        if (broadcast == null || !announced || nowNs - broadcastNs < broadcastEveryNs) {
            return;
        }
        broadcastNs = nowNs;
        byte[] frame = broadcast.get();
        for (int node : live.keySet()) {
            if (node != self.node()) {
                links.send(node, frame);
            }
        }
    }

    /** A node with another schema ends before it takes part in a new cluster; later its leaders bring it the schema. */
    private void checkSchema() {
        if (!placement.has(self.node())) {
            return;
        }
        live.forEach((node, peer) -> {
            if (node != self.node() && placement.has(node) && peer.schemaHash() != schemaHash) {
                throw new IllegalStateException("node " + node + " runs with another schema than node " + self.node()
                        + ": all nodes of a cluster begin with the same DDL and procedure classes. This node takes no"
                        + " part; start it with the schema of the others");
            }
        });
    }

    private PartitionMap take(Membership.VersionedMap newest) {
        if (newest.content().length == 0) {
            isMapLost = newest.version() > 0;
            if (isMapLost) {
                LOG.warn(
                        "The cluster's map is lost. Node {} waits until \"reprise cluster recover\" has made it anew",
                        self.node());
            }
            return null;
        }
        PartitionMap found = PartitionMap.decode(newest.content());
        if (isMapLost || map == null && isBehind(found)) {
            isMapLost = false;
            tellMadeAnew(found);
        }
        return found;
    }

    /** Whether the map was made anew since a replica that it gives this node was in sync. The lines of other partitions stay as old as they are. */
    private boolean isBehind(PartitionMap found) {
        long generation = found.generation();
        return entry.logs().stream()
                .filter(log -> found.partitions().get(log.partition()).mayHold(self.node()))
                .mapToLong(log -> log.noted().epoch())
                .anyMatch(epoch -> epoch > 0 && PartitionMap.generationOf(epoch) < generation);
    }

    private void tellMadeAnew(PartitionMap found) {
        for (int partition = 0; partition < partitions; partition++) {
            Replicas line = found.partitions().get(partition);
            LOG.info(
                    "The cluster's map was made anew: partition {} has leader {} in epoch {}",
                    partition,
                    line.leader(),
                    line.epoch());
        }
        found.losses()
                .forEach(loss -> LOG.warn("An operator accepted the loss of acknowledged transactions. {}", loss));
    }

    /** The greatest level that all nodes of a new cluster speak. */
    private int firstLevel() {
        SortedMap<Integer, Levels> placed = new TreeMap<>(liveLevels);
        placed.keySet().removeIf(node -> !placement.has(node));
        return levels.common(placed, problem -> {
                    throw new IllegalStateException(
                            problem + "; start all nodes of a new cluster with one version of Reprise");
                })
                .orElseThrow()
                .greatest();
    }

    // ---- Maps

    private int takeNews() {
        int work = 0;
        Membership.VersionedMap newest = membership.map();
        if (newest != null && newest.version() > seenVersion) {
            // A node that does not speak the cluster's level ends before it reads the map.
            PartitionMap.requireLevel(newest.content(), levels);
            seenVersion = newest.version();
            map = take(newest);
            isNews = true;
            work++;
        }
        if (!isSame(membership.live())) {
            seenLive = new TreeMap<>(membership.live());
            SortedMap<Integer, NodeEntry> entries = new TreeMap<>();
            seenLive.forEach((node, bytes) -> entries.put(node, NodeEntry.decode(bytes)));
            live = Collections.unmodifiableSortedMap(entries);
            liveLevels = NodeEntry.levelsOf(live);
            links.entries(live);
            if (hearing != null) {
                hearing.entries(live);
            }
            isNews = true;
            work++;
        }
        if (work > 0) {
            listener.accept(new ClusterNews(seenVersion, map, live));
        }
        boolean connected = membership.session() == Membership.Session.CONNECTED;
        reachesMembership.set(connected);
        isNews |= connected != wasConnected;
        wasConnected = connected;
        return work;
    }

    private boolean isSame(SortedMap<Integer, byte[]> now) {
        if (now.size() != seenLive.size()) {
            return false;
        }
        for (Map.Entry<Integer, byte[]> each : now.entrySet()) {
            if (!Arrays.equals(seenLive.get(each.getKey()), each.getValue())) {
                return false;
            }
        }
        return true;
    }

    private void publish() {
        if (links.takeNews() || isNews) {
            isNews = false;
            ClusterView view = new ClusterView(seenVersion, map, live, wasConnected, links.resets(), links.ended());
            exchanges.forEach(exchange -> exchange.publish(view));
        }
    }

    /** Requests the map of an operator's operation, or one without nodes that were removed. */
    private int operate() {
        if (map == null || live.isEmpty() || !changes.isIdle()) {
            return 0;
        }
        PartitionMap next = operations.next(map, liveLevels);
        if (next == null && !map.removing().isEmpty() && live.firstKey() == self.node()) {
            next = MapOperation.tidy(map);
        }
        if (next == null || next.equals(map)) {
            return 0;
        }
        changes.replace(seenVersion, next);
        return 1;
    }

    /** The lowest live node makes the first map when all nodes of the placement are live. */
    private int makeFirstMap() {
        if (seenVersion != 0
                || changes.isOpen()
                || !placement.isComplete(live.keySet())
                || live.firstKey() != self.node()) {
            return 0;
        }
        checkSchema();
        changes.replace(0, placement.first(firstLevel(), partitions, live));
        return 1;
    }

    // ---- Messages

    private int speakForBusySites(long nowNs) {
        long longestNs = longestBusyNs.getAsLong();
        if (longestNs == 0 || map == null) {
            return 0;
        }
        int work = 0;
        for (ReplicaExchange exchange : exchanges) {
            if (exchange.pulse().isDue(nowNs, wakeEveryNs, longestNs)) {
                for (int partition = 0; partition < partitions; partition++) {
                    if (byPartition[partition] == exchange) {
                        work += SitePulse.speak(partition, self, map, links::send);
                    }
                }
            }
        }
        return work;
    }

    private int sendAll() {
        int work = 0;
        for (ReplicaExchange exchange : exchanges) {
            for (ReplicaExchange.Outgoing next = exchange.outbound().peek();
                    next != null;
                    next = exchange.outbound().peek()) {
                if (!links.send(next)) {
                    break;
                }
                exchange.outbound().poll();
                work++;
            }
        }
        return work;
    }

    /** Any thread: sends a message over an open link; false if there is none with room. */
    boolean sendNow(ReplicaExchange.Outgoing message) {
        return links.open().send(message);
    }

    /** Any thread: the same for a frame of a transaction. One for this node is delivered, or lost if there is no room. */
    boolean sendNow(ReplicaExchange.Frame frame) {
        if (!frame.to().equals(self)) {
            return links.open().send(frame.to().node(), frame.bytes());
        }
        deliverFrame(frame.partition(), frame.bytes());
        return true;
    }

    /**
     * Frames of transactions: one that finds no link, or a full one, is lost. A frame leaves the queue when it is sent, so that the
     * group sends none in front of it.
     */
    private int sendFrames() {
        int work = sendOutbox();
        for (ReplicaExchange exchange : exchanges) {
            for (ReplicaExchange.Frame next = exchange.framesOut().peek();
                    next != null;
                    next = exchange.framesOut().peek()) {
                if (next.to().equals(self)) {
                    deliverFrame(next.partition(), next.bytes());
                } else {
                    links.send(next.to().node(), next.bytes());
                }
                exchange.framesOut().poll();
                work++;
            }
        }
        return work;
    }

    /** Frames wait while their link is made; of very many the oldest are lost. */
    private int sendOutbox() {
        if (outbox == null) {
            return 0;
        }
        for (PeerOutbox.Frame next = outbox.poll(); next != null; next = outbox.poll()) {
            unsent.add(next);
        }
        int before = unsent.size();
        unsent.removeIf(each -> links.send(each.node(), each.bytes()));
        while (unsent.size() > MOST_UNSENT) {
            unsent.remove();
        }
        return before - unsent.size();
    }

    /** Takes in a frame of a transaction for a partition of this node; a frame for which there is no room is lost. */
    public void deliverFrame(int partition, byte[] frame) {
        ReplicaExchange exchange = partition >= 0 && partition < partitions ? byPartition[partition] : null;
        if (exchange != null) {
            exchange.framesIn().offer(frame);
        }
    }

    private int receive() {
        if (held != null && !deliver(held)) {
            return 0;
        }
        return links.receive(frame -> {
            if (frame[0] == Hearing.KIND) {
                if (hearing != null) {
                    hearing.heard(frame);
                }
                return true;
            }
            if (frame[0] >= PeerFrames.KIND) {
                others.receive(frame);
                return true;
            }
            return deliver(PeerMessage.Envelope.decode(frame));
        });
    }

    /** Returns false if the group has no room: the message is held. */
    private boolean deliver(PeerMessage.Envelope envelope) {
        boolean taken = offer(envelope);
        held = taken ? null : envelope;
        return taken;
    }

    private boolean offer(PeerMessage.Envelope envelope) {
        ReplicaExchange exchange =
                envelope.receiverIncarnation() == self.incarnation() ? byPartition[envelope.partition()] : null;
        return exchange == null || exchange.inbound().offer(envelope);
    }

    /** Any thread: takes in a frame as it arrives; false if its group has no room, or if it is for the agent itself. */
    public boolean takeNow(byte[] frame) {
        if (frame[0] == Hearing.KIND) {
            return false;
        }
        if (frame[0] < PeerFrames.KIND) {
            return offer(PeerMessage.Envelope.decode(frame));
        }
        others.receive(frame);
        return true;
    }
}
