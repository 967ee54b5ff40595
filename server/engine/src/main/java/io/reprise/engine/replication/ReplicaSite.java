package io.reprise.engine.replication;

import io.reprise.cluster.replica.ReplicaGroup;
import io.reprise.runtime.agent.Agent;
import java.util.List;

/** The replicas of a site, in the duty cycle of its thread: behind the executors and before the gate. */
public final class ReplicaSite implements Agent {
    private final int site;
    private final ReplicaGroup group;
    private final List<PartitionReplica> replicas;

    /** The replicas of a site, which have joined the group. */
    public ReplicaSite(int site, ReplicaGroup group, List<PartitionReplica> replicas) {
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
        if (!group.isAvailable()) {
            return 0;
        }
        int work = 0;
        for (PartitionReplica replica : replicas) {
            work += replica.beforeStep();
        }
        work += group.step(nowNs);
        for (PartitionReplica replica : replicas) {
            work += replica.afterStep(nowNs);
        }
        return work;
    }
}
