package io.reprise.cluster.transaction;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.replica.ReplicaAgent;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All transactions of a node: steps the replicas and then the partitions that the node leads, and carries their messages.
 *
 * <p>Messages between two nodes arrive in the order in which they were sent; some may be lost. Messages within the node
 * are taken in the same duty cycle.
 */
public final class TransactionAgent implements Agent, Network {
    private final ReplicaAgent replicas;
    private final List<PartitionTransactions> partitions;
    private final ArrayDeque<TransactionMessage.Envelope> own = new ArrayDeque<>();

    /** The last sequence that was sent to each node, and that was received from each member. */
    private final TreeMap<Integer, Long> sent = new TreeMap<>();

    private final TreeMap<Integer, Received> received = new TreeMap<>();

    private record Received(long incarnation, long sequence) {}

    /** The agent of partitions in their order, whose machines the replicas have. */
    public TransactionAgent(ReplicaAgent replicas, List<PartitionTransactions> partitions) {
        this.replicas = replicas;
        this.partitions = List.copyOf(partitions);
        for (PartitionTransactions each : partitions) {
            each.attach(replicas.replica(each.partition()), this);
        }
        replicas.others(this::receive);
    }

    @Override
    public String roleName() {
        return "transactions-" + replicas.self().node();
    }

    @Override
    public int doWork(long nowNs) {
        int work = replicas.doWork(nowNs);
        for (PartitionTransactions each : partitions) {
            work += each.step(nowNs);
            work += deliverOwn(nowNs);
        }
        return work;
    }

    private int deliverOwn(long nowNs) {
        int work = 0;
        for (TransactionMessage.Envelope next = own.poll(); next != null; next = own.poll()) {
            partitions.get(next.to()).receive(next, nowNs);
            work++;
        }
        return work;
    }

    // ---- Network

    @Override
    public int partitions() {
        return partitions.size();
    }

    @Override
    public long term(int partition) {
        PartitionMap map = replicas.map();
        return map == null ? 0 : map.partitions().get(partition).term();
    }

    @Override
    public void send(Leading from, int to, long toTerm, TransactionMessage message) {
        Member self = replicas.self();
        if (to == from.partition) {
            own.add(new TransactionMessage.Envelope(
                    self.node(), self.incarnation(), 0, 0, to, from.term, to, from.term, message));
            return;
        }
        Replicas line = replicas.map().partitions().get(to);
        Optional<Member> leader = line.member(line.leader());
        if (line.term() != toTerm || leader.isEmpty()) {
            return;
        }
        if (leader.get().equals(self)) {
            own.add(new TransactionMessage.Envelope(
                    self.node(), self.incarnation(), 0, 0, from.partition, from.term, to, toTerm, message));
            return;
        }
        long sequence = sent.merge(leader.get().node(), 1L, Long::sum);
        TransactionMessage.Envelope envelope = new TransactionMessage.Envelope(
                self.node(),
                self.incarnation(),
                leader.get().incarnation(),
                sequence,
                from.partition,
                from.term,
                to,
                toTerm,
                message);
        replicas.send(leader.get().node(), envelope.encode());
    }

    private void receive(byte[] frame, long nowNs) {
        TransactionMessage.Envelope envelope = TransactionMessage.Envelope.decode(frame);
        if (envelope.receiverIncarnation() != replicas.self().incarnation()) {
            return;
        }
        Received last = received.get(envelope.sender());
        boolean isLate = last != null
                && last.incarnation == envelope.senderIncarnation()
                && last.sequence >= envelope.sequence();
        if (!isLate) {
            received.put(envelope.sender(), new Received(envelope.senderIncarnation(), envelope.sequence()));
            partitions.get(envelope.to()).receive(envelope, nowNs);
        }
    }
}
