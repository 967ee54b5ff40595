package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.DurableGate;
import io.reprise.id.Buckets;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.Initiator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The first of a site's agents: tells its meter the time, and now and then publishes what the partition holds. Only this
 * thread may look into the partition, and not while it is lent; others read what was published last.
 */
final class SiteMeterAgent implements Agent {
    private static final long EVERY_NS = 250_000_000;

    private final SiteMeter meter;
    private final Partition partition;
    private final PartitionExecutor executor;
    private final Initiator initiator;
    private final CommitGate gate;
    private final Supplier<Catalog> catalog;
    private final AtomicReference<EngineMetrics.PartitionMetrics> published;
    private final MemoryAlarm memory;
    private long nextNs;
    private boolean begun;

    SiteMeterAgent(Sites sites, int site, Supplier<Catalog> catalog) {
        meter = sites.meter(site);
        partition = sites.partitions().get(site);
        executor = sites.executor(site);
        initiator = sites.initiator(site);
        gate = sites.gate(site);
        this.catalog = catalog;
        memory = new MemoryAlarm(partition.store());
        published = new AtomicReference<>(new EngineMetrics.PartitionMetrics(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                partition.store().options().memoryLimit(),
                0,
                false,
                new LinkedHashMap<>(),
                new long[Buckets.COUNT]));
    }

    @Override
    public String roleName() {
        return "meter-" + partition.index();
    }

    @Override
    public int doWork(long nowNs) {
        meter.cycle(nowNs);
        if ((!begun || nowNs - nextNs >= 0) && !executor.isLent()) {
            begun = true;
            nextNs = nowNs + EVERY_NS;
            publish(nowNs);
        }
        return 0;
    }

    private void publish(long nowNs) {
        Stats.PartitionStats stats =
                StoreOptions.stats(catalog.get(), List.of(partition)).getFirst();
        published.set(new EngineMetrics.PartitionMetrics(
                meter.busyNs(),
                meter.stoodStillNs(),
                initiator.waiting() + executor.waiting(),
                gate instanceof DurableGate durable ? durable.waiting() : 0,
                stats.committed(),
                stats.aborted(),
                stats.memoryUsed(),
                stats.memoryLimit(),
                partition.store().memoryRefusals(),
                memory.isFull(nowNs),
                stats.tables(),
                meter.bucketLoad()));
    }

    /** Any thread: the partition as it was published last, with how busy it has been until now, and for how long it stood still. */
    EngineMetrics.PartitionMetrics metrics() {
        EngineMetrics.PartitionMetrics last = published.get();
        return new EngineMetrics.PartitionMetrics(
                meter.busyNs(),
                meter.stoodStillNs(),
                last.queued(),
                last.waitingReplies(),
                last.committed(),
                last.aborted(),
                last.memoryUsed(),
                last.memoryLimit(),
                last.memoryRefusals(),
                last.memoryFull(),
                last.tables(),
                last.bucketLoad());
    }
}
