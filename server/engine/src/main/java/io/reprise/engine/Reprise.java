package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.Topology;
import io.reprise.engine.replication.SchemaCall;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.SlowTransaction;
import io.reprise.execution.Work;
import io.reprise.execution.durable.adaptive.LoggingStats;
import io.reprise.execution.work.StatementWork;
import io.reprise.log.LogStats;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildAgent;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentHangsException;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.sql.parse.CreateTableAs;
import io.reprise.sql.plan.StatementTraits;
import io.reprise.storage.PartitionStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine as a library: opened from DDL and procedure classes, called from any thread, closed at the end.
 *
 * <p>{@link #call} runs a procedure and waits for its answer, {@link #callAsync} does not wait; {@link #sql} runs a
 * statement as a transaction of its own. Failures are {@link CallException}s, whose code says whether trying again
 * may help. {@link #ddl} changes schema and procedures while transactions run.
 *
 * <p>Thread-safe. Callers wait on their own threads; the engine's threads never wait for a caller.
 */
public final class Reprise implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger("io.reprise.engine");

    private final EngineSettings settings;
    private final EngineMeters meters;
    private final SiteThreads threads;
    private final Sites sites;
    private final Calls calls;
    private final Sequences sequences;
    private final Tapes tapes;
    private final Persistence persistence;
    private final RecoveryReport recovery;

    /** Loads rows while the engine serves; empty if all were loaded before. */
    private final Optional<BucketLoadAgent> load;

    /** Empty without a directory, and in a cluster. */
    private final Optional<RebuildAgent> rebuilds;

    private final Optional<AutomaticRebuild> automaticRebuild;

    /** Empty if buckets can't be repaired. */
    private final Optional<BucketRepair> repair;

    private final RowExchange exchange;

    private final List<PartitionStore> stores;
    private final EngineSchema schema;

    /** Null if the engine serves alone. */
    private final ClusterNode cluster;

    /** Known before the directory is given up. */
    private volatile Optional<String> lost = Optional.empty();

    /** An engine of parts that are running. */
    Reprise(Opening opened) {
        settings = opened.settings();
        threads = opened.threads();
        meters = opened.meters();
        sites = opened.sites();
        calls = opened.calls();
        tapes = opened.tapes();
        persistence = opened.persistence();
        recovery = opened.recovered().report();
        load = opened.recovered().load();
        rebuilds = Optional.ofNullable(opened.rebuild());
        automaticRebuild = Optional.ofNullable(opened.automaticRebuild());
        repair = opened.repair();
        exchange = opened.exchange();
        stores = opened.recovered().stores();
        schema = opened.schema();
        sequences = new Sequences((text, arguments) ->
                calls.run(() -> schema.statement(text), arguments).orThrow());
        cluster = opened.cluster();
        if (cluster != null) {
            cluster.loads()
                    .ownBy(() -> threads.partitionMetrics().stream()
                            .map(EngineMetrics.PartitionMetrics::bucketLoad)
                            .toList());
        }
    }

    /** Counts of the rows that are loaded while the engine serves; empty if all were loaded before it opened. Any thread. */
    public Optional<LoadStats> load() {
        return load.map(BucketLoadAgent::stats);
    }

    /** Whether every row is there. */
    private boolean isLoaded() {
        return load.map(agent -> agent.stats().ready() == agent.stats().buckets())
                        .orElse(true)
                && rebuildStats().flatMap(RebuildStats::present).isEmpty();
    }

    /**
     * Rebuilds a partition whose content is in doubt from the newest snapshot and the log, and waits for the end. Its calls wait meanwhile, as do
     * calls without a partitioning value; all others are served. Only for an engine with a directory that serves alone.
     */
    public RebuildReport rebuild(int partition) {
        try {
            return calls.await("the rebuild", rebuildAsync(partition));
        } catch (CompletionException e) {
            throw new IllegalStateException(
                    "partition " + partition + " could not be rebuilt: "
                            + e.getCause().getMessage(),
                    e.getCause());
        }
    }

    /** The same without waiting. The future fails if the rebuild does. Any thread. */
    public CompletableFuture<RebuildReport> rebuildAsync(int partition) {
        if (rebuilds.isEmpty()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    cluster == null
                            ? "the engine has no directory from which a partition could be rebuilt"
                            : "a node of a cluster rebuilds no partition: stop the node, and start it again with an empty directory");
        }
        if (partition < 0 || partition >= stores.size()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the partitions have the numbers 0 to " + (stores.size() - 1) + ", not " + partition);
        }
        if (load.isPresent() && !load.get().stats().isOver()) {
            throw new ProcedureException(
                    ErrorCode.PARTITION_UNAVAILABLE,
                    "rows are still loaded after the start; try again when they are there");
        }
        CompletableFuture<RebuildReport> report = exchange.rebuild(
                () -> rebuilds.get().rebuild(partition, sites.buckets().buckets(partition)));
        if (report == null) {
            throw new ProcedureException(
                    ErrorCode.PARTITION_UNAVAILABLE, "a bucket is being repaired; try again when it serves");
        }
        return report;
    }

    /** The state of rebuilds; empty for an engine without a directory, and in a cluster. Any thread. */
    public Optional<RebuildStats> rebuildStats() {
        return rebuilds.map(RebuildAgent::stats);
    }

    /** The nodes and leaders of the cluster; empty if the engine serves alone, or knows no map yet. Any thread. */
    public Optional<Topology> topology() {
        return Optional.ofNullable(cluster).map(ClusterNode::topology);
    }

    /** The listener is told of each new topology, on the cluster's thread. Only for a node of a cluster. */
    public void onTopology(Consumer<Topology> listener) {
        cluster.onTopology(listener);
    }

    /**
     * Rebuilds the rows of a bucket from a snapshot and the log behind it, and puts them in the place of those that are there, while the
     * other buckets serve. Calls of the bucket wait, and calls that are confined to no buckets. Waits for the end; the report says how
     * it went. Only for an engine with a directory that serves alone.
     */
    public RepairReport repair(int bucket) {
        if (repair.isEmpty()) {
            throw new IllegalStateException(
                    "a bucket is repaired from a snapshot and the log of a node that serves alone; "
                            + (cluster == null
                                    ? "this engine has no directory"
                                    : "a replica gets its rows from its leader"));
        }
        int count = sites.buckets().buckets().count();
        if (bucket < 0 || bucket >= count) {
            throw new IllegalArgumentException(
                    "there is no bucket " + bucket + ": they are numbered from 0 to " + (count - 1));
        }
        CompletableFuture<RepairReport> report =
                exchange.repair(() -> repair.get().repair(bucket));
        if (report == null) {
            throw new ProcedureException(
                    ErrorCode.PARTITION_UNAVAILABLE, "a partition is being rebuilt; try again when it serves");
        }
        return calls.await("the repair", report);
    }

    /** Repairs of damaged buckets that no operator asked for; empty if buckets can't be repaired. Any thread. */
    public Optional<AutomaticRepair.Counts> automaticRepairs() {
        return repair.map(BucketRepair::automatic);
    }

    /** Rebuilds that no operator asked for, and partitions in doubt; empty if partitions can't be rebuilt. Any thread. */
    public Optional<AutomaticRebuild.Counts> automaticRebuilds() {
        return automaticRebuild.map(AutomaticRebuild::counts);
    }

    /** The state of this node's replicas; empty if the engine serves alone. Any thread. */
    public List<ReplicaStatus> replicas() {
        return cluster == null ? List.of() : cluster.replicas();
    }

    /** Changes settings while transactions go on. Any thread. */
    public void change(RunningSettings settings) {
        threads.timeLimit(settings.timeLimit().toNanos());
        meters.slow().limit(settings.slowAfter().toNanos());
        if (persistence != null) {
            persistence.snapshots().schedule(settings.snapshotEvery().toMillis(), settings.snapshotAfterLog());
        }
    }

    /**
     * Makes a snapshot of this moment, while transactions go on, and waits until it is on disk or has failed; the report
     * says which. Only for an engine with a directory.
     */
    public SnapshotReport snapshot() {
        CompletableFuture<SnapshotReport> report = requestSnapshot();
        boolean told = threads.await(report);
        if (!told && threads.isAlive()) {
            throw calls.unanswered("the snapshot");
        }
        if (!told || !report.join().succeeded() && threads.failure().isPresent()) {
            throw new ProcedureException(
                    ErrorCode.SHUTTING_DOWN, "the engine ended before the snapshot was complete" + threads.whyEnded());
        }
        return report.join();
    }

    /** Asks for a snapshot without waiting for it. */
    CompletableFuture<SnapshotReport> requestSnapshot() {
        if (persistence == null) {
            throw new IllegalStateException("the engine has no directory to put snapshots into");
        }
        return persistence.snapshots().request();
    }

    /**
     * Makes a snapshot of this moment and copies it into a new folder, from which {@link Backup#restore} makes a new data
     * directory; waits until the copy is durable. Only for an engine with a directory.
     */
    public void backup(Path folder) {
        SnapshotReport report = snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("there is no backup, because the snapshot failed: " + report.problem());
        }
        persistence.backUp(report.transactionId(), folder);
    }

    /**
     * Runs a procedure and waits for the end of its transaction.
     *
     * @return its result
     * @throws CallException if the transaction did not commit
     */
    public Reply call(String procedure, Object... arguments) {
        return CallException.of(
                () -> calls.run(() -> schema.procedure(procedure), arguments).orThrow());
    }

    /** The same within limits. */
    public Reply callWithin(RunLimits limits, String procedure, Object... arguments) {
        return CallException.of(() ->
                calls.run(limits, () -> schema.procedure(procedure), arguments).orThrow());
    }

    /**
     * Runs a procedure with the arguments as they are now; the future gives the outcome, also of a transaction that did not
     * commit.
     */
    public CompletableFuture<Reply> callAsync(String procedure, Object... arguments) {
        return calls.start(() -> schema.procedure(procedure), arguments);
    }

    /**
     * Runs a statement as a transaction of its own; its plan is kept for the next time.
     *
     * @return the rows of a query, the count of a write
     * @throws CallException if the transaction did not commit
     */
    public Reply sql(String text, Object... arguments) {
        return CallException.of(() -> calls.run(() -> schema.statement(text), filled(text, null, arguments))
                .orThrow());
    }

    /** Runs a statement; the future gives the outcome, also of a transaction that did not commit. */
    public CompletableFuture<Reply> sqlAsync(String text, Object... arguments) {
        return calls.start(() -> schema.statement(text), filled(text, null, arguments));
    }

    /**
     * The arguments of a statement with the values of sequences that it takes, which are drawn. Statements of a session's transaction
     * run more than once, with the same values.
     *
     * @param session the values that the session has drawn; null: there is no session
     */
    public Object[] filled(String text, DrawnValues session, Object... arguments) {
        return sequences.filled(schema.statement(text).traits(), session, arguments);
    }

    /**
     * The same within limits: a query that finds more than its largest result is ended with RESULT_TOO_LARGE as soon as that is
     * certain, and not when it has collected everything.
     */
    public Reply sqlWithin(RunLimits limits, String text, Object... arguments) {
        return calls.run(limits, () -> schema.statement(text), filled(text, null, arguments))
                .orThrow();
    }

    /**
     * Starts a statement that has been planned, within limits and without waiting. A change of the schema that overtakes it ends it,
     * with {@link Reply#isOvertaken}.
     *
     * @param replies completes the future; its tasks are short
     * @return empty: the statement has to be planned, or draws from sequences, so that only a thread that may wait can run it
     */
    public Optional<CompletableFuture<Reply>> start(
            RunLimits limits, Executor replies, String text, Object... arguments) {
        Optional<StatementWork> planned = schema.planned(text);
        return planned.isEmpty() || !planned.get().traits().sequences().isEmpty()
                ? Optional.empty()
                : Optional.of(calls.startOnce(limits, replies, planned.get(), arguments));
    }

    /** The partition that a statement needs first with these arguments. */
    public int partitionOf(String text, Object... arguments) {
        return calls.partitionOf(schema.statement(text), filled(text, null, arguments));
    }

    /** Whether a statement changes nothing. Plans it, if it has not been run before. */
    public boolean readsOnly(String text) {
        return !schema.statement(text).traits().hasEffect();
    }

    /** Whether a statement has been planned for the schema as it is now. */
    public boolean isPlanned(String text) {
        return schema.isPlanned(text);
    }

    /** Plans a statement, unless its client is gone. Returns whether it changes nothing. */
    public boolean plan(String text, BooleanSupplier wanted) {
        return !schema.statement(text, wanted).traits().hasEffect();
    }

    /** Plans a statement, unless its client is gone. Returns its parameters and columns. */
    public StatementShape shape(String text, BooleanSupplier wanted) {
        StatementTraits traits = schema.statement(text, wanted).traits();
        return new StatementShape(
                traits.parameters().subList(0, traits.givenParameters()),
                traits.returnsRows() ? traits.output() : List.of(),
                !traits.hasEffect());
    }

    /**
     * Runs the steps of a session's transaction in one go and compares known answers. Waits for the end; a failure is in the reply.
     *
     * @param preview whether it is rolled back at its end
     * @param nowMicros the time that its statements see; 0: its transaction's
     * @param key of the hashes of results
     */
    public TapeReply tape(List<TapeStep> steps, boolean preview, long nowMicros, long key, RunLimits limits) {
        return tapes.run(steps, preview, nowMicros, key, limits);
    }

    /**
     * Starts a session's transaction without waiting; an executor, whose tasks are short, completes the future. Empty: a statement is not
     * planned, or draws values of a sequence, which takes a thread that may wait. A change of the schema may overtake it; it is not run then.
     */
    public Optional<CompletableFuture<TapeReply>> startTape(
            RunLimits limits, Executor replies, List<TapeStep> steps, boolean preview, long nowMicros, long key) {
        return tapes.startOnce(limits, replies, steps, preview, nowMicros, key);
    }

    /** The same without waiting, and as a transaction that is kept. */
    public CompletableFuture<TapeReply> tapeAsync(List<TapeStep> steps, long key, RunLimits limits) {
        return tapes.start(steps, false, 0, key, limits);
    }

    /**
     * Runs a statement for many rows, in batches; see {@link Batches}. Plans it, if it has not been run before.
     *
     * @param session the values of sequences that the session has drawn; null: there is no session
     */
    public Batches batches(RunLimits limits, String text, DrawnValues session) {
        return new Batches(schema, calls, sequences, session, limits, text);
    }

    /** The plan of a statement, and the partitions that would run it. */
    public String explain(String text) {
        return schema.explain(text);
    }

    /**
     * Changes the schema or the procedures by a script of DDL statements: all of it or nothing, between two transactions
     * at all partitions. CREATE TABLE ... AS stands alone, and its rows are inserted by a transaction of their own.
     *
     * @throws CallException if the schema has not changed
     */
    public void ddl(String script) {
        change(script);
    }

    /**
     * The same.
     *
     * @return the number of rows of a table that is made from a query; -1 for other changes
     */
    public long change(String script) {
        return CallException.of(() -> {
            Optional<CreateTableAs> table = CreateTableAs.of(script, catalog());
            if (table.isPresent()) {
                return new TableFromQuery(this, table.get()).make();
            }
            schema.change(script);
            return -1L;
        });
    }

    /** Changes the schema by a script that makes no table from a query. */
    void changeSchema(String script) {
        schema.change(script);
    }

    /**
     * Adds a jar of procedure classes and runs a script that declares them. Procedures that were declared before and whose
     * classes the jar has are replaced by the jar's.
     */
    public void deploy(byte[] jar, String script) {
        CallException.of(() -> {
            schema.deploy(jar, script);
            return null;
        });
    }

    /**
     * Begins a change of the schema of a cluster; the future gives its end. A change that had no effect because of the moment, with
     * {@link ErrorCode#PARTITION_UNAVAILABLE}, may be tried again. For a scheduler that steps this engine.
     */
    public CompletableFuture<SchemaCall.Ended> ddlAsync(String script) {
        return schema.begin(script);
    }

    /** The schema at this moment. */
    public Catalog catalog() {
        return schema.catalog();
    }

    /** A deployed procedure, for use with a site's {@link io.reprise.txn.initiator.ClientPort}. */
    public Work procedure(String name) {
        return schema.procedure(name);
    }

    /** All deployed procedures as they are now, by name, whatever the case of its letters. */
    public Map<String, Work> procedures() {
        return schema.procedures();
    }

    /** The message for a procedure that is not deployed, with the nearest name that is. */
    public String noProcedure(String name) {
        return schema.noProcedure(name);
    }

    /** The partitions' stores, for tests without threads. */
    List<PartitionStore> stores() {
        return stores;
    }

    /** The partition of each bucket. */
    public BucketMap buckets() {
        return sites.buckets();
    }

    /** The site that runs a partition. */
    public int siteOf(int partition) {
        return sites.siteOf(partition);
    }

    /** Counts of the engine's content and work. */
    public Stats stats() {
        List<Stats.PartitionStats> partitions = new ArrayList<>();
        Catalog[] at = new Catalog[1];
        calls.administerWithoutRows("stats", () -> {
            at[0] = schema.catalog();
            partitions.addAll(StoreOptions.stats(at[0], sites.partitions()));
        });
        return new Stats(List.copyOf(partitions), durabilityStats());
    }

    /**
     * The state of log, snapshots and recovery; empty without a directory. Waits for nothing, so it answers too when the
     * log can't be written.
     */
    public Optional<DurabilityStats> durabilityStats() {
        return Optional.ofNullable(persistence).map(p -> p.stats(recovery));
    }

    /**
     * The logging of a procedure and its reasons; empty if there is no such procedure, or the method is not adaptive. Any thread.
     *
     * @param distributed of its transactions with several partitions
     */
    public Optional<LoggingStats> loggingStats(String procedure, boolean distributed) {
        Work work = procedures().get(procedure);
        return work == null || persistence == null
                ? Optional.empty()
                : persistence.loggingStats(work.version(), distributed);
    }

    /** The bytes that the adaptive method has added to the log. Any thread. */
    public long adaptiveBytes() {
        return persistence == null ? 0 : persistence.adaptiveBytes();
    }

    /** The expected time of a recovery if the engine stopped now; empty without a directory. Any thread. */
    public Optional<RecoveryForecast> recoveryForecast() {
        return Optional.ofNullable(persistence).map(Persistence::forecast);
    }

    /** The state of the objective for the time of recoveries; empty without one. Any thread. */
    public Optional<ObjectiveState> objective() {
        return Optional.ofNullable(persistence).flatMap(Persistence::objective).map(ObjectiveAgent::state);
    }

    /** The state of the sorted log, if the log is sorted. Any thread. */
    public Optional<SortedLogStats> sortedLog() {
        return Optional.ofNullable(persistence).flatMap(Persistence::sortedLog);
    }

    /** Counts of the footprints that were logged; empty without a directory, or if none are collected. Any thread. */
    public Optional<FootprintStats> footprintStats() {
        return Optional.ofNullable(persistence).flatMap(Persistence::footprintStats);
    }

    /** The work of the recovery when the engine was opened; all zeros for a new database. */
    public RecoveryReport recovery() {
        return recovery;
    }

    /** The work of the log's writer since the engine was opened; empty for an engine without a directory. */
    public Optional<LogStats> logStats() {
        return Optional.ofNullable(persistence).map(p -> p.writer().stats());
    }

    /** The measurements since the engine was opened. Waits for nothing. */
    public EngineMetrics metrics() {
        return new EngineMetrics(
                meters.procedures(),
                threads.partitionMetrics(),
                threads.reservedHugePages(),
                meters.refused(),
                meters.slowUntold(),
                logStats().map(log -> new EngineMetrics.LogMetrics(log.flushTimes())),
                durabilityStats());
    }

    /** The last transactions that took longer than {@link Options#slowAfter}, the oldest first. */
    public List<SlowTransaction> slowTransactions() {
        return threads.slowTransactions();
    }

    /**
     * Begins to withdraw from the cluster, before a stop: leaderships go to in-sync followers on other nodes, and the leaders
     * remove this node from the in-sync sets. Calls go on meanwhile. Any thread.
     */
    public void leaveCluster() {
        if (cluster != null) {
            cluster.leave();
        }
    }

    /** Whether no other node of the cluster can take over anything from this one. Any thread. */
    public boolean hasLeftCluster() {
        return cluster == null || cluster.hasLeft();
    }

    /**
     * Leaders of this node hand over to the first holders of their partitions, if those are in sync.
     * Any thread.
     */
    public void balanceLeaders() {
        if (cluster != null) {
            cluster.balance();
        }
    }

    /**
     * Brings an operation into the map of the cluster: its nodes or the places of its replicas change. Any thread.
     *
     * @return the map behind the operation, or the {@link MapOperation.RefusedException}; without contact with the membership
     *     service it waits
     */
    public CompletableFuture<PartitionMap> operate(MapOperation operation) {
        if (cluster == null) {
            throw new MapOperation.RefusedException("this node serves alone");
        }
        return cluster.operate(operation);
    }

    /** The loads of buckets over the nodes of the cluster; empty if the engine serves alone. Any thread. */
    public Optional<ClusterLoad> clusterLoad() {
        return Optional.ofNullable(cluster).map(node -> node.loads().now());
    }

    /**
     * Buckets of the cluster are to go to other partitions, which their leaders do one after the other. Any thread.
     *
     * @param goals the partition that is to have each bucket
     * @return as of {@link #operate}
     */
    public CompletableFuture<PartitionMap> moveBuckets(SortedMap<Integer, Integer> goals) {
        if (cluster == null) {
            throw new MapOperation.RefusedException("this node serves alone");
        }
        return cluster.moveBuckets(goals);
    }

    /**
     * Makes a consistent cut over all partitions of the cluster. All that was acknowledged before has an id below the cut's, and
     * each in-sync replica has the cut on stable storage. Any thread.
     */
    public CompletableFuture<Long> cut() {
        if (cluster == null) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, "this node serves alone");
        }
        return cluster.cut();
    }

    /** The partitions by slot, for works that hold them all. */
    List<Partition> partitions() {
        return sites.partitions();
    }

    /** Runs an action while it holds all partitions. */
    void administer(String name, Runnable action) {
        calls.administer(name, action);
    }

    /** Why something that was answered is lost; empty as long as closing has not found that. Any thread. */
    public Optional<String> lost() {
        return lost;
    }

    /** Why the engine has ended by itself; empty while it works, and when it was closed. */
    public Optional<String> failure() {
        return threads.failure();
    }

    /** A hash of everything that each partition holds, whatever the order and the places of the rows. */
    public long[] contentHashes() {
        long[] hashes = new long[stores.size()];
        calls.administer("content hash", () -> {
            for (int i = 0; i < hashes.length; i++) {
                hashes[i] = stores.get(i).contentHash();
            }
        });
        return hashes;
    }

    /**
     * With {@link Options.Threads#CALLER}: the agents that move this engine, already started. A scheduler steps them instead
     * of the callers, among the agents of other engines; then only calls that do not wait make sense.
     */
    public List<Agent> agents() {
        return threads.agents();
    }

    /** With {@link Options.Threads#CALLER}: lets all sites work until there is nothing left to do. */
    public void runSites() {
        threads.runUntil(() -> false);
    }

    /**
     * Ends the engine: calls under way are finished, new ones refused; then threads end and memory is given back. Answered
     * calls are durable even if this throws, unless the log is asynchronous. It throws in two cases: {@link IllegalStateException}
     * if the engine failed while it ended, or an asynchronous log could not be written to its end, when everything has been given
     * back; {@link AgentHangsException} if a thread doesn't end within ten
     * seconds, when memory and directory stay in use until the process ends.
     */
    @Override
    public void close() {
        boolean failedBefore = threads.failure().isPresent();
        if (!calls.finish(() -> cluster != null && cluster.schema().isChangeDue())) {
            return;
        }
        // Records from here on are left out, because no caller was told of them. A log that can't be written leaves
        // calls
        // behind.
        long[] answered = persistence == null || persistence.room().isBlocked()
                ? null
                : persistence.room().positions();
        if (persistence != null && settings.durability().stateHash() && threads.isAlive() && isLoaded()) {
            logStateHash();
        }
        threads.close();
        lost = Optional.ofNullable(persistence)
                .flatMap(p -> p.room().whyLost(answered == null ? p.room().positions() : answered));
        try {
            if (persistence != null) {
                closePersistence();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
            load.ifPresent(BucketLoadAgent::close);
            repair.ifPresent(BucketRepair::close);
            stores.forEach(PartitionStore::close);
        }
        threads.failure().filter(why -> !failedBefore).ifPresent(why -> {
            throw new IllegalStateException("the engine failed while it was closed: " + why);
        });
        lost.ifPresent(why -> {
            throw new IllegalStateException(why);
        });
    }

    private void closePersistence() {
        try {
            if (threads.failure().isEmpty()) {
                persistence.endedInOrder();
            }
        } finally {
            persistence.close();
        }
    }

    /** The last record: a hash of the content. It is not waited for when the log can't be written. */
    private void logStateHash() {
        if (cluster != null) {
            // Replicas are at different positions, so their replicated tables may differ for the moment.
            return;
        }
        boolean parallel = settings.hasThreads();
        StateHashWork work = StateHashWork.of(() -> {
            persistence.room().check();
            return StateHash.of(schema.catalog(), stores, parallel);
        });
        calls.runLast(work, () -> !persistence.room().isBlocked())
                .ifPresent(why -> LOG.error("The database's content hash could not be logged: {}", why));
    }
}
