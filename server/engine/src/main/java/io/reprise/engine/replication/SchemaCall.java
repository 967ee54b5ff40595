package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.Result;
import io.reprise.procedure.ErrorCode;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A change of the schema as a transaction over all partitions of a cluster. Each leader tries the change on its rows and holds its
 * partition, the parts bring the change to all in-sync replicas, and each node carries it out at the first commit that it meets.
 *
 * <p>Any thread makes it; the home's thread runs it.
 */
public final class SchemaCall extends EngineCall {
    private static final int PATIENCE = 200;

    private final byte[] opening;
    private final Consumer<Ended> reply;
    private Result refusal;

    /** The kinds of ends. */
    public enum End {
        /** The change is made at all nodes that are in sync. */
        MADE,
        /** A leader has refused it; nothing has changed. */
        REFUSED,
        /** It was given up; nothing has changed. */
        NOT_RUN,
        /** It may have been made. */
        UNKNOWN
    }

    /**
     * The end of a change.
     *
     * @param code of a refusal; otherwise null
     */
    public record Ended(End end, ErrorCode code, String message) {}

    /** A change with its home at a partition. */
    public SchemaCall(int home, int partitions, byte[] change, Consumer<Ended> reply) {
        super(home, all(partitions));
        this.reply = reply;
        opening = ByteBuffer.allocate(1 + change.length)
                .put(EngineStore.CHANGE)
                .put(change)
                .array();
    }

    @Override
    void told(Outcome.Kind kind) {
        reply.accept(
                switch (kind) {
                    case DONE -> new Ended(End.MADE, null, "");
                    case USER_ABORT -> new Ended(End.REFUSED, MemberRuns.code(refusal), MemberRuns.message(refusal));
                    case NOT_RUN ->
                        new Ended(
                                End.NOT_RUN,
                                ErrorCode.PARTITION_UNAVAILABLE,
                                "a partition of the cluster has no leader at the moment, or did not answer; nothing was"
                                        + " changed. Try again when all partitions are served");
                    case UNKNOWN ->
                        new Ended(
                                End.UNKNOWN,
                                ErrorCode.OUTCOME_UNKNOWN,
                                "partition " + home()
                                        + " changed its leader; the change of the schema may have been made."
                                        + " Look at the schema before you try again");
                });
    }

    /** A change may copy large tables. */
    @Override
    public int patience() {
        return PATIENCE;
    }

    @Override
    public byte[] opening(int participant) {
        return opening;
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> checked) {
        refusal = null;
        for (Result each : checked.values()) {
            if (each.aborted()) {
                refusal = each;
            }
        }
        return new Step(refusal == null ? Step.Kind.COMMIT : Step.Kind.ABORT, new TreeMap<>(), -1);
    }
}
