package io.reprise.engine.replication;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of a partition's buckets to the goals of the map, by its leader, the most loaded first.
 *
 * <pre>
 *  IDLE -> MOVING      the map has a goal for a bucket that is here
 *  MOVING -> IDLE      the transaction has ended
 *  IDLE -> TELLING     a bucket has left by the stream, and the map still has it here
 *  TELLING -> IDLE     the map has its place
 * </pre>
 *
 * <p>Nothing of it survives a leader: the next one finds the same in the map and in the stream. Owned by the partition's thread.
 */
final class BucketMover {
    private static final Logger LOG = LoggerFactory.getLogger(BucketMover.class);

    /** The most buckets of one transaction. */
    private static final int MOST_AT_ONCE = 32;

    /** Calls of other buckets run between two moves for so many times as long as a move takes. */
    private static final int REST = 4;

    private static final long LEAST_REST_NS = 1_000_000;
    private static final long RETRY_NS = 200_000_000;

    /** A refused move is tried again after up to so many times as long. */
    private static final int MOST_PATIENCE = 64;

    private final int partition;
    private final OwnedBuckets owned;
    private final IntToLongFunction load;
    private final IntPredicate isLed;
    private final Function<MapOperation, CompletableFuture<PartitionMap>> operations;
    private CompletableFuture<PartitionMap> telling;
    private boolean moving;
    private long beganNs;
    private long notBeforeNs;
    private MoveCall.Ended ended;
    private BitSet atOnce = new BitSet();
    private int most = MOST_AT_ONCE;
    private int patience = 1;

    /**
     * The moves of a partition.
     *
     * @param load the present load of a bucket
     * @param isLed whether a partition has a leader that runs, as far as this node knows
     * @param operations changes the map
     */
    BucketMover(
            int partition,
            OwnedBuckets owned,
            IntToLongFunction load,
            IntPredicate isLed,
            Function<MapOperation, CompletableFuture<PartitionMap>> operations) {
        this.partition = partition;
        this.owned = owned;
        this.load = load;
        this.isLed = isLed;
        this.operations = operations;
    }

    /** Goes on while this node leads. Returns a call to begin, or null. */
    MoveCall step(PartitionMap map, long nowNs) {
        if (ended != null) {
            take(ended, nowNs);
            ended = null;
        }
        if (telling != null && telling.isDone()) {
            notBeforeNs = nowNs + (telling.isCompletedExceptionally() ? RETRY_NS : LEAST_REST_NS);
            telling = null;
        }
        if (moving || telling != null || map.buckets().isEmpty() || nowNs - notBeforeNs < 0) {
            return null;
        }
        SortedMap<Integer, Integer> left = new TreeMap<>();
        List<BucketPlace> due = new ArrayList<>();
        for (BucketPlace place : map.buckets()) {
            if (place.partition() == partition && !owned.has(place.bucket())) {
                left.put(place.bucket(), owned.goneTo(place.bucket()));
            } else if (place.partition() == partition && place.isMoving() && isLed.test(place.goal())) {
                due.add(place);
            }
        }
        if (!left.isEmpty()) {
            telling = operations.apply(new MapOperation.BucketsMoved(partition, left));
            return null;
        }
        return due.isEmpty() ? null : begin(due, nowNs);
    }

    /** The most loaded bucket, and others with its goal. */
    private MoveCall begin(List<BucketPlace> due, long nowNs) {
        due.sort(Comparator.comparingLong((BucketPlace place) -> -load.applyAsLong(place.bucket()))
                .thenComparingInt(BucketPlace::bucket));
        int goal = due.getFirst().goal();
        atOnce = new BitSet();
        due.stream().filter(place -> place.goal() == goal).limit(most).forEach(place -> atOnce.set(place.bucket()));
        moving = true;
        beganNs = nowNs;
        return new MoveCall(partition, goal, atOnce, end -> ended = end);
    }

    private void take(MoveCall.Ended end, long nowNs) {
        moving = false;
        notBeforeNs = nowNs + Math.max(LEAST_REST_NS, REST * (nowNs - beganNs));
        if (end.done()) {
            LOG.info("Buckets {} have left partition {}", atOnce, partition);
            most = Math.min(MOST_AT_ONCE, 2 * most);
            patience = 1;
            return;
        }
        notBeforeNs = Math.max(notBeforeNs, nowNs + patience * RETRY_NS);
        patience = most > 1 ? 1 : Math.min(MOST_PATIENCE, 2 * patience);
        most = Math.max(1, most / 2);
        if (!end.refusal().isEmpty()) {
            LOG.warn("Buckets {} can't leave partition {}: {}", atOnce, partition, end.refusal());
        }
    }

    /** This node does not lead any more. */
    void end() {
        moving = false;
        telling = null;
        ended = null;
        notBeforeNs = 0;
    }
}
