package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.cluster.transaction.Outcome;
import io.reprise.execution.Partition;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.runtime.agent.ThreadAllocations;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The steps of a mover whose buckets have moved before, so that the map lists many. */
final class BucketMoverTest {
    private static final int BUCKETS = 1024;
    private static final int STEPS = 1_000;

    private final OwnedBuckets owned = new OwnedBuckets(all());
    private final List<MapOperation> told = new ArrayList<>();
    private final List<CompletableFuture<PartitionMap>> answers = new ArrayList<>();
    private final BucketMover mover =
            new BucketMover(0, owned, new LeavingRows(null, null), bucket -> 0, partition -> false, this::tell);

    private CompletableFuture<PartitionMap> tell(MapOperation operation) {
        told.add(operation);
        answers.add(new CompletableFuture<>());
        return answers.getLast();
    }

    private static BitSet all() {
        BitSet all = new BitSet();
        all.set(0, BUCKETS);
        return all;
    }

    /** All buckets were moved to partition 0; some are to go on to partition 1. */
    private static PartitionMap map(int going) {
        List<BucketPlace> places = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            places.add(new BucketPlace(bucket, 0, bucket < going ? 1 : 0));
        }
        Replicas line = new Replicas(1, 1, 0, List.of(new Member(0, 1)));
        return new PartitionMap(List.of(0), List.of(), List.of(line, line), places);
    }

    private long bytesOfSteps(PartitionMap map) {
        long before = ThreadAllocations.of(Thread.currentThread());
        for (int i = 0; i < STEPS; i++) {
            mover.step(map, 1);
        }
        return ThreadAllocations.of(Thread.currentThread()) - before;
    }

    @Test
    void shouldPassOverTheMapOnceWhenNoBucketIsToLeave() {
        PartitionMap map = map(0);
        bytesOfSteps(map);

        assertThat(bytesOfSteps(map)).isLessThan(STEPS);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellTheMapOfABucketThatHasLeftMeanwhile() {
        PartitionMap map = map(2);
        mover.step(map, 1);
        BitSet left = new BitSet();
        left.set(1);

        owned.moved(new BucketMove(false, 1, left, List.of()));
        mover.step(map, 1);

        assertThat(told).hasSize(1);
    }

    /** A leader that has committed may be lost with its decision, and the next one keep the buckets. */
    @Test
    void shouldTellTheMapOfAMoveOnlyWhenItHasEnded() {
        try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 26))) {
            store.createTable(FollowedMovesTest.CATALOG.table("T").orElseThrow());
            LeavingRows rows =
                    new LeavingRows(Partition.over(List.of(store)).getFirst(), new FollowedMovesTest.Tables());
            BucketMover leader = new BucketMover(0, owned, rows, bucket -> 0, partition -> true, this::tell);
            PartitionMap map = map(1);
            MoveCall call = null;
            for (int i = 0; i < STEPS && call == null; i++) {
                call = leader.step(map, 1);
                rows.step();
            }
            assertThat(call).isNotNull();
            BitSet left = new BitSet();
            left.set(0);
            owned.moved(new BucketMove(false, 1, left, List.of()));
            leader.step(map, 2);
            assertThat(told).isEmpty();

            call.told(Outcome.Kind.DONE);
            leader.step(map, 3);

            assertThat(told).hasSize(1);
            rows.end();
        }
    }

    @Test
    void shouldTellTheMapAgainWhenItWasNotReached() {
        PartitionMap map = map(2);
        BitSet left = new BitSet();
        left.set(1);
        owned.moved(new BucketMove(false, 1, left, List.of()));
        mover.step(map, 1);
        answers.getFirst().completeExceptionally(new IllegalStateException("not reached"));

        mover.step(map, 2);
        assertThat(told).hasSize(1);
        mover.step(map, 1_000_000_000);

        assertThat(told).hasSize(2);
    }
}
