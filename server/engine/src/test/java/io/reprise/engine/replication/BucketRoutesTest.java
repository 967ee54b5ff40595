package io.reprise.engine.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.recovery.replay.BucketMove;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Routes of a node by the map and by the streams of its partitions. */
final class BucketRoutesTest {
    private static final BucketMap MAP = BucketMap.dealt(3);
    private static final int MOVED = MAP.buckets(0)[5];

    private final AtomicReference<BucketMap> routed = new AtomicReference<>(MAP);
    private final BucketRoutes routes = new BucketRoutes(MAP, routed::set);

    private static OwnedBuckets of(int partition) {
        return new OwnedBuckets(MAP.bucketSet(partition));
    }

    private static BucketMove move(boolean comes, int other) {
        BitSet buckets = new BitSet();
        buckets.set(MOVED);
        return new BucketMove(comes, other, buckets, List.of());
    }

    private static BucketMap mapAfter(int partition) {
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        moved.put(MOVED, partition);
        return MAP.with(moved);
    }

    @Test
    void shouldRouteToTheNextPartitionWhenABucketHasLeftALedOneBeforeTheMapSaysSo() {
        OwnedBuckets source = of(0);
        routes.led(0, source);
        assertThat(routed.get()).isSameAs(MAP);

        source.moved(move(false, 2));
        routes.led(0, source);

        assertThat(routed.get().partition(MOVED)).isEqualTo(2);
        assertThat(routed.get().hashOf(0)).isEqualTo(source.hash());
    }

    @Test
    void shouldRouteToALedPartitionWhenABucketHasComeBeforeTheMapSaysSo() {
        OwnedBuckets target = of(2);
        target.moved(move(true, 0));
        routes.led(2, target);

        assertThat(routed.get().partition(MOVED)).isEqualTo(2);
        assertThat(routed.get().hashOf(2)).isEqualTo(target.hash());
    }

    @Test
    void shouldFollowTheMapWhenTheBucketHasMovedOnFromThePartitionToWhichItWent() {
        OwnedBuckets source = of(0);
        source.moved(move(false, 2));
        routes.led(0, source);

        routes.map(mapAfter(1));

        assertThat(routed.get().partition(MOVED)).isEqualTo(1);
    }

    @Test
    void shouldFollowTheMapWhenThePartitionIsNotLedAnyMore() {
        OwnedBuckets source = of(0);
        source.moved(move(false, 2));
        routes.led(0, source);

        routes.lost(0);

        assertThat(routed.get()).isSameAs(MAP);
    }
}
