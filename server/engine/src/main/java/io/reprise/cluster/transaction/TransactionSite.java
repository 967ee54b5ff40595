package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.ReplicaGroup;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The transactions over partitions of one site: steps the partitions that it leads and carries their messages over the
 * links of its group of replicas.
 *
 * <p>Messages of a pair of partitions arrive in the order in which they were sent; some may be lost. Messages for a partition
 * that is not reachable wait. Owned by the site's thread.
 */
public final class TransactionSite implements Network {
    /** The messages that wait for one partition; further ones are lost, as on a link. */
    private static final int MOST_KEPT = 1024;

    private final Member self;
    private final int partitionCount;
    private final ReplicaGroup group;
    private final SortedMap<Integer, PartitionTransactions> partitions = new TreeMap<>();
    private final ArrayDeque<TransactionMessage.Envelope> own = new ArrayDeque<>();

    /** By partition, the messages that wait until it is reachable. */
    private final SortedMap<Integer, ArrayDeque<TransactionMessage.Envelope>> kept = new TreeMap<>();

    private final TreeMap<Pair, Received> received = new TreeMap<>();
    private long sequence;

    private record Pair(int from, int to) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            int order = Integer.compare(from, other.from);
            return order == 0 ? Integer.compare(to, other.to) : order;
        }
    }

    private record Received(long incarnation, long sequence) {}

    /** A site without partitions. */
    public TransactionSite(Member self, int partitionCount, ReplicaGroup group) {
        this.self = self;
        this.partitionCount = partitionCount;
        this.group = group;
    }

    /** Adds a partition whose replica has joined the group. */
    public void add(PartitionTransactions partition) {
        partitions.put(partition.partition(), partition);
        kept.put(partition.partition(), new ArrayDeque<>());
        partition.attach(group.replica(partition.partition()), this);
    }

    /** The transactions of a partition, or null. */
    public PartitionTransactions partition(int id) {
        return partitions.get(id);
    }

    /** One step of all partitions. Returns how much was done. */
    public int step(long nowNs) {
        int work = 0;
        for (byte[] frame = group.receiveFrame(); frame != null; frame = group.receiveFrame()) {
            receive(frame, nowNs);
            work++;
        }
        for (PartitionTransactions each : partitions.values()) {
            work += deliverKept(each, nowNs);
            work += each.step(nowNs);
            work += deliverOwn(nowNs);
        }
        return work;
    }

    private int deliverKept(PartitionTransactions to, long nowNs) {
        ArrayDeque<TransactionMessage.Envelope> waiting = kept.get(to.partition());
        int work = 0;
        while (!waiting.isEmpty() && to.isReachable()) {
            to.receive(waiting.poll(), nowNs);
            work++;
        }
        return work;
    }

    /** Behind messages that wait, a message waits too: a log's ring may have got room meanwhile. */
    private int deliverOwn(long nowNs) {
        int work = 0;
        for (TransactionMessage.Envelope next = own.poll(); next != null; next = own.poll()) {
            PartitionTransactions to = partitions.get(next.to());
            ArrayDeque<TransactionMessage.Envelope> waiting = kept.get(next.to());
            if (waiting.isEmpty() && to.isReachable()) {
                to.receive(next, nowNs);
                work++;
            } else if (waiting.size() < MOST_KEPT) {
                waiting.add(next);
            }
        }
        return work;
    }

    // ---- Network

    @Override
    public int partitions() {
        return partitionCount;
    }

    @Override
    public long term(int partition) {
        PartitionMap map = group.map();
        return map == null ? 0 : map.partitions().get(partition).term();
    }

    @Override
    public void send(Leading from, int to, long toTerm, TransactionMessage message) {
        if (to == from.partition) {
            own.add(envelope(from, to, from.term, self, message));
            return;
        }
        Replicas line = group.map().partitions().get(to);
        Optional<Member> leader = line.member(line.leader());
        if (line.term() != toTerm || leader.isEmpty()) {
            return;
        }
        TransactionMessage.Envelope envelope = envelope(from, to, toTerm, leader.get(), message);
        if (leader.get().equals(self) && partitions.containsKey(to)) {
            own.add(envelope);
        } else {
            group.sendFrame(leader.get(), to, envelope.encode());
        }
    }

    private TransactionMessage.Envelope envelope(
            Leading from, int to, long toTerm, Member receiver, TransactionMessage message) {
        return new TransactionMessage.Envelope(
                self.node(),
                self.incarnation(),
                receiver.incarnation(),
                ++sequence,
                from.partition,
                from.term,
                to,
                toTerm,
                message);
    }

    private void receive(byte[] frame, long nowNs) {
        TransactionMessage.Envelope envelope = TransactionMessage.Envelope.decode(frame);
        PartitionTransactions to = partitions.get(envelope.to());
        if (envelope.receiverIncarnation() != self.incarnation() || to == null) {
            return;
        }
        Pair pair = new Pair(envelope.from(), envelope.to());
        Received last = received.get(pair);
        boolean isLate = last != null
                && last.incarnation == envelope.senderIncarnation()
                && last.sequence >= envelope.sequence();
        if (!isLate) {
            received.put(pair, new Received(envelope.senderIncarnation(), envelope.sequence()));
            own.add(envelope);
            deliverOwn(nowNs);
        }
    }

    /** The partition to which a frame goes. */
    public static int receiverOf(byte[] frame) {
        return TransactionMessage.Envelope.receiverOf(frame);
    }
}
