package io.reprise.engine;

import io.reprise.engine.replication.NodeStreams;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.deploy.Arguments;
import io.reprise.id.TransactionId;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.rebuild.RebuildAgent;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.file.FileStore;
import io.reprise.storage.PartitionStore;
import io.reprise.txn.initiator.Parking;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The opening of an engine: pages of memory, recovery, log, cluster, sites, threads, in this order. A failure gives back
 * everything that was taken until then. Used by the opening thread alone, once.
 */
final class Opening {
    private final EngineSettings settings;
    private final EngineMeters meters;
    private final EngineSchema schema;
    private final SiteThreads threads;
    /** Null if the engine has no directory. */
    private final FileStore files;

    private Recovered recovered;

    /** Null if the engine has no directory. */
    private Persistence persistence;

    /** Null if compiled statements are not kept. */
    private KeptStatements kept;

    /** Null if the engine serves alone. */
    private ClusterNode cluster;

    /** Null if buckets can't be repaired: there is no directory, or other nodes have the rows. */
    private BucketRepair repair;

    private final RowExchange exchange = new RowExchange();

    private Sites sites;

    /** Null without a directory, and in a cluster. */
    private RebuildAgent rebuild;

    private AutomaticRebuild automatic;

    private Calls calls;
    private Tapes tapes;

    private Opening(EngineSettings settings) {
        this.settings = settings;
        files = settings.storage().files().map(Supplier::get).orElse(null);
        meters = new EngineMeters(settings);
        schema = new EngineSchema(settings, meters);
        threads = new SiteThreads(settings, meters, schema::catalog);
    }

    /** Opens an engine; its threads run when this returns. */
    static Reprise open(EngineSettings settings) {
        requireClusterOptions(settings);
        Opening opening = new Opening(settings);
        opening.recover();
        try {
            opening.makeDurable();
            opening.wire();
            opening.start();
        } catch (RuntimeException | Error failure) {
            opening.giveBack(
                    opening.persistence == null ? opening.files : opening.persistence, opening.recovered.stores());
            throw failure;
        }
        return new Reprise(opening);
    }

    private static void requireClusterOptions(EngineSettings settings) {
        if (settings.cluster().isEmpty()) {
            return;
        }
        if (settings.storage().files().isEmpty()) {
            throw new IllegalArgumentException("a node of a cluster needs a data directory");
        }
        if (!settings.durability().log().synchronous()) {
            throw new IllegalArgumentException(
                    "a node of a cluster has no asynchronous log: acknowledge by receipt instead, if need be");
        }
    }

    private void recover() {
        try {
            // First of all, because recovery needs the most pages.
            threads.startPages();
            if (files != null && settings.storage().keepsStatements()) {
                kept = new KeptStatements(files, schema);
                schema.statements().use(kept.read());
            }
            recovered = files == null
                    ? Recovered.inMemory(settings, threads.pages())
                    : new Recovery(settings, files, schema.statements(), threads.pages()).run();
        } catch (RuntimeException | Error failure) {
            giveBack(null, List.of());
            throw failure;
        }
    }

    /** Opens the log behind what was recovered, and begins the schema. */
    private void makeDurable() {
        meters.sites().forEach(meter -> meter.measure(recovered.buckets().buckets()));
        persistence = files == null ? null : new Persistence(settings, files, recovered, threads.wakers());
        // Not before: committed rows have to fit again, whatever the limit was then.
        recovered
                .stores()
                .forEach(store -> store.workMemory().limitTo(settings.memory().workPerPartition()));
        // Not before: a replay takes as long as it takes.
        threads.watch(recovered.partitions(), schema.statements().monitor());
        schema.begin(recovered, Optional.ofNullable(persistence));
    }

    /** Makes the parts that run transactions, and ties them together. */
    private void wire() {
        long firstId = TransactionId.next(recovered.lastId(), settings.clock().epochMicros(), 0);
        if (recovered.isNew()) {
            schema.makeFirst(recovered.partitions(), firstId);
        }
        if (persistence != null && !recovered.isNew()) {
            settings.recovery().choices().forEach(choice -> persistence.log(choice, firstId));
        }
        schema.measure();
        cluster = settings.cluster().isPresent() ? joinCluster(firstId) : null;
        sites = new Sites(
                settings.sites(),
                recovered.buckets(),
                recovered.partitions(),
                threads.wakers(),
                settings.clock(),
                persistence == null
                        ? CommitGate.open(meters.sites())
                        : persistence.gates(recovered.partitions(), meters.sites(), cluster),
                meters.sites(),
                firstId,
                cluster == null ? null : cluster.admissions());
        if (cluster != null) {
            cluster.runIn(sites);
        }
        recovered.load().ifPresent(this::parkUntilLoaded);
        if (persistence != null && cluster == null) {
            rebuild = new RebuildAgent(
                    new Rebuilds(settings, persistence, sites, threads.wakers(), schema::catalog),
                    recovered.partitions(),
                    recovered.buckets().buckets().count(),
                    settings.clock()::nanoTime,
                    settings.hasThreads() ? new Waker() : null);
            rebuildWithoutOperator();
        }
        calls = new Calls(settings, threads, sites, Optional.ofNullable(persistence), meters);
        tapes = new Tapes(schema, calls);
        schema.runIn(sites, calls, cluster);
        if (cluster != null) {
            cluster.runBy(calls::submit, calls::submitRouted);
            calls.passBy(cluster::passes);
        }
        if (persistence != null) {
            persistence.snapshots().runBy(this::begin);
        }
        if (persistence != null && cluster == null) {
            repair =
                    RepairSurroundings.repair(settings, files, recovered, persistence, calls, sites, threads, exchange);
        }
    }

    /** A partition that a failure of the engine leaves in doubt is rebuilt, once all rows have been loaded. */
    private void rebuildWithoutOperator() {
        automatic = new AutomaticRebuild(
                recovered.partitions().stream().mapToInt(Partition::id).toArray(),
                () -> recovered.load().map(agent -> agent.stats().isOver()).orElse(true),
                rebuild.stats()::present,
                partition -> exchange.rebuild(
                        () -> rebuild.rebuild(partition, sites.buckets().buckets(partition))),
                rebuild::wake);
        rebuild.stepWith(automatic::step);
        recovered.partitions().forEach(partition -> partition.tellDoubtsTo(automatic));
    }

    /** Starts the threads, and makes the changes of the schema that the start asks for. */
    private void start() {
        threads.start(
                sites,
                Optional.ofNullable(persistence),
                Optional.ofNullable(cluster),
                recovered.load(),
                Optional.ofNullable(kept),
                Optional.ofNullable(rebuild),
                Optional.ofNullable(repair));
        if (cluster != null) {
            schema.warnOfRefused();
        } else if (!recovered.isNew()) {
            schema.deployChangedClasses();
            schema.warnOfRefused();
        } else if (persistence != null) {
            calls.administerWithoutRows("open", () -> {});
        }
        if (recovered.archived() && recovered.load().isEmpty()) {
            // The directory gets a snapshot of its own again.
            persistence.snapshots().request();
        }
    }

    private void parkUntilLoaded(BucketLoadAgent agent) {
        for (int site = 0; site < sites.count(); site++) {
            Parking parking = new Parking(agent.connect(threads.wakers()[site])).requeueing();
            sites.initiator(site).parkBy(cluster == null ? parking : parking.inCluster(cluster::leads));
        }
        if (cluster != null) {
            cluster.loadBy(agent::want, agent.stats().problems());
            agent.whenFailed(() -> WholeRecovery.ask(files));
        }
        recovered
                .partitions()
                .forEach(partition -> partition.sendBackBy(sites.initiator(sites.siteOf(partition.id()))::offer));
        agent.sendBy((partition, execution) ->
                sites.initiator(sites.siteOf(partition)).offer(execution));
        agent.whenOver(() -> persistence.loaded(agent.stats()));
        if (recovered.archived()) {
            agent.whenOver(() -> persistence.snapshots().request());
        }
    }

    private ClusterNode joinCluster(long transactionId) {
        ClusterOptions node = settings.cluster().orElseThrow();
        NodeStreams streams = recovered.streams().orElseThrow();
        long seed = !recovered.isNew() && streams.starts().isEmpty() ? persistence.seed() : 0;
        if (!recovered.isNew() && streams.starts().isEmpty() && seed == 0) {
            throw new IllegalStateException("the directory has the database of a node that served alone. A cluster"
                    + " begins with empty directories; restore a backup into it instead. Nothing has been changed.");
        }
        streams.start(node.incarnation());
        long position = persistence.logStart(node.incarnation(), transactionId);
        persistence.snapshots().streams(streams::encode);
        long due = streams.dueChange();
        if (due != 0) {
            schema.complete(recovered.partitions(), streams.dueContent(), due, transactionId);
        }
        return new ClusterNode(
                settings,
                node,
                recovered,
                streams,
                schema,
                persistence.logs(),
                threads.wakers(),
                persistence.feeds(),
                position,
                due,
                seed);
    }

    /** After a failure in opening, in whose place nothing may be thrown. Memory and files of a hanging thread stay in use. */
    private void giveBack(AutoCloseable directory, List<PartitionStore> memory) {
        try {
            threads.close();
            if (recovered != null) {
                recovered.load().ifPresent(BucketLoadAgent::close);
            }
            try {
                if (directory != null) {
                    directory.close();
                }
            } finally {
                memory.forEach(PartitionStore::close);
            }
        } catch (Exception e) {
            Reprise.LOG.error("Resources of a failed opening could not be given back", e);
        }
    }

    /** Runs the transaction that a snapshot begins with; doesn't wait for it. */
    private void begin(Snapshots.SnapshotBeginning beginning) {
        Execution execution = new Execution(new Arguments())
                .prepare(
                        beginning.work(),
                        ended -> {
                            if (!ended.outcome().succeeded()) {
                                beginning.refused().accept(ended.outcome().message());
                            }
                        },
                        0);
        calls.submit(execution);
    }

    EngineSettings settings() {
        return settings;
    }

    EngineMeters meters() {
        return meters;
    }

    EngineSchema schema() {
        return schema;
    }

    SiteThreads threads() {
        return threads;
    }

    Recovered recovered() {
        return recovered;
    }

    Persistence persistence() {
        return persistence;
    }

    ClusterNode cluster() {
        return cluster;
    }

    RebuildAgent rebuild() {
        return rebuild;
    }

    AutomaticRebuild automaticRebuild() {
        return automatic;
    }

    RowExchange exchange() {
        return exchange;
    }

    Optional<BucketRepair> repair() {
        return Optional.ofNullable(repair);
    }

    Sites sites() {
        return sites;
    }

    Calls calls() {
        return calls;
    }

    Tapes tapes() {
        return tapes;
    }
}
