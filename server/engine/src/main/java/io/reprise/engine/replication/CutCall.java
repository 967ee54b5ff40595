package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.PartitionTransactions;
import io.reprise.cluster.transaction.Procedure;
import io.reprise.cluster.transaction.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction over all partitions that changes nothing. It has one id everywhere, and ids ascend in each partition: the records
 * up to that id are a consistent cut, which has everything that was acknowledged before the transaction began. Each stream has an
 * empty record of it, and when it ends that record is forced on all in-sync replicas.
 */
public final class CutCall implements Procedure, HomeCall {
    private final int home;
    private final int partitions;
    private final CompletableFuture<Long> reply;
    private long id;

    /** A cut with its home at a partition; the reply has its id. */
    public CutCall(int home, int partitions, CompletableFuture<Long> reply) {
        this.home = home;
        this.partitions = partitions;
        this.reply = reply;
    }

    @Override
    public int home() {
        return home;
    }

    @Override
    public void begin(PartitionTransactions at, long nowNs) {
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

    private void told(Outcome.Kind kind) {
        if (kind == Outcome.Kind.DONE) {
            reply.complete(id);
        } else {
            reply.completeExceptionally(new ProcedureException(
                    ErrorCode.PARTITION_UNAVAILABLE,
                    "a partition of the cluster has no leader at the moment, or did not answer. Try again when all"
                            + " partitions are served"));
        }
    }

    @Override
    public boolean opens() {
        return true;
    }

    @Override
    public byte[] opening(int participant) {
        return new byte[] {EngineStore.CUT};
    }

    @Override
    public boolean runsAtHome() {
        return true;
    }

    /** All participants have run the same id when it is final; a transaction that moves begins anew. */
    @Override
    public Step next(int round, SortedMap<Integer, Result> ids) {
        id = ByteBuffer.wrap(ids.get(home).rows()).getLong();
        return new Step(Step.Kind.COMMIT, new TreeMap<>(), -1);
    }
}
