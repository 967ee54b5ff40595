package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.StatementCollector;
import io.reprise.log.LogReader;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.recovery.rebuild.RebuildPorts;
import io.reprise.recovery.rebuild.ShadowStore;
import io.reprise.recovery.rebuild.SortedRecords;
import io.reprise.runtime.agent.BackgroundThread;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.PageSources;
import io.reprise.snapshot.file.Manifest;
import io.reprise.storage.PartitionStore;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The engine for a rebuild: tasks become works of the engine, and go through the initiators like calls. Used by the rebuild's thread. */
final class Rebuilds implements RebuildPorts {
    private final EngineSettings settings;
    private final Persistence persistence;
    private final Sites sites;
    private final Waker[] wakers;
    private final Supplier<Catalog> catalog;
    private boolean lowered;

    Rebuilds(EngineSettings settings, Persistence persistence, Sites sites, Waker[] wakers, Supplier<Catalog> catalog) {
        this.settings = settings;
        this.persistence = persistence;
        this.sites = sites;
        this.wakers = wakers;
        this.catalog = catalog;
    }

    @Override
    public int sites() {
        return sites.count();
    }

    @Override
    public Waker waker(int site) {
        return wakers[site];
    }

    @Override
    public boolean atPartition(int partition, Runnable task) {
        Execution execution = new PartitionTask("rebuild", at -> task.run(), ended -> {}).at(partition);
        return sites.initiator(sites.siteOf(partition)).offer(execution);
    }

    @Override
    public int partitionOf(int site) {
        return sites.partitions(site).getFirst().id();
    }

    @Override
    public void fence(int site, LoadProxy loads, BitSet buckets) {
        sites.initiator(site).fence(loads, buckets);
    }

    @Override
    public boolean atAll(int site, LongConsumer task) {
        AdministrationWork work = new AdministrationWork("rebuild", task).withoutRows();
        Execution execution = new Execution(new Arguments()).prepare(work, ended -> {}, 0);
        work.route(execution, sites.buckets());
        return sites.initiator(site).offer(execution);
    }

    @Override
    public void mark() {
        persistence.mark();
    }

    @Override
    public boolean isMarkDurable() {
        return persistence.isMarkDurable();
    }

    @Override
    public boolean isQuiet() {
        return persistence.snapshots().isQuiet();
    }

    @Override
    public boolean isUnswept(int partition) {
        return !sites.partitions().getFirst().peers().withId(partition).store().isObserved();
    }

    @Override
    public long durable() {
        return persistence.writer().stats().durable();
    }

    @Override
    public long firstPosition() {
        return persistence.firstPosition();
    }

    @Override
    public void holdLog(long from) {
        persistence.rebuildHold().hold(from);
    }

    @Override
    public Optional<SortedRecords> sorted(Manifest base) {
        long from = base.origin().logPosition();
        boolean wanted =
                settings.sortedLog().isSorted() && (settings.sortedLog().images() || from < firstPosition());
        return wanted
                ? new RunTaking(
                                files(),
                                settings.durability().log(),
                                base.identity().database(),
                                Set.of(),
                                damage -> {})
                        .sorted(from, durable())
                : Optional.empty();
    }

    @Override
    public LogReader read(long from, long to) {
        return persistence.read(from, to);
    }

    @Override
    public FileStore files() {
        return persistence.files();
    }

    @Override
    public Catalog catalog() {
        return catalog.get();
    }

    @Override
    public void hurry(boolean urgent) {
        if (!settings.hasThreads()) {
            return;
        }
        if (!urgent) {
            BackgroundThread.lower();
            lowered = true;
        } else if (lowered) {
            // Without rights a thread stays lowered: the first bucket of a process's second rebuild comes later.
            lowered = !BackgroundThread.raise();
        }
    }

    @Override
    public ShadowStore.Parts shadow() {
        BucketMap map = BucketMap.dealt(sites.buckets().buckets(), 1);
        PartitionStore store = StoreOptions.open(
                0, map, settings.memory().perPartition() * sites.partitions().size(), PageSources.NONE);
        if (settings.storage().collectsFootprints()) {
            // The same classes of statements as those of the live partitions, which are compiled already. The buffer
            // stays off.
            store.collectFootprints(settings.memory().footprints());
        }
        List<Partition> partitions = Partition.over(List.of(store));
        ReplayedSchema schema = new ReplayedSchema(
                partitions, new StatementCollector(settings.storage().collectsFootprints()));
        return new ShadowStore.Parts(
                partitions.getFirst(), map, schema, () -> schema.schema().catalog());
    }
}
