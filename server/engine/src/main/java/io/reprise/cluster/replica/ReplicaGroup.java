package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The replicas of one site, on its thread: takes in views and messages, steps the replicas, posts one request at a time, and
 * reopens partitions whose members have all ended (P11).
 *
 * <p>A replica that can't be stepped for the moment, because its partition is lent or its log has no room, keeps its messages
 * and maps waiting.
 */
public final class ReplicaGroup implements MapRequests {
    private final Member self;
    private final ReplicaSettings settings;
    private final ReplicaExchange exchange;
    private final SortedMap<Integer, Replica> replicas = new TreeMap<>();
    private final SortedMap<Integer, ReplicaLog> logs = new TreeMap<>();
    private final IntPredicate isAvailable;
    private final SortedMap<Integer, Long> resets = new TreeMap<>();
    private ClusterView view;
    private MapRequest posted;

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
    Replica replica(int partition) {
        return replicas.get(partition);
    }

    /** One step of all replicas. Returns how much was done. */
    public int step(long nowNs) {
        if (!isAvailable()) {
            return 0;
        }
        int work = takeView(nowNs) + receive(nowNs);
        for (Replica replica : replicas.values()) {
            work += replica.step(nowNs);
        }
        return work + reopen();
    }

    /** Whether all replicas can be stepped. */
    public boolean isAvailable() {
        for (int partition : replicas.keySet()) {
            if (!isAvailable.test(partition)) {
                return false;
            }
        }
        return true;
    }

    private int takeView(long nowNs) {
        ClusterView newest = exchange.view();
        if (newest == view) {
            return 0;
        }
        int seen = view.version();
        view = newest;
        newest.resets().forEach((node, count) -> {
            if (!count.equals(resets.put(node, count))) {
                replicas.values().forEach(replica -> replica.linkReset(node));
            }
        });
        if (newest.version() > seen && newest.map() != null) {
            replicas.forEach((partition, replica) ->
                    replica.enter(newest.map().partitions().get(partition), nowNs));
        }
        return 1;
    }

    private int receive(long nowNs) {
        int work = 0;
        for (PeerMessage.Envelope envelope = exchange.inbound().poll();
                envelope != null;
                envelope = exchange.inbound().poll()) {
            Replica replica = replicas.get(envelope.partition());
            if (replica != null) {
                Member from = new Member(envelope.sender(), envelope.senderIncarnation());
                replica.receive(from, envelope.message(), nowNs);
            }
            work++;
        }
        return work;
    }

    private boolean send(int partition, Member to, PeerMessage message) {
        return exchange.outbound().offer(new ReplicaExchange.Outgoing(to, partition, message));
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
