package io.reprise.engine.replication;

import io.reprise.cluster.transaction.Outcome;
import io.reprise.cluster.transaction.Result;
import io.reprise.recovery.replay.BucketMove;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A transaction that moves buckets from its home to another partition. Both are held at one id: each transaction with a lower id finds
 * the rows at the home, each one with a higher id at the other partition. A part of it is in both streams, so replicas and
 * replays know the place of each bucket at each position. The other partition votes with the rows that it gets.
 *
 * <p>The home's thread makes it and runs it.
 */
final class MoveCall extends EngineCall {
    private final int to;
    private final BitSet buckets;
    private final Consumer<Ended> reply;
    private String refusal = "";

    /**
     * The end of a move.
     *
     * @param done whether the buckets have moved
     * @param refusal a partition's reason not to move them; empty if there is none
     */
    record Ended(boolean done, String refusal) {}

    MoveCall(int from, int to, BitSet buckets, Consumer<Ended> reply) {
        super(from, new TreeSet<>(List.of(from, to)));
        this.to = to;
        this.buckets = buckets;
        this.reply = reply;
    }

    @Override
    void told(Outcome.Kind kind) {
        reply.accept(new Ended(kind == Outcome.Kind.DONE, refusal));
    }

    @Override
    public byte[] opening(int participant) {
        boolean comes = participant == to;
        BucketMove move = new BucketMove(comes, comes ? home() : to, buckets, List.of());
        return work(EngineStore.MOVE, move.encode());
    }

    private static byte[] work(byte kind, byte[] content) {
        return ByteBuffer.allocate(1 + content.length).put(kind).put(content).array();
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> results) {
        refusal = "";
        for (Result each : results.values()) {
            if (each.aborted()) {
                refusal = MemberRuns.message(each);
                return new Step(Step.Kind.ABORT, new TreeMap<>(), -1);
            }
        }
        SortedMap<Integer, byte[]> works = new TreeMap<>();
        works.put(to, work(EngineStore.ROWS, results.get(home()).rows()));
        return new Step(Step.Kind.COMMIT, works, -1);
    }

    @Override
    public void refused(int participant, Result result) {
        refusal = MemberRuns.message(result);
    }
}
