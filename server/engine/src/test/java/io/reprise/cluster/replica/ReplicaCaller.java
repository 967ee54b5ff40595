package io.reprise.cluster.replica;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import java.util.List;

/** Writes unique values and reads, one call at a time, at whichever node leads; notes what it was told. */
final class ReplicaCaller implements Agent {
    private static final long PATIENCE_NS = 5_000_000_000L;

    private final int number;
    private final List<ReplicaNode> nodes;
    private final int partitions;
    private int calls;
    private final Randomness random;
    private final ReplicaHistory history;
    private final double writes;
    private int made;

    private ReplicaHistory.Call call;
    private ReplicaNode node;
    private Replica replica;
    private long incarnation;
    private long term;
    private long token;

    ReplicaCaller(
            int number, List<ReplicaNode> nodes, int partitions, int calls, Randomness random, ReplicaHistory history) {
        this.number = number;
        this.nodes = nodes;
        this.partitions = partitions;
        this.calls = calls;
        this.random = random;
        this.history = history;
        writes = random.chance(0.3) ? 0.1 : 0.6;
    }

    @Override
    public String roleName() {
        return "caller-" + number;
    }

    /** Makes no more calls. */
    void stop() {
        calls = 0;
    }

    boolean isDone() {
        return made >= calls && call == null;
    }

    @Override
    public int doWork(long nowNs) {
        if (call != null) {
            return await(nowNs);
        }
        return made < calls ? begin(nowNs) : 0;
    }

    private int begin(long nowNs) {
        int partition = random.nextInt(partitions);
        int first = random.nextInt(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            ReplicaNode candidate = nodes.get((first + i) % nodes.size());
            if (candidate.isUp() && candidate.replica(partition).role() == Replica.Role.LEADER) {
                if (!candidate.isAvailable(partition)) {
                    return 0;
                }
                node = candidate;
                replica = candidate.replica(partition);
                incarnation = candidate.incarnation();
                term = replica.term();
                call(partition, nowNs);
                return 1;
            }
        }
        return 0;
    }

    private void call(int partition, long nowNs) {
        made++;
        if (random.chance(writes)) {
            long value = number * 1_000_000L + made;
            long index = replica.propose(ValueList.payload(value));
            call = history.write(partition, value, index, nowNs);
        } else {
            ValueList state = node.machine(partition);
            call = history.read(partition, replica.applied(), state.size(), state.hash(), nowNs);
            token = replica.nextToken();
        }
    }

    private int await(long nowNs) {
        boolean leads = node.isUp()
                && node.incarnation() == incarnation
                && replica.role() == Replica.Role.LEADER
                && replica.term() == term;
        if (!leads || nowNs - call.beganNs() > PATIENCE_NS) {
            call = null;
            return 1;
        }
        if (!node.isAvailable(call.partition())) {
            return 0;
        }
        boolean told = replica.stable() >= call.index() && (call.isWrite() || replica.confirmed() >= token);
        if (told) {
            history.told(call, nowNs);
            call = null;
        }
        return told ? 1 : 0;
    }
}
