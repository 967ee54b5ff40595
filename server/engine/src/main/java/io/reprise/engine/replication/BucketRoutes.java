package io.reprise.engine.replication;

import io.reprise.execution.BucketMap;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The partition of each bucket, as a node routes calls. The cluster's map says it, but a move changes the streams first. The streams
 * of the partitions that this node leads therefore take precedence over the map: calls find a bucket at the end of its move, and don't
 * wait for the membership service.
 *
 * <p>Routes are hints: the leader of a partition checks each call. Any thread; the last change is always the one that is routed by.
 */
public final class BucketRoutes {
    private final AtomicReference<Known> known;
    private final Consumer<BucketMap> router;

    /**
     * The buckets of a led partition.
     *
     * @param owned those that it has at a place of its stream
     * @param gone by bucket that has left it, the partition to which it went
     */
    private record Led(BitSet owned, SortedMap<Integer, Integer> gone) {}

    /**
     * All that routes are made from.
     *
     * @param map the cluster's map
     * @param led by partition
     */
    private record Known(BucketMap map, SortedMap<Integer, Led> led) {
        BucketMap routes() {
            SortedMap<Integer, Integer> moved = new TreeMap<>();
            led.forEach((partition, of) -> of.gone.forEach((bucket, to) -> {
                if (map.partition(bucket) == partition) {
                    moved.put(bucket, to);
                }
            }));
            led.forEach((partition, of) -> of.owned.stream()
                    .filter(bucket -> map.partition(bucket) != partition)
                    .forEach(bucket -> moved.put(bucket, partition)));
            return moved.isEmpty() ? map : map.with(moved);
        }

        Known with(int partition, Led of) {
            SortedMap<Integer, Led> all = new TreeMap<>(led);
            if (of == null) {
                all.remove(partition);
            } else {
                all.put(partition, of);
            }
            return new Known(map, all);
        }
    }

    /**
     * Routes of a node that leads nothing.
     *
     * @param map the buckets before the first map
     * @param router gets the routes at each change
     */
    public BucketRoutes(BucketMap map, Consumer<BucketMap> router) {
        known = new AtomicReference<>(new Known(map, new TreeMap<>()));
        this.router = router;
    }

    /** The cluster's map has changed. */
    public void map(BucketMap map) {
        change(before -> new Known(map, before.led));
    }

    /** This node leads a partition whose stream has these buckets. */
    void led(int partition, OwnedBuckets buckets) {
        Led of = new Led(buckets.now(), buckets.gone());
        change(before -> before.with(partition, of));
    }

    /** This node leads a partition no more. */
    void lost(int partition) {
        change(before -> before.with(partition, null));
    }

    private void change(UnaryOperator<Known> operation) {
        Known changed = known.updateAndGet(operation);
        router.accept(changed.routes());
        // A thread that was overtaken may have routed by less than is known.
        for (Known now = known.get(); now != changed; now = known.get()) {
            changed = now;
            router.accept(changed.routes());
        }
    }
}
