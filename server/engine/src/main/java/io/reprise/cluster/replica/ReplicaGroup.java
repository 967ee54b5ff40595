package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of one site, on its thread: takes in views and messages, steps the replicas, posts one request at a time, and
 * reopens partitions whose members have all ended (P11).
 *
 * <p>A replica that can't be stepped for the moment, because its partition is lent or its log has no room, keeps its messages
 * and maps waiting.
 */
public final class ReplicaGroup implements MapRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaGroup.class);
    private static final int MOST_KEPT = 1024;
    private static final long NEVER = Long.MIN_VALUE;
    private static final int NONE = -1;

    /** A node gives up its leads if it is not heard for so many failure timeouts. One missed sign of life takes less. */
    private static final int UNHEARD_FAILURES = 3;

    private final Member self;
    private final ReplicaSettings settings;
    private final ReplicaExchange exchange;
    private final SortedMap<Integer, Replica> replicas = new TreeMap<>();
    private final SortedMap<Integer, ReplicaLog> logs = new TreeMap<>();
    private final IntPredicate isAvailable;
    private final SortedMap<Integer, Long> resets = new TreeMap<>();

    /** By partition, the version of the map that its replica has entered, and the messages that wait for it. */
    private final SortedMap<Integer, Integer> entered = new TreeMap<>();

    private final SortedMap<Integer, Deque<PeerMessage.Envelope>> kept = new TreeMap<>();
    private final Withdrawal withdrawal;
    private final LeadReturn leadReturn;
    private IntPredicate isLent = partition -> false;
    private long steppedNs = Long.MIN_VALUE;
    private long attendedNs;
    private ClusterView view;
    private MapRequest posted;

    /** The time since when other leaders do not hear this node, or {@link #NEVER}. */
    private long unheardSinceNs = NEVER;

    /**
     * A group without replicas.
     *
     * @param isAvailable whether the replica of a partition can be stepped
     */
    public ReplicaGroup(Member self, ReplicaSettings settings, ReplicaExchange exchange, IntPredicate isAvailable) {
        this.self = self;
        this.settings = settings;
        this.exchange = exchange;
        this.isAvailable = isAvailable;
        view = exchange.view();
        leadReturn = new LeadReturn(settings.failureNs());
        withdrawal = new Withdrawal(settings, this::stays);
    }

    /** Before the first step: tells whether a transaction on another site has the partition. */
    public void lentIf(IntPredicate test) {
        isLent = test;
    }

    /** Adds the replica of a partition. */
    public Replica add(int partition, ReplicaLog log, Machine machine) {
        Replica replica = new Replica(
                self, partition, log, machine, settings, (to, message) -> send(partition, to, message), this);
        replicas.put(partition, replica);
        logs.put(partition, log);
        return replica;
    }

    /** The replica of a partition, or null. */
    public Replica replica(int partition) {
        return replicas.get(partition);
    }

    /** The newest map that the group knows, or null. */
    public PartitionMap map() {
        return view.map();
    }

    /** The node that leads a partition, if this node can't exchange frames with it for long by now; else -1. */
    public int unreachedLeader(int partition) {
        PartitionMap map = view.map();
        int leader = map == null ? self.node() : map.partitions().get(partition).leader();
        return leader == self.node() || exchange.reaches(leader) ? NONE : leader;
    }

    /** The next frame of a transaction, or null. */
    public byte[] receiveFrame() {
        return exchange.framesIn().poll();
    }

    /** Sends a frame of a transaction to the leader of a partition; it may be lost. */
    public void sendFrame(Member to, int partition, byte[] frame) {
        exchange.send(new ReplicaExchange.Frame(to, partition, frame));
    }

    /** One step of all replicas. Returns how much was done. */
    public int step(long atNs) {
        exchange.pulse().step(atNs);
        long nowNs = attended(atNs);
        int work = takeView(nowNs) + receive(nowNs);
        for (Map.Entry<Integer, Replica> each : replicas.entrySet()) {
            if (isAvailable(each.getKey())) {
                work += enter(each.getKey(), nowNs) + receiveKept(each.getKey(), nowNs);
            }
            // The records of each message may fill the log's ring.
            if (isAvailable(each.getKey())) {
                work += mayStep(each.getValue()) ? each.getValue().step(nowNs) : 0;
            } else if (isLent.test(each.getKey())) {
                work += each.getValue().speakWhileLent(nowNs);
            }
        }
        return work
                + (withdrawal.isLeaving()
                        ? withdraw(nowNs)
                        : reopen() + move() + handOver() + yieldLeads(nowNs) + returnLeads(nowNs));
    }

    /** Of replicas that come to this node anew, one is brought up at a time: each takes memory for its image. */
    private boolean mayStep(Replica replica) {
        if (replica.role() != Replica.Role.OUT || !replica.isNewcomer()) {
            return true;
        }
        for (Replica each : replicas.values()) {
            if (each.isJoining() && each.isNewcomer()) {
                return false;
            }
        }
        return true;
    }

    /** Brings leaders' partitions to the nodes of the map's goal, one request at a time. */
    private int move() {
        if (view.map() == null || isOpen()) {
            return 0;
        }
        for (Map.Entry<Integer, Replica> each : replicas.entrySet()) {
            if (each.getValue().role() == Replica.Role.LEADER
                    && isAvailable(each.getKey())
                    && each.getValue().move(this::isHeard) > 0) {
                return 1;
            }
        }
        return 0;
    }

    // ---- Leaderships for other nodes

    /** Whether a member runs, and is not about to stop. */
    private boolean stays(Member member) {
        NodeEntry entry = view.live().get(member.node());
        return entry != null && entry.incarnation() == member.incarnation() && !entry.leaving();
    }

    /** Whether a member stays, and is heard by all nodes that lead partitions. */
    private boolean isHeard(Member member) {
        return stays(member) && !view.unheard().contains(member);
    }

    /**
     * Gives leaderships to followers that are heard, when a node with leaderships of its own does not hear this one: transactions over
     * both would stand still. One at a time.
     */
    private int yieldLeads(long nowNs) {
        if (!view.unheard().contains(self)) {
            unheardSinceNs = NEVER;
            return 0;
        }
        unheardSinceNs = unheardSinceNs == NEVER ? nowNs : unheardSinceNs;
        if (nowNs - unheardSinceNs < UNHEARD_FAILURES * settings.failureNs() || isOpen()) {
            return 0;
        }
        for (Map.Entry<Integer, Replica> each : replicas.entrySet()) {
            if (each.getValue().role() == Replica.Role.LEADER
                    && isAvailable(each.getKey())
                    && each.getValue().handOver(this::isHeard) > 0) {
                LOG.warn(
                        "Another leader does not hear this node; it gives the lead of partition {} to a follower",
                        each.getKey());
                return 1;
            }
        }
        return 0;
    }

    private int withdraw(long nowNs) {
        if (!withdrawal.isUnderWay(nowNs)) {
            return 0;
        }
        int work = 0;
        boolean repeats = withdrawal.repeats(nowNs);
        for (Map.Entry<Integer, Replica> each : replicas.entrySet()) {
            if (isAvailable(each.getKey())) {
                work += withdrawal.step(each.getValue(), repeats);
            }
        }
        if (withdrawal.isOver(replicas.values(), nowNs)) {
            exchange.withdrawn();
        }
        return work;
    }

    /** Gives leaderships to the first holders of their partitions when an operator wants that, one at a time. */
    private int handOver() {
        if (!exchange.isBalancing() || view.map() == null || isOpen()) {
            return 0;
        }
        if (handOverOne() > 0) {
            return 1;
        }
        exchange.balance(false);
        return 0;
    }

    /** Gives leaderships back when all nodes have heard each other for long, one at a time. */
    private int returnLeads(long nowNs) {
        if (!leadReturn.isDue(view, nowNs) || isOpen() || handOverOne() == 0) {
            return 0;
        }
        leadReturn.returned();
        return 1;
    }

    private int handOverOne() {
        for (Map.Entry<Integer, Replica> each : replicas.entrySet()) {
            int leader = view.map().partitions().get(each.getKey()).holders().getFirst();
            if (leader != self.node()
                    && each.getValue().role() == Replica.Role.LEADER
                    && isAvailable(each.getKey())
                    && each.getValue().handOver(leader, this::isHeard) > 0) {
                LOG.info("Partition {} goes to node {}, its first holder", each.getKey(), leader);
                return 1;
            }
        }
        return 0;
    }

    /**
     * The time that the group has attended to its peers: while a long transaction had the thread, messages waited, and their
     * senders were not silent. A longer pause between two steps than two heartbeats counts as that.
     */
    private long attended(long atNs) {
        attendedNs = steppedNs == Long.MIN_VALUE
                ? atNs
                : attendedNs + Math.min(atNs - steppedNs, 2 * settings.heartbeatNs());
        steppedNs = atNs;
        return attendedNs;
    }

    /** The time of the last step, as the replicas measure it. */
    public long attendedNs() {
        return attendedNs;
    }

    /** Whether the replica of a partition can be stepped. */
    public boolean isAvailable(int partition) {
        return isAvailable.test(partition);
    }

    /** The replica takes in its line of the newest map, if it has not. */
    private int enter(int partition, long nowNs) {
        if (view.map() == null || entered.getOrDefault(partition, -1) >= view.version()) {
            return 0;
        }
        entered.put(partition, view.version());
        replicas.get(partition)
                .enter(view.map().partitions().get(partition), view.map().level(), nowNs);
        return 1;
    }

    private int receiveKept(int partition, long nowNs) {
        Deque<PeerMessage.Envelope> messages = kept.get(partition);
        if (messages == null) {
            return 0;
        }
        int work = 0;
        while (!messages.isEmpty() && isAvailable(partition)) {
            receive(replicas.get(partition), messages.poll(), nowNs);
            work++;
        }
        if (messages.isEmpty()) {
            kept.remove(partition);
        }
        return work;
    }

    private static void receive(Replica replica, PeerMessage.Envelope envelope, long nowNs) {
        replica.receive(new Member(envelope.sender(), envelope.senderIncarnation()), envelope.message(), nowNs);
    }

    private int takeView(long nowNs) {
        ClusterView newest = exchange.view();
        if (newest == view) {
            return 0;
        }
        view = newest;
        NodeEntry own = newest.live().get(self.node());
        if (own != null && own.incarnation() == self.incarnation() && own.leaving()) {
            withdrawal.begin(nowNs);
            replicas.values().forEach(Replica::stayOut);
        }
        newest.resets().forEach((node, count) -> {
            if (!count.equals(resets.put(node, count))) {
                replicas.values().forEach(replica -> replica.linkReset(node));
            }
        });
        return 1;
    }

    private int receive(long nowNs) {
        int work = 0;
        for (PeerMessage.Envelope envelope = exchange.inbound().poll();
                envelope != null;
                envelope = exchange.inbound().poll()) {
            if (replicas.containsKey(envelope.partition())) {
                receive(envelope, nowNs);
            }
            work++;
        }
        return work;
    }

    private void receive(PeerMessage.Envelope envelope, long nowNs) {
        int partition = envelope.partition();
        if (isAvailable(partition)) {
            enter(partition, nowNs);
            receiveKept(partition, nowNs);
        }
        if (isAvailable(partition) && !kept.containsKey(partition)) {
            receive(replicas.get(partition), envelope, nowNs);
        } else {
            keep(envelope);
        }
    }

    /** Of very many messages the last are lost, as on a link. */
    private void keep(PeerMessage.Envelope envelope) {
        Deque<PeerMessage.Envelope> messages = kept.computeIfAbsent(envelope.partition(), id -> new ArrayDeque<>());
        if (messages.size() < MOST_KEPT) {
            messages.add(envelope);
        }
    }

    private boolean send(int partition, Member to, PeerMessage message) {
        return exchange.send(new ReplicaExchange.Outgoing(to, partition, message));
    }

    // ---- Requests

    @Override
    public boolean request(int partition, Replicas next) {
        if (isOpen() || view.map() == null || !view.isConnected()) {
            return false;
        }
        posted = new MapRequest(partition, next);
        exchange.post(posted);
        return true;
    }

    @Override
    public boolean hasEnded(Member member) {
        return view.hasEnded(member);
    }

    @Override
    public boolean yieldsTo(Member member) {
        return view.misses(member, self) && (!view.misses(self, member) || member.node() < self.node());
    }

    private boolean isOpen() {
        return posted != null && !posted.isKnownAt(view.version());
    }

    @Override
    public boolean isOpen(int partition) {
        return isOpen() && posted.partition() == partition;
    }

    private int reopen() {
        if (view.map() == null || isOpen()) {
            return 0;
        }
        for (int partition : replicas.keySet()) {
            if (replicas.get(partition).mayReopen()
                    && nobodyRuns(partition)
                    && (settings.forced() || isLongest(partition))) {
                return request(partition, view.map().partitions().get(partition).reopened(self)) ? 1 : 0;
            }
        }
        return 0;
    }

    private boolean nobodyRuns(int partition) {
        return view.map().partitions().get(partition).sync().stream()
                .noneMatch(member -> view.live().containsKey(member.node())
                        && view.live().get(member.node()).incarnation() == member.incarnation());
    }

    /** Under receipt alone: all members are up again with their logs, and this one's is the longest. */
    private boolean isLongest(int partition) {
        NodeEntry.Log own = NodeEntry.Log.of(partition, logs.get(partition));
        for (Member member : view.map().partitions().get(partition).sync()) {
            NodeEntry entry = view.live().get(member.node());
            NodeEntry.Log other = entry == null ? null : entry.log(partition);
            if (other == null || !other.hasStart(member.incarnation()) || other.loading()) {
                return false;
            }
            if (member.node() != self.node() && !own.isAsLongAs(other)) {
                return false;
            }
        }
        return true;
    }
}
