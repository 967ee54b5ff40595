package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Invocation;
import io.reprise.execution.Partition;
import io.reprise.execution.SlowTransaction;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.id.TransactionId;
import io.reprise.log.LogStats;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.AgentHangsException;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine as a library: opened from DDL and procedure classes, called from any thread, closed at the end.
 *
 * <p>{@link #call} runs a procedure and waits for its answer, {@link #callAsync} does not wait; {@link #sql} runs a
 * statement as a transaction of its own. Failures are {@link ProcedureException}s, whose code says whether trying again
 * may help. {@link #ddl} changes schema and procedures while transactions run.
 *
 * <p>Thread-safe. Callers wait on their own threads; the engine's threads never wait for a caller.
 */
public final class Reprise implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.engine");

    private final Options options;
    private final EngineMeters meters;
    private final SiteThreads threads;
    private final Sites sites;
    private final Calls calls;
    private final Persistence persistence;
    private final RecoveryReport recovery;
    private final List<PartitionStore> stores;
    private final AdHocStatements adHoc;
    private final Object schemaLock = new Object();
    private final StatementCollector statements = new StatementCollector();
    private ProcedureSources sources;
    private final AtomicReference<Schema> schema = new AtomicReference<>(Schema.empty());

    Reprise(Options options) {
        this.options = options;
        adHoc = new AdHocStatements(options.adHocStatements);
        BucketMap buckets = BucketMap.dealt(options.partitions);
        meters = new EngineMeters(options);
        threads = new SiteThreads(options, meters, this::catalog);
        FileStore files = options.files == null ? null : options.files.get();
        Recovered recovered = recover(files, buckets);
        stores = recovered.stores();
        recovery = recovered.report();
        Persistence opened = null;
        try {
            opened = files == null ? null : new Persistence(options, files, recovered, threads.wakers());
            persistence = opened;
            // Not before: what committed once has to fit again, whatever the limit was then.
            stores.forEach(store -> store.workMemory().limitTo(options.workMemoryPerPartition()));
            // Not before: a replay takes as long as it takes.
            threads.watch(recovered.partitions(), statements.monitor());
            schema.set(recovered.schema());
            sources = new ProcedureSources(recovered.isNew() ? options.jars : recovered.jars(), options.classLoaders());
            long firstId = TransactionId.next(recovered.lastId(), options.clock.epochMicros(), 0);
            if (recovered.isNew()) {
                makeSchema(recovered.partitions(), firstId);
            }
            meters.measure(schema.get());
            sites = new Sites(
                    options.sites,
                    buckets,
                    recovered.partitions(),
                    threads.wakers(),
                    options.clock,
                    persistence == null
                            ? CommitGate.open(meters.sites())
                            : persistence.gates(recovered.partitions(), meters.sites()),
                    meters.sites(),
                    firstId);
            calls = new Calls(options, threads, sites, Optional.ofNullable(persistence), meters);
            if (persistence != null) {
                persistence.describe(schema.get().catalog(), image(schema.get(), sources));
                persistence.snapshots().runBy(this::begin);
            }
            threads.start(sites, Optional.ofNullable(persistence));
            if (!recovered.isNew()) {
                deployChangedClasses();
            } else if (persistence != null) {
                calls.administer("open", () -> {});
            }
        } catch (RuntimeException | Error failure) {
            threads.close();
            if (opened != null) {
                opened.close();
            } else if (files != null) {
                files.close();
            }
            stores.forEach(PartitionStore::close);
            throw failure;
        }
    }

    private Recovered recover(FileStore files, BucketMap buckets) {
        try {
            return files == null
                    ? Recovered.inMemory(options, buckets, threads.pages())
                    : new Recovery(options, files, buckets, statements, threads.pages()).run();
        } catch (RuntimeException | Error failure) {
            threads.close();
            throw failure;
        }
    }

    private static byte[] image(Schema of, ProcedureSources with) {
        return of.image(with.jars()).encode();
    }

    /** Runs the transaction that a snapshot begins with; doesn't wait for it. */
    private void begin(Snapshots.SnapshotBeginning beginning) {
        Invocation invocation = new Invocation(new Arguments())
                .prepare(
                        beginning.work(),
                        ended -> {
                            if (!ended.succeeded()) {
                                beginning.refused().accept(ended.message());
                            }
                        },
                        0);
        calls.submit(invocation);
    }

    /**
     * Makes a snapshot of this moment, while transactions go on, and waits until it is on disk or has failed; the report
     * says which. Only for an engine with a directory.
     */
    public SnapshotReport snapshot() {
        if (persistence == null) {
            throw new IllegalStateException("the engine has no directory to put snapshots into");
        }
        CompletableFuture<SnapshotReport> report = persistence.snapshots().request();
        if (!threads.await(report)) {
            throw new ProcedureException(
                    ErrorCode.SHUTTING_DOWN, "the engine ended before the snapshot was complete" + threads.whyEnded());
        }
        return report.join();
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

    /** The schema of a new database, made before any transaction runs. */
    private void makeSchema(List<Partition> partitions, long transactionId) {
        SchemaChange first =
                SchemaChange.prepare(schema.get(), options.script(), sources.open(), statements, options.jars);
        if (persistence != null) {
            persistence.checkSize(first.record());
        }
        first.apply(partitions, TransactionId.epochMicros(transactionId));
        schema.set(first.after());
        if (persistence != null) {
            persistence.log(first.record(), transactionId);
        }
    }

    /** The application may have been compiled anew since the procedures it brings were deployed. */
    private void deployChangedClasses() {
        StringBuilder script = new StringBuilder();
        for (Class<?> type : options.procedures) {
            if (!schema.get().runs(type)) {
                script.append("CREATE OR REPLACE PROCEDURE FROM CLASS ")
                        .append(type.getName())
                        .append(";\n");
            }
        }
        if (!script.isEmpty()) {
            ddl(script.toString());
        }
    }

    /**
     * Runs a procedure and waits for the end of its transaction.
     *
     * @return what it returned
     * @throws ProcedureException if the transaction did not commit
     */
    public Response call(String procedure, Object... arguments) {
        return calls.run(() -> work(procedure), arguments).orThrow();
    }

    /** Runs a procedure; the future gives the outcome, also of a transaction that did not commit. */
    public CompletableFuture<Response> callAsync(String procedure, Object... arguments) {
        return calls.start(() -> work(procedure), arguments);
    }

    /**
     * Runs a statement as a transaction of its own; its plan is kept for the next time.
     *
     * @return the rows of a query, the count of a write
     */
    public Response sql(String text, Object... arguments) {
        return calls.run(() -> statement(text), arguments).orThrow();
    }

    /**
     * The same for somebody who can be sent a result of so many bytes at most: a query that finds more is ended with
     * RESULT_TOO_LARGE as soon as that is certain, and not when it has collected everything.
     */
    public Response sqlWithin(long largestResult, String text, Object... arguments) {
        return calls.run(largestResult, () -> statement(text), arguments).orThrow();
    }

    /** Whether a statement changes nothing. Plans it, if it has not been run before. */
    public boolean readsOnly(String text) {
        return statement(text).readOnly();
    }

    /** How a statement would be run: its plan, and in which partitions. */
    public String explain(String text) {
        return StatementPlanner.plan(schema.get().catalog(), text).explanation();
    }

    /**
     * Changes the schema or the procedures by a script of DDL statements: all of it or nothing, between two transactions
     * at all partitions.
     */
    public void ddl(String script) {
        synchronized (schemaLock) {
            change(SchemaChange.prepare(schema.get(), script, sources.open(), statements), sources);
        }
    }

    /**
     * Adds a jar of procedure classes and runs a script that declares them. Procedures that were declared before and whose
     * classes the jar has are replaced by the jar's.
     */
    public void deploy(byte[] jar, String script) {
        synchronized (schemaLock) {
            ProcedureSources with = sources.with(jar.clone());
            ProcedureSources.Loaders loaders = with.open();
            change(SchemaChange.prepare(schema.get(), script, loaders, statements, jar.clone()), with);
            sources = with;
        }
    }

    /** The schema at this moment. */
    public Catalog catalog() {
        return schema.get().catalog();
    }

    /** A deployed procedure, for use with a site's {@link io.reprise.txn.initiator.ClientPort}. */
    public Work procedure(String name) {
        return work(name);
    }

    /** All deployed procedures as they are now, by name, whatever the case of its letters. */
    public Map<String, Work> procedures() {
        return schema.get().works();
    }

    /** Which partition holds which bucket. */
    public BucketMap buckets() {
        return sites.buckets();
    }

    /** What the engine holds and has done. */
    public Stats stats() {
        List<Stats.PartitionStats> partitions = new ArrayList<>();
        Catalog[] at = new Catalog[1];
        calls.administer("stats", () -> {
            at[0] = schema.get().catalog();
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

    /** What opening the engine took; all zeros for a new database. */
    public RecoveryReport recovery() {
        return recovery;
    }

    /** What the log's writer has done since the engine was opened; empty for an engine without a directory. */
    public Optional<LogStats> logStats() {
        return Optional.ofNullable(persistence).map(p -> p.writer().stats());
    }

    /** What has been measured since the engine was opened. Waits for nothing. */
    public EngineMetrics metrics() {
        return new EngineMetrics(
                meters.procedures(),
                threads.partitionMetrics(),
                meters.refused(),
                meters.slowUntold(),
                logStats().map(log -> new EngineMetrics.LogMetrics(log.flushTimes())),
                durabilityStats());
    }

    /** The last transactions that took longer than {@link Options#slowAfter}, the oldest first. */
    public List<SlowTransaction> slowTransactions() {
        return threads.slowTransactions();
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

    /** With {@link Options.Threads#CALLER}: lets all sites work until there is nothing left to do. */
    public void runSites() {
        threads.runUntil(() -> false);
    }

    /**
     * Ends the engine: calls under way are finished, new ones refused; then threads end and memory is given back. What was
     * answered is durable whatever this throws. It does so in two cases: {@link IllegalStateException} if the engine failed
     * while it ended, when everything has been given back; {@link AgentHangsException} if a thread doesn't end within ten
     * seconds, when memory and directory stay in use until the process ends.
     */
    @Override
    public void close() {
        boolean failedBefore = threads.failure().isPresent();
        if (!calls.finish()) {
            return;
        }
        if (persistence != null && options.durability.stateHash() && threads.isAlive()) {
            logStateHash();
        }
        threads.close();
        try {
            if (persistence != null) {
                persistence.close();
            }
        } finally {
            stores.forEach(PartitionStore::close);
        }
        threads.failure().filter(why -> !failedBefore).ifPresent(why -> {
            throw new IllegalStateException(
                    "the engine failed while it was closed, after everything was answered: " + why);
        });
    }

    /** The last record: what there is. It is not waited for when the log can't be written. */
    private void logStateHash() {
        boolean parallel = options.threads == Options.Threads.SITE;
        StateHashWork work = StateHashWork.of(() -> {
            persistence.checkRoom();
            return StateHash.of(schema.get().catalog(), stores, parallel);
        });
        calls.runLast(work, () -> !persistence.isBlocked())
                .ifPresent(why -> LOG.error("What the database holds could not be noted in the log: {}", why));
    }

    private void change(SchemaChange change, ProcedureSources with) {
        if (persistence != null) {
            persistence.checkWritable();
            persistence.checkSize(change.record());
        }
        byte[] image = persistence == null ? null : image(change.after(), with);
        calls.run(() -> new SchemaChangeWork(change.record(), id -> {
                    if (persistence != null) {
                        persistence.checkRoom();
                    }
                    change.apply(sites.partitions(), TransactionId.epochMicros(id));
                    adHoc.retireAll();
                    meters.measure(change.after());
                    // Published before any partition goes on: a call that is refused as stale finds what it has to
                    // call now.
                    schema.set(change.after());
                    if (persistence != null) {
                        persistence.describe(change.after().catalog(), image);
                    }
                }))
                .orThrow();
    }

    private Work work(String procedure) {
        Map<String, Work> works = schema.get().works();
        return Optional.ofNullable(works.get(procedure))
                .orElseThrow(() -> new ProcedureException(
                        ErrorCode.INVALID_REQUEST,
                        "there is no procedure " + procedure + "; "
                                + (works.isEmpty()
                                        ? "none is deployed"
                                        : "deployed are " + String.join(", ", works.keySet()))));
    }

    private StatementWork statement(String text) {
        synchronized (schemaLock) {
            StatementWork work = adHoc.find(text);
            if (work == null) {
                work = WorkFactory.adHoc(schema.get().catalog(), text);
                work.bind(sites.partitions());
                meters.measureAdHoc(work);
                adHoc.add(text, work);
            }
            return work;
        }
    }
}
