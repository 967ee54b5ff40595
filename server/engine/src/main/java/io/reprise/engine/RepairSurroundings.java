package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.StatementCollector;
import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.run.LogRuns;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.SnapshotStats;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The engine around a {@link BucketRepair}: its log, its snapshots, its sites. The repair's thread uses it. */
final class RepairSurroundings implements BucketRepair.Surroundings {
    private final EngineSettings settings;
    private final FileStore files;
    private final Persistence persistence;
    private final Calls calls;
    private final StatementCollector collector;
    private final Optional<LoadStats> load;

    private RepairSurroundings(
            EngineSettings settings,
            FileStore files,
            Persistence persistence,
            Calls calls,
            StatementCollector collector,
            Optional<LoadStats> load) {
        this.settings = settings;
        this.files = files;
        this.persistence = persistence;
        this.calls = calls;
        this.collector = collector;
        this.load = load;
    }

    /** The repair of an engine, with the parts of its sites. */
    static BucketRepair repair(
            EngineSettings settings,
            FileStore files,
            Recovered recovered,
            Persistence persistence,
            Calls calls,
            Sites sites,
            SiteThreads threads,
            RowExchange exchange) {
        RepairSurroundings around = new RepairSurroundings(
                settings,
                files,
                persistence,
                calls,
                new StatementCollector(settings.storage().collectsFootprints()),
                recovered.load().map(BucketLoadAgent::stats));
        BucketMap map = sites.buckets();
        BucketRepair repair = new BucketRepair(
                around,
                settings.clock(),
                bucket -> recovered.partitions().getFirst().peers().withId(map.partition(bucket)),
                (partition, execution) ->
                        sites.initiator(sites.siteOf(partition)).offer(execution),
                settings.hasThreads() ? new Waker() : null);
        for (int site = 0; site < sites.count(); site++) {
            repair.add(new RepairParking(
                    sites.initiator(site), map.buckets().count(), threads.wakers()[site], repair.events()));
        }
        recovered
                .load()
                .map(BucketLoadAgent::stats)
                .ifPresent(stats -> repair.repairBy(
                        new AutomaticRepair(stats::damaged, bucket -> exchange.repair(() -> repair.repair(bucket)))));
        return repair;
    }

    @Override
    public List<Manifest> snapshots() {
        persistence.repairHold().hold(0);
        LogSettings log = settings.durability().log();
        long first = new LogDirectory(files, log.directory()).positions().getFirst();
        List<Manifest> found = new ArrayList<>();
        SnapshotReader reader = new SnapshotReader(files);
        for (long id : new SnapshotDirectory(files).list()) {
            try {
                Manifest manifest = reader.look(id);
                long position = manifest.origin().logPosition();
                if (position >= first
                        || new LogRuns(files, manifest.identity().database())
                                .replaceLog(position, first, files, log, durable())) {
                    found.add(manifest);
                }
            } catch (DamagedSnapshotException e) {
                // An older one may do, and a repair that finds none says so.
            }
        }
        return found;
    }

    @Override
    public BucketRebuild rebuild(Manifest base, int bucket, Set<Long> withoutRuns) {
        long memory = settings.memory().perPartition();
        return new BucketRebuild(
                new RebuildBase(
                        files,
                        settings.durability().log(),
                        base,
                        collector,
                        withoutRuns,
                        memory,
                        durable() - base.origin().logPosition()),
                bucket,
                memory);
    }

    @Override
    public void release() {
        persistence.repairHold().release();
    }

    @Override
    public long durable() {
        return persistence.writer().stats().durable();
    }

    @Override
    public long[] positions() {
        return persistence.room().positions();
    }

    @Override
    public boolean areDurable(long[] positions) {
        return persistence.room().areDurable(positions);
    }

    @Override
    public void fence(Runnable action, Consumer<String> refused) {
        calls.submit(new Execution(new Arguments())
                .prepare(
                        new AdministrationWork("repair", action).withoutRows(),
                        ended -> {
                            if (!ended.outcome().succeeded()) {
                                refused.accept(ended.outcome().message());
                            }
                        },
                        0));
    }

    @Override
    public boolean isBusy() {
        return load.isPresent() && !load.get().isOver()
                || persistence.snapshots().stats().now().phase() != SnapshotStats.Phase.IDLE;
    }

    @Override
    public String problemOf(int bucket) {
        return load.map(stats -> stats.problemOf(bucket)).orElse(null);
    }

    @Override
    public void repaired(int bucket) {
        load.ifPresent(stats -> stats.repaired(bucket));
    }
}
