package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.DurableGate;
import io.reprise.runtime.agent.Agent;
import io.reprise.txn.initiator.Initiator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The first of a site's agents: it gives the time to the site's meter, and publishes at intervals what the partitions of the
 * site hold. Only the site's thread may read a partition, and not while that is lent; other threads read the last published
 * state.
 */
final class SiteMeterAgent implements Agent {
    private static final long EVERY_NS = 250_000_000;

    private final int site;
    private final SiteMeter meter;
    private final List<Published> partitions = new ArrayList<>();
    private final Initiator initiator;
    private final CommitGate gate;
    private final Supplier<Catalog> catalog;
    private long[] siteLoad = {};

    /** One partition's state, as it was published last. */
    private static final class Published {
        private final Partition partition;
        private final PartitionExecutor executor;
        private final AtomicReference<EngineMetrics.PartitionMetrics> last;
        private final MemoryAlarm memory;
        private long nextNs;
        private boolean begun;

        Published(Partition partition, PartitionExecutor executor) {
            this.partition = partition;
            this.executor = executor;
            memory = new MemoryAlarm(partition.store());
            last = new AtomicReference<>(new EngineMetrics.PartitionMetrics(
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
                    new long[partition.store().buckets().count()]));
        }

        boolean isDue(long nowNs) {
            return (!begun || nowNs - nextNs >= 0) && !executor.isLent();
        }
    }

    SiteMeterAgent(Sites sites, int site, Supplier<Catalog> catalog) {
        this.site = site;
        meter = sites.meter(site);
        sites.partitions(site)
                .forEach(partition -> partitions.add(new Published(partition, sites.executor(partition))));
        initiator = sites.initiator(site);
        gate = sites.gate(site);
        this.catalog = catalog;
    }

    @Override
    public String roleName() {
        return "meter-" + site;
    }

    @Override
    public int doWork(long nowNs) {
        meter.cycle(nowNs);
        for (int i = 0; i < partitions.size(); i++) {
            Published published = partitions.get(i);
            if (published.isDue(nowNs)) {
                published.begun = true;
                published.nextNs = nowNs + EVERY_NS;
                publish(published, i == 0, nowNs);
            }
        }
        return 0;
    }

    /** Queues that the partitions of a site share are counted with its first one. */
    private void publish(Published published, boolean first, long nowNs) {
        Partition partition = published.partition;
        Stats.PartitionStats stats =
                StoreOptions.stats(catalog.get(), List.of(partition)).getFirst();
        published.last.set(new EngineMetrics.PartitionMetrics(
                meter.busyNs(),
                meter.stoodStillNs(),
                published.executor.waiting() + (first ? initiator.waiting() : 0),
                first && gate instanceof DurableGate durable ? durable.waiting() : 0,
                stats.committed(),
                stats.aborted(),
                stats.memoryUsed(),
                stats.memoryLimit(),
                partition.store().memoryRefusals(),
                published.memory.isFull(nowNs),
                stats.tables(),
                ownLoad(partition, first)));
    }

    /** The load fades once for all partitions of the site. */
    private long[] ownLoad(Partition partition, boolean fades) {
        if (fades) {
            siteLoad = meter.bucketLoad();
        }
        if (partitions.size() == 1) {
            return siteLoad;
        }
        long[] load = new long[partition.store().buckets().count()];
        for (int bucket = 0; bucket < load.length; bucket++) {
            load[bucket] = bucket < siteLoad.length && partition.store().owns(bucket) ? siteLoad[bucket] : 0;
        }
        return load;
    }

    /** Any thread: the partitions as they were published last, with the time that the site has been busy until now. */
    List<EngineMetrics.PartitionMetrics> metrics() {
        return partitions.stream().map(this::metrics).toList();
    }

    private EngineMetrics.PartitionMetrics metrics(Published published) {
        EngineMetrics.PartitionMetrics last = published.last.get();
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
