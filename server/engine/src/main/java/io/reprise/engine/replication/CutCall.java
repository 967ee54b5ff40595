package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction over all partitions that changes nothing. It has one id everywhere, and ids ascend in each partition: the records
 * up to that id are a consistent cut, which has everything that was acknowledged before the transaction began. Each stream has an
 * empty record of it, and when it ends that record is forced on all in-sync replicas.
 */
public final class CutCall extends EngineCall {
    private final CompletableFuture<Long> reply;
    private long id;

    /** A cut with its home at a partition; the reply has its id. */
    public CutCall(int home, int partitions, CompletableFuture<Long> reply) {
        super(home, all(partitions));
        this.reply = reply;
    }

    @Override
    void told(Outcome.Kind kind) {
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
    public byte[] opening(int participant) {
        return new byte[] {EngineStore.CUT};
    }

    /** All participants have run the same id when it is final; a transaction that moves begins anew. */
    @Override
    public Step next(int round, SortedMap<Integer, Result> ids) {
        id = ByteBuffer.wrap(ids.get(home()).rows()).getLong();
        return new Step(Step.Kind.COMMIT, new TreeMap<>(), -1);
    }
}
