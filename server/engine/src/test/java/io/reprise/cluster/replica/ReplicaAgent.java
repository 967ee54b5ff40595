package io.reprise.cluster.replica;

import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;

/** A node's replicas and its {@link ClusterAgent} on one thread. */
public final class ReplicaAgent implements Agent {
    private final Member self;
    private final ClusterAgent cluster;
    private final ReplicaGroup group;
    private LongFunction<Integer> beside = nowNs -> 0;

    /**
     * An agent for the replicas that the map gives this node.
     *
     * @param addresses the peer address of each node
     * @param logs by partition
     * @param machines by partition
     * @param isAvailable whether the replica of a partition can be stepped
     */
    public ReplicaAgent(
            Member self,
            Placement placement,
            Links links,
            IntFunction<String> addresses,
            Membership membership,
            List<ReplicaLog> logs,
            List<Machine> machines,
            ReplicaSettings settings,
            IntPredicate isAvailable) {
        this.self = self;
        ReplicaExchange exchange = new ReplicaExchange(null, null);
        group = new ReplicaGroup(self, settings, exchange, isAvailable);
        List<NodeEntry.Log> entries = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            group.add(i, logs.get(i), machines.get(i));
            entries.add(NodeEntry.Log.of(i, logs.get(i)));
        }
        cluster = new ClusterAgent(
                self,
                logs.size(),
                placement,
                links,
                addresses,
                membership,
                new NodeEntry(self.incarnation(), 0, addresses.apply(self.node()), "", entries),
                () -> logs.stream().allMatch(log -> log.hasStart(self.incarnation())));
        cluster.connect(
                exchange, entries.stream().mapToInt(NodeEntry.Log::partition).toArray());
    }

    /** Frames of transactions go to the partition that the function names. */
    public void frames(ToIntFunction<byte[]> receiver) {
        cluster.others(frame -> cluster.deliverFrame(receiver.applyAsInt(frame), frame));
    }

    /** The replicas of this node. */
    public ReplicaGroup group() {
        return group;
    }

    /** Runs behind the replicas in each duty cycle, and returns how much was done. */
    public void beside(LongFunction<Integer> work) {
        beside = work;
    }

    /** The node is about to stop. */
    public void leave() {
        cluster.leave();
    }

    /** Whether it has given up all that another node can take over. */
    public boolean hasLeft() {
        return cluster.hasLeft();
    }

    /** Its leaders hand over to the first leaders of their partitions. */
    public void balance() {
        cluster.balance();
    }

    @Override
    public String roleName() {
        return "replicas-" + self.node();
    }

    /** The replica of a partition that this node holds. */
    public Replica replica(int partition) {
        return group.replica(partition);
    }

    @Override
    public int doWork(long nowNs) {
        return cluster.takeIn(nowNs) + group.step(nowNs) + beside.apply(nowNs) + cluster.giveOut();
    }
}
