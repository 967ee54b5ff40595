package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.runtime.agent.Agent;
import io.reprise.snapshot.PartitionSweep;

/** Lets a snapshot's sweep go on between a partition's transactions. On the site's thread. */
final class SweepAgent implements Agent {
    private final PartitionSweep sweep;
    private final PartitionExecutor executor;
    private final Partition partition;
    private long ranBefore;

    SweepAgent(PartitionSweep sweep, PartitionExecutor executor, Partition partition) {
        this.sweep = sweep;
        this.executor = executor;
        this.partition = partition;
    }

    @Override
    public String roleName() {
        return "sweep-" + partition.id();
    }

    @Override
    public int doWork(long nowNs) {
        if (executor.isLent()) {
            return 0;
        }
        if (partition.doubt() != null) {
            sweep.giveUpDoubted(partition.doubt());
        }
        long ran = partition.committed() + partition.aborted();
        boolean busy = ran != ranBefore;
        ranBefore = ran;
        return sweep.doWork(nowNs, busy);
    }
}
