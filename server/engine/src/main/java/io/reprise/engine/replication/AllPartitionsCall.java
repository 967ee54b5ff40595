package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.PartitionTransactions;
import io.reprise.cluster.transaction.Procedure;
import java.util.TreeSet;

/** A transaction of the engine over all partitions of a cluster, which opens each of them with some bytes. */
abstract class AllPartitionsCall implements Procedure, HomeCall {
    private final int home;
    private final int partitions;

    AllPartitionsCall(int home, int partitions) {
        this.home = home;
        this.partitions = partitions;
    }

    /** Its end. */
    abstract void told(Outcome.Kind kind);

    @Override
    public final int home() {
        return home;
    }

    @Override
    public final void begin(PartitionTransactions at, long nowNs) {
        if (!at.isServing()) {
            told(Outcome.Kind.NOT_RUN);
            return;
        }
        TreeSet<Integer> all = new TreeSet<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(partition);
        }
        at.run(this, all, false, outcome -> told(outcome.kind()), nowNs);
    }

    @Override
    public final boolean opens() {
        return true;
    }

    @Override
    public final boolean runsAtHome() {
        return true;
    }
}
