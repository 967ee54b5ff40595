package io.reprise.cluster.replica;

import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.PartitionMap;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A node's replicas and its {@link ClusterAgent} on one thread. */
public final class ReplicaAgent implements Agent {
    private final Member self;
    private final ClusterAgent cluster;
    private final ReplicaGroup group;

    /**
     * An agent for the replicas that the placement gives this node.
     *
     * @param addresses the peer address of each node
     * @param logs by partition
     * @param machines by partition
     */
    public ReplicaAgent(
            Member self,
            Placement placement,
            Links links,
            IntFunction<String> addresses,
            Membership membership,
            List<ReplicaLog> logs,
            List<Machine> machines,
            ReplicaSettings settings) {
        this.self = self;
        ReplicaExchange exchange = new ReplicaExchange(null, null);
        group = new ReplicaGroup(self, settings, exchange, partition -> true);
        List<NodeEntry.Log> entries = new ArrayList<>();
        for (int i = 0; i < logs.size(); i++) {
            if (placement.holds(self.node(), i)) {
                group.add(i, logs.get(i), machines.get(i));
                entries.add(NodeEntry.Log.of(i, logs.get(i)));
            }
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

    /** Frames of another protocol go here. */
    public void others(PeerFrames taker) {
        cluster.others(taker);
    }

    /** The newest map known, or null. */
    public PartitionMap map() {
        return cluster.map();
    }

    /** This node in its present run. */
    public Member self() {
        return self;
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

    /** Sends a frame of another protocol; false if the link is down or full, when the frame is lost. */
    public boolean send(int node, byte[] frame) {
        return cluster.send(node, frame);
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
        return cluster.takeIn(nowNs) + group.step(nowNs) + cluster.giveOut();
    }
}
