package io.reprise.engine;

import io.reprise.runtime.time.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The loads of buckets over the nodes of a cluster. Each node tells the others its own load at intervals, and keeps the last one of each
 * other node for some intervals.
 *
 * <pre>
 *  load: u1 kind | u4 node | u4 buckets with a load | that many x (u4 bucket | u4 load)     big-endian
 * </pre>
 *
 * <p>Loads saturate. The cluster's agent sends, any thread receives and reads.
 */
final class ClusterLoads {
    /** The first byte of a load. */
    static final byte KIND = 67;

    /** The time between two loads of a node. */
    static final long INTERVAL_NS = 2_000_000_000L;

    private static final long KEPT_NS = 5 * INTERVAL_NS;
    private static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;

    private final int node;
    private final int buckets;
    private final Clock clock;
    private final AtomicReference<Supplier<List<long[]>>> own = new AtomicReference<>(List::of);
    private final Map<Integer, Told> others = new ConcurrentSkipListMap<>();

    private record Told(long atNs, long[] load) {}

    /** The loads of so many buckets, at a node. */
    ClusterLoads(int node, int buckets, Clock clock) {
        this.node = node;
        this.buckets = buckets;
        this.clock = clock;
    }

    /** The loads of this node's partitions from now on. */
    void ownBy(Supplier<List<long[]>> supplier) {
        own.set(supplier);
    }

    private long[] own() {
        long[] sum = new long[buckets];
        own.get().get().forEach(load -> add(sum, load));
        return sum;
    }

    private static void add(long[] sum, long[] load) {
        for (int bucket = 0; bucket < Math.min(sum.length, load.length); bucket++) {
            sum[bucket] += load[bucket];
        }
    }

    /** This node's load, for the others. */
    byte[] frame() {
        long[] load = own();
        int count = 0;
        for (long each : load) {
            count += each > 0 ? 1 : 0;
        }
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + 2 * Integer.BYTES * count)
                .put(KIND)
                .putInt(node)
                .putInt(count);
        for (int bucket = 0; bucket < load.length; bucket++) {
            if (load[bucket] > 0) {
                out.putInt(bucket).putInt((int) Math.min(load[bucket], Integer.MAX_VALUE));
            }
        }
        return out.array();
    }

    /** Takes in another node's load, unless it names a bucket that there is not. Any thread. */
    void receive(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
        int from = in.getInt();
        long[] load = new long[buckets];
        for (int left = in.getInt(); left > 0; left--) {
            int bucket = in.getInt();
            long count = in.getInt();
            if (bucket < 0 || bucket >= buckets) {
                return;
            }
            load[bucket] = count;
        }
        others.put(from, new Told(clock.nanoTime(), load));
    }

    /** The load over this node and those that have told theirs lately. Any thread. */
    ClusterLoad now() {
        long nowNs = clock.nanoTime();
        others.values().removeIf(told -> nowNs - told.atNs > KEPT_NS);
        SortedSet<Integer> nodes = new TreeSet<>(List.of(node));
        long[] sum = own();
        others.forEach((other, told) -> {
            nodes.add(other);
            add(sum, told.load);
        });
        return new ClusterLoad(new ArrayList<>(nodes), sum);
    }
}
