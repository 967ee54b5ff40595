package io.reprise.node;

import io.reprise.catalog.Catalog;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Invocation;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

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
    private static final int STALE_RETRIES = 10;

    private final Options options;
    private final SiteThreads threads;
    private final Sites sites;
    private final List<PartitionStore> stores = new ArrayList<>();
    private final AdHocStatements adHoc;
    private final Object schemaLock = new Object();
    private final StatementCollector statements = new StatementCollector();
    private ProcedureSources sources;
    private final AtomicReference<Schema> schema = new AtomicReference<>(Schema.empty());
    private final AtomicBoolean closing = new AtomicBoolean();

    Reprise(Options options) {
        this.options = options;
        adHoc = new AdHocStatements(options.adHocStatements);
        sources = new ProcedureSources(options.jars, options.classLoaders());
        BucketMap buckets = BucketMap.dealt(options.partitions);
        threads = new SiteThreads(options);
        try {
            for (int i = 0; i < options.partitions; i++) {
                stores.add(StoreOptions.open(i, buckets, options.memoryPerPartition));
            }
            sites = new Sites(options.sites, buckets, stores, threads.wakers(), options.clock, options.gate);
            threads.watch(sites.partitions(), statements.monitor());
            SchemaChange first = SchemaChange.prepare(schema.get(), options.script(), sources.open(), statements);
            first.apply(sites.partitions(), options.clock.epochMicros());
            schema.set(first.after());
            threads.start(sites);
        } catch (RuntimeException | Error failure) {
            threads.close();
            stores.forEach(PartitionStore::close);
            throw failure;
        }
    }

    /**
     * Runs a procedure and waits for the end of its transaction.
     *
     * @return what it returned
     * @throws ProcedureException if the transaction did not commit
     */
    public Response call(String procedure, Object... arguments) {
        return execute(() -> work(procedure), arguments).orThrow();
    }

    /** Runs a procedure; the future gives the outcome, also of a transaction that did not commit. */
    public CompletableFuture<Response> callAsync(String procedure, Object... arguments) {
        FutureReply reply = new FutureReply(options.replies, this::answer);
        Invocation invocation = new Invocation(Arguments.of(arguments)).prepare(work(procedure), reply, 0);
        threads.expect(reply);
        submit(invocation);
        return reply.future();
    }

    /**
     * Runs a statement as a transaction of its own; its plan is kept for the next time.
     *
     * @return the rows of a query, the count of a write
     */
    public Response sql(String text, Object... arguments) {
        return execute(() -> statement(text), arguments).orThrow();
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
            change(SchemaChange.prepare(schema.get(), script, sources.open(), statements));
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
            change(SchemaChange.prepare(schema.get(), script, loaders, statements, loaders::inNewestJar));
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

    /** Which partition holds which bucket. */
    public BucketMap buckets() {
        return sites.buckets();
    }

    /** What the engine holds and has done. */
    public Stats stats() {
        List<Stats.PartitionStats> partitions = new ArrayList<>();
        Catalog[] at = new Catalog[1];
        administer("stats", () -> {
            at[0] = schema.get().catalog();
            partitions.addAll(StoreOptions.stats(at[0], sites.partitions()));
        });
        return new Stats(List.copyOf(partitions));
    }

    /** A hash of everything that each partition holds, whatever the order and the places of the rows. */
    public long[] contentHashes() {
        long[] hashes = new long[stores.size()];
        administer("content hash", () -> {
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

    /** Ends the engine: calls under way are finished, new ones refused; then threads end and memory is given back. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        for (int site = 0; site < sites.count() && threads.isAlive(); site++) {
            finishCalls(site);
        }
        threads.close();
        stores.forEach(PartitionStore::close);
    }

    /** Waits until what had been sent to this site's initiator has run: a transaction behind it has. */
    private void finishCalls(int site) {
        CallerReply reply = new CallerReply();
        Invocation last = new Invocation(new Arguments()).prepare(new AdministrationWork("close", () -> {}), reply, 0);
        last.work().route(last, sites.buckets());
        while (!sites.initiator(site).offer(last)) {
            if (!threads.isAlive()) {
                return;
            }
            threads.makeRoom();
        }
        threads.await(reply);
    }

    private void change(SchemaChange change) {
        long nowMicros = options.clock.epochMicros();
        administer("schema change", () -> {
            change.apply(sites.partitions(), nowMicros);
            adHoc.retireAll();
        });
        schema.set(change.after());
    }

    private void administer(String name, Runnable action) {
        execute(() -> new AdministrationWork(name, action)).orThrow();
    }

    private Response execute(Supplier<? extends Work> work, Object... arguments) {
        if (threads.isSiteThread()) {
            throw new IllegalStateException(
                    "a site's thread can't wait for the engine, which waits for that thread: use"
                            + " callAsync, or a ClientPort of the site");
        }
        Invocation invocation = null;
        for (int attempt = 0; attempt < STALE_RETRIES; attempt++) {
            CallerReply reply = new CallerReply();
            invocation = new Invocation(Arguments.of(arguments)).prepare(work.get(), reply, 0);
            submit(invocation);
            if (!threads.await(reply)) {
                throw new ProcedureException(
                        ErrorCode.SHUTTING_DOWN,
                        "the engine ended before " + invocation.work().name()
                                + " was answered; whether it ran is unknown" + whyEnded());
            }
            if (!invocation.stale()) {
                break;
            }
        }
        return answer(invocation);
    }

    /** What the caller gets; who was refused because the engine ends learns why it does. */
    private Response answer(Invocation invocation) {
        if (invocation.error() == ErrorCode.SHUTTING_DOWN) {
            invocation.fail(ErrorCode.SHUTTING_DOWN, invocation.message() + whyEnded());
        }
        return new Response(invocation);
    }

    /** Checks and routes a call and sends it to the initiator of a site that takes part. */
    private void submit(Invocation invocation) {
        if (closing.get() || !threads.isAlive()) {
            invocation.refuse(ErrorCode.SHUTTING_DOWN, "the engine is closed; the call was not run");
            return;
        }
        send(invocation);
    }

    private void send(Invocation invocation) {
        try {
            invocation.work().checkArguments(invocation);
            invocation.work().route(invocation, sites.buckets());
        } catch (ProcedureException refusal) {
            invocation.refuse(refusal.code(), refusal.getMessage());
            return;
        }
        int site = invocation.participant(0);
        if (!sites.initiator(site).offer(invocation)) {
            invocation.refuse(
                    ErrorCode.OVERLOADED,
                    options.sites.inboundCapacity() + " calls wait for partition " + site
                            + " already; try again later");
        }
    }

    private String whyEnded() {
        return threads.failure().map(f -> ": " + f).orElse("");
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
                adHoc.add(text, work);
            }
            return work;
        }
    }
}
