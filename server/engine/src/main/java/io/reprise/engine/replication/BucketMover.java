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
 * The moves of a partition's buckets to the goals of the map, by its leader, the most loaded first. The rows of many buckets are listed
 * while calls run. Then a transaction moves as many of these buckets as hold the partitions for a few milliseconds.
 *
 * <pre>
 *  IDLE -> LISTING     the map has a goal for a bucket that is here
 *  LISTING -> LISTED   the places of all rows are known
 *  LISTED -> MOVING    a transaction has begun
 *  MOVING -> LISTED    it has ended, and listed buckets are left
 *  MOVING -> IDLE      it has ended with the last of them
 * </pre>
 *
 * <p>The map is told of each bucket that has left by the stream. The next transaction waits for that.
 *
 * <p>Nothing of it survives a leader: the next one finds the same in the map and in the stream. Owned by the partition's thread.
 */
final class BucketMover {
    private static final Logger LOG = LoggerFactory.getLogger(BucketMover.class);

    /** The most buckets whose rows are listed at once, and that move in one transaction. */
    private static final int MOST_LISTED = 64;

    /** Fewer rows than these take next to no time beside the messages and forces of a transaction. */
    private static final long LEAST_ROWS = 4_000;

    private static final long MOST_ROWS = 100_000;

    /** A transaction that holds the partitions for longer is followed by smaller ones. */
    private static final long LONG_NS = 8_000_000;

    /** Calls of other buckets run between two moves for so many times as long as a move takes, within bounds. */
    private static final int REST = 8;

    private static final long LEAST_REST_NS = 1_000_000;
    private static final long MOST_REST_NS = 100_000_000;
    private static final long RETRY_NS = 200_000_000;

    /** A refused move is tried again after up to so many times as long. */
    private static final int MOST_PATIENCE = 64;

    private final int partition;
    private final OwnedBuckets owned;
    private final LeavingRows leaving;
    private final IntToLongFunction load;
    private final IntPredicate isLed;
    private final Function<MapOperation, CompletableFuture<PartitionMap>> operations;
    private CompletableFuture<PartitionMap> telling;
    private boolean moving;
    private long beganNs;
    private long notBeforeNs;
    private long tellNotBeforeNs;
    private MoveCall.Ended ended;
    private BitSet atOnce = new BitSet();

    /** The most rows of the next transaction, if it has more than one bucket. */
    private long mostRows = LEAST_ROWS;

    private int patience = 1;

    /** The map and the hash of owned buckets from which {@link #open} was made. */
    private PartitionMap openMap;

    private long openHash;

    /** The places in the map of this partition's buckets that are to leave. */
    private List<BucketPlace> open = List.of();

    /** By bucket that has left and that the map still has here, the partition to which it went. */
    private SortedMap<Integer, Integer> left = new TreeMap<>();

    /**
     * The moves of a partition.
     *
     * @param leaving lists rows
     * @param load the present load of a bucket
     * @param isLed whether a partition has a leader that runs, as far as this node knows
     * @param operations changes the map
     */
    BucketMover(
            int partition,
            OwnedBuckets owned,
            LeavingRows leaving,
            IntToLongFunction load,
            IntPredicate isLed,
            Function<MapOperation, CompletableFuture<PartitionMap>> operations) {
        this.partition = partition;
        this.owned = owned;
        this.leaving = leaving;
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
        if (map.buckets().isEmpty()) {
            return null;
        }
        findOpen(map);
        tell(nowNs);
        boolean isListing = leaving.isActive() && !leaving.isListed();
        if (moving || isListing || !left.isEmpty() || nowNs - notBeforeNs < 0) {
            return null;
        }
        if (open.isEmpty()) {
            leaving.end();
            return null;
        }
        List<BucketPlace> due = new ArrayList<>();
        for (BucketPlace place : open) {
            if (isLed.test(place.goal())) {
                due.add(place);
            }
        }
        due.sort(Comparator.comparingLong((BucketPlace place) -> -load.applyAsLong(place.bucket()))
                .thenComparingInt(BucketPlace::bucket));
        return due.stream().anyMatch(place -> leaving.has(place.bucket())) ? begin(due, nowNs) : list(due);
    }

    /**
     * Tells the map of buckets that have left as soon as the transaction has ended, because nodes that lead neither partition route calls by the
     * map. Before, a successor of this leader could still find the transaction undecided, and keep the buckets.
     */
    private void tell(long nowNs) {
        if (telling != null && telling.isDone()) {
            tellNotBeforeNs = nowNs + (telling.isCompletedExceptionally() ? RETRY_NS : LEAST_REST_NS);
            telling = null;
        }
        if (telling == null && !moving && !left.isEmpty() && nowNs - tellNotBeforeNs >= 0) {
            telling = operations.apply(new MapOperation.BucketsMoved(partition, left));
        }
    }

    /** Passes over the map's places once for each map, and for each move in the stream: this is asked in every cycle. */
    private void findOpen(PartitionMap map) {
        if (map == openMap && owned.hash() == openHash) {
            return;
        }
        openMap = map;
        openHash = owned.hash();
        open = new ArrayList<>();
        left = new TreeMap<>();
        for (BucketPlace place : map.buckets()) {
            Integer gone = place.partition() == partition ? owned.goneTo(place.bucket()) : null;
            if (gone != null && !owned.has(place.bucket())) {
                left.put(place.bucket(), gone);
            } else if (place.partition() == partition && place.isMoving()) {
                open.add(place);
            }
        }
    }

    /** Lists the rows of the most loaded buckets, unless rows are being listed. */
    private MoveCall list(List<BucketPlace> due) {
        if (due.isEmpty()) {
            leaving.end();
        } else if (!leaving.isActive() || leaving.isListed()) {
            BitSet buckets = new BitSet();
            due.stream().limit(MOST_LISTED).forEach(place -> buckets.set(place.bucket()));
            leaving.begin(buckets, Long.MAX_VALUE);
        }
        return null;
    }

    /** Moves the most loaded bucket whose rows are listed, and others with its goal. */
    private MoveCall begin(List<BucketPlace> due, long nowNs) {
        due.removeIf(place -> !leaving.has(place.bucket()));
        int goal = due.getFirst().goal();
        atOnce = new BitSet();
        long rows = 0;
        for (BucketPlace place : due) {
            rows += place.goal() == goal ? leaving.count(place.bucket()) : 0;
            if (place.goal() == goal && (atOnce.isEmpty() || rows <= mostRows)) {
                atOnce.set(place.bucket());
            }
        }
        moving = true;
        beganNs = nowNs;
        return new MoveCall(partition, goal, atOnce, end -> ended = end);
    }

    private void take(MoveCall.Ended end, long nowNs) {
        moving = false;
        long tookNs = nowNs - beganNs;
        notBeforeNs = nowNs + Math.clamp(REST * tookNs, LEAST_REST_NS, MOST_REST_NS);
        if (end.done()) {
            LOG.info("Buckets {} have left partition {} after {} us", atOnce, partition, tookNs / 1000);
            // Refused moves may have left it below the least.
            long least = Math.min(LEAST_ROWS, 2 * mostRows + 1);
            if (tookNs > LONG_NS) {
                mostRows = Math.max(least, mostRows / 2);
            } else if (tookNs < LONG_NS / 2) {
                mostRows = Math.min(MOST_ROWS, 2 * mostRows + 1);
            }
            patience = 1;
            return;
        }
        notBeforeNs = Math.max(notBeforeNs, nowNs + patience * RETRY_NS);
        patience = atOnce.cardinality() > 1 ? 1 : Math.min(MOST_PATIENCE, 2 * patience);
        mostRows /= 2;
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
        tellNotBeforeNs = 0;
        leaving.end();
    }
}
