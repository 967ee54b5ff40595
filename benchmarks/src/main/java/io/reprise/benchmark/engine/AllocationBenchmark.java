package io.reprise.benchmark.engine;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.ThreadMXBean;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * The garbage of TPC-C. All threads' allocation counts, not the site's only. The clients keep to a pace, because at
 * full speed the orders of five minutes do not fit this machine's memory; a transaction's allocation does not depend
 * on that.
 */
final class AllocationBenchmark implements Benchmark {
    @Override
    public String name() {
        return "engine-alloc";
    }

    @Override
    public String description() {
        return "TPC-C full mix, one partition: heap allocated for each transaction, and the longest collection";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("bytes_per_txn", "heap bytes allocated by all threads, for each transaction")
                        .atMost(100),
                Key.of("gc_pause_ms_max", "the longest stop for a collection; 0: there was none")
                        .atMost(1));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("warehouses", 1), Option.SECONDS, Option.number("pace", 1));
    }

    @Override
    public Result run(Context context) {
        int seconds = context.option("seconds", context.quickOr(15, 300));
        int pace = context.option("pace", 40_000);
        Tpcc tpcc = new Tpcc(TpccOptions.standard(context.option("warehouses", 4)));
        context.progress("Loading");
        try (EngineRun run = EngineRun.open(tpcc, 1, EngineRun.MEMORY_FOR_ONE)) {
            run.start(tpcc, pace);
            EngineRun.sleep(context.quickOr(10, 30));
            // Garbage of loading and warming up is not the transactions'.
            System.gc();
            Collections collections = new Collections();
            long bytesBefore = allocated();
            long callsBefore = run.completed();
            context.progress("Measuring for %d s", seconds);
            EngineRun.sleep(seconds);
            long calls = run.completed() - callsBefore;
            long bytes = allocated() - bytesBefore;
            collections.close();
            run.stop();
            run.check();
            return new Result()
                    .put("bytes_per_txn", (double) bytes / (double) calls)
                    .put("gc_pause_ms_max", (double) collections.longestMs())
                    .fact("collections", Integer.toString(collections.count()))
                    .fact("transactions", Long.toString(calls));
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
    }

    /** Listens to collections. With the parallel collector each of them stops all threads for all of its time. */
    private static final class Collections implements AutoCloseable {
        private final AtomicLong longestMs = new AtomicLong();
        private final AtomicInteger count = new AtomicInteger();
        private final NotificationListener listener = (notification, nothing) -> {
            CompositeData data = (CompositeData) notification.getUserData();
            long ms = GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration();
            longestMs.accumulateAndGet(ms, Math::max);
            count.incrementAndGet();
        };

        Collections() {
            for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                ((NotificationEmitter) bean).addNotificationListener(listener, null, null);
            }
        }

        long longestMs() {
            return longestMs.get();
        }

        int count() {
            return count.get();
        }

        @Override
        public void close() {
            for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                try {
                    ((NotificationEmitter) bean).removeNotificationListener(listener);
                } catch (javax.management.ListenerNotFoundException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
