package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.PartitionTransactions;
import io.reprise.cluster.transaction.Procedure;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A transaction of the engine over partitions of a cluster, which opens each of them with some bytes. */
abstract class EngineCall implements Procedure, HomeCall {
    private final int home;
    private final TreeSet<Integer> participants;

    /** A transaction over some partitions, of which one is the home. */
    EngineCall(int home, TreeSet<Integer> participants) {
        this.home = home;
        this.participants = participants;
    }

    /** All of so many partitions. */
    static TreeSet<Integer> all(int partitions) {
        return IntStream.range(0, partitions).boxed().collect(Collectors.toCollection(TreeSet::new));
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
        at.run(this, participants, false, outcome -> told(outcome.kind()), nowNs);
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
