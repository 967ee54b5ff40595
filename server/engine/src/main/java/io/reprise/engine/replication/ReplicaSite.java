package io.reprise.engine.replication;

import io.reprise.cluster.replica.ReplicaGroup;
import io.reprise.cluster.transaction.TransactionSite;
import io.reprise.runtime.agent.Agent;
import java.util.List;

/** The replicas of a site, in the duty cycle of its thread: behind the executors and before the gate. */
public final class ReplicaSite implements Agent {
    private final int site;
    private final ReplicaGroup group;
    private final List<PartitionReplica> replicas;
    private final TransactionSite transactions;
    private final NodeCalls calls;

    /** The replicas of a site, which have joined the group. */
    public ReplicaSite(
            int site,
            ReplicaGroup group,
            List<PartitionReplica> replicas,
            TransactionSite transactions,
            NodeCalls calls) {
        this.transactions = transactions;
        this.calls = calls;
        this.site = site;
        this.group = group;
        this.replicas = List.copyOf(replicas);
    }

    @Override
    public String roleName() {
        return "replicas-" + site;
    }

    @Override
    public int doWork(long nowNs) {
        int work = 0;
        for (PartitionReplica replica : replicas) {
            replica.takeBack();
            if (group.isAvailable(replica.partition())) {
                work += replica.beforeStep();
            }
        }
        work += group.step(nowNs) + transactions.step(nowNs) + calls.begin(nowNs);
        for (PartitionReplica replica : replicas) {
            if (replica.isIdle()) {
                work += replica.stepIdly();
            } else if (group.isAvailable(replica.partition())) {
                work += replica.afterStep(nowNs, group.attendedNs());
            }
            replica.giveBack();
        }
        return work;
    }
}
