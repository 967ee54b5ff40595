package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Suggestions;
import io.reprise.engine.replication.SchemaCall;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementCollector;
import io.reprise.execution.work.StatementWork;
import io.reprise.id.TransactionId;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables, procedures and ad hoc statements of an engine as they are now, and how they change: by scripts and jars, in
 * transactions that hold all partitions. One change at a time; any thread. A change is there as soon as it has been made, and takes until
 * it is durable. Only its caller waits for that, and the callers of later changes.
 *
 * <pre>
 *  made --begin--> has what was recovered --makeFirst, if it is a new database--> --runIn--> can be changed
 * </pre>
 */
final class EngineSchema {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.schema");
    private static final int LOOK_MS = 100;
    private static final long PATIENCE_NS = 20_000_000_000L;

    private final EngineSettings settings;
    private final EngineMeters meters;
    private final AdHocPlanning planning;
    private final StatementCollector statements;
    private final AtomicReference<Schema> now = new AtomicReference<>(Schema.empty());

    /** Held by the thread that makes a change, until the change is durable. */
    private final ReentrantLock changing = new ReentrantLock();

    private List<byte[]> firstJars = List.of();
    private final AtomicReference<ProcedureSources> sources = new AtomicReference<>();

    private final PreparedChange prepared;

    /** Null on a node that serves alone. */
    private ClusterNode cluster;

    private Optional<Persistence> persistence = Optional.empty();
    private Sites sites;
    private Calls calls;

    EngineSchema(EngineSettings settings, EngineMeters meters) {
        this.settings = settings;
        this.meters = meters;
        statements = new StatementCollector(settings.storage().collectsFootprints());
        planning = new AdHocPlanning(settings, meters, now::get, this::procedure);
        prepared = new PreparedChange(now::get, statements);
    }

    /** The register of procedures' statements. */
    StatementCollector statements() {
        return statements;
    }

    /** Takes on what was recovered. */
    void begin(Recovered recovered, Optional<Persistence> newPersistence) {
        persistence = newPersistence;
        now.set(recovered.schema());
        firstJars = recovered.isNew() ? settings.schema().jars() : List.of();
        sources.set(new ProcedureSources(
                recovered.isNew() ? firstJars : recovered.jars(),
                settings.schema().classLoaders()));
    }

    /** Makes the schema of a new database, before any transaction runs. */
    void makeFirst(List<Partition> partitions, long transactionId) {
        SchemaChange first = SchemaChange.prepare(
                now.get(), settings.schema().script(), sources.get().open(), statements, firstJars);
        persistence.ifPresent(p -> p.room().checkSize(first.record()));
        first.apply(partitions, TransactionId.epochMicros(transactionId));
        now.set(first.after());
        persistence.ifPresent(p -> p.log(first.record(), transactionId));
    }

    /** Says where changes are run from now on. */
    void runIn(Sites newSites, Calls newCalls, ClusterNode newCluster) {
        sites = newSites;
        calls = newCalls;
        cluster = newCluster;
        planning.runIn(sites, persistence);
        persistence.ifPresent(p -> p.describe(catalog(), image()));
    }

    /** All of the schema. Any thread. */
    byte[] image() {
        return image(now.get(), sources.get());
    }

    Schema now() {
        return now.get();
    }

    private static byte[] image(Schema of, ProcedureSources with) {
        return of.image(with.jars()).encode();
    }

    /** A hash of tables, procedures and classes: equal at nodes with the same schema. */
    long hash() {
        byte[] image = image();
        return Memory.hash(MemorySegment.ofArray(image), 0, image.length);
    }

    /** Has everything counted that there is. */
    void measure() {
        meters.measure(now.get());
    }

    Catalog catalog() {
        return now.get().catalog();
    }

    /** All deployed procedures, by name, whatever the case of its letters. */
    Map<String, Work> procedures() {
        return now.get().works();
    }

    Work procedure(String name) {
        Map<String, Work> works = procedures();
        return Optional.ofNullable(works.get(name))
                .orElseThrow(() -> new ProcedureException(
                        ErrorCode.INVALID_REQUEST,
                        noProcedure(name)
                                + (works.isEmpty()
                                        ? "; none is deployed"
                                        : "; deployed are " + String.join(", ", works.keySet()))));
    }

    /** The message for a procedure that is not deployed, with the nearest name that is. */
    String noProcedure(String name) {
        return "there is no procedure " + name
                + Suggestions.didYouMean(name, procedures().keySet());
    }

    /** A statement that is a transaction of its own; planned when it comes for the first time. */
    StatementWork statement(String text) {
        return planning.statement(text);
    }

    /** The same as {@link #statement}, given up when its client is gone. */
    StatementWork statement(String text, BooleanSupplier wanted) {
        return planning.statement(text, wanted);
    }

    /** A statement that has been planned for the tables as they are now. */
    Optional<StatementWork> planned(String text) {
        return planning.planned(text);
    }

    /** Whether a statement has been planned for the tables as they are now. */
    boolean isPlanned(String text) {
        return planning.isPlanned(text);
    }

    String explain(String text) {
        return planning.explain(text);
    }

    /** The application may have been compiled anew since the procedures it brings were deployed. */
    void deployChangedClasses() {
        StringBuilder script = new StringBuilder();
        for (Class<?> type : settings.schema().procedures()) {
            if (!now.get().has(type)) {
                script.append("CREATE OR REPLACE PROCEDURE FROM CLASS ")
                        .append(type.getName())
                        .append(";\n");
            }
        }
        if (!script.isEmpty()) {
            change(script.toString());
        }
    }

    /** The operator learns what can't be called any more. */
    void warnOfRefused() {
        now.get()
                .refused()
                .forEach((name, refused) -> LOG.warn(
                        "Procedure {} was deployed earlier, and this version of the server can't run it: {}. Calls of it are refused"
                                + " until it is deployed anew; or DROP it.",
                        name,
                        refused.reason()));
    }

    /** Runs a script: all of it or nothing. */
    void change(String script) {
        alone(() -> change(
                () -> SchemaChange.prepare(now.get(), script, sources.get().open(), statements), sources.get()));
    }

    /** Adds a jar of procedure classes, and runs a script that declares them. */
    void deploy(byte[] jar, String script) {
        alone(() -> {
            ProcedureSources with = sources.get().with(jar.clone());
            change(() -> SchemaChange.prepare(now.get(), script, with.open(), statements, jar.clone()), with);
        });
    }

    /** One change at a time. Behind one that waits for a log that can't be written, the next is refused. */
    private void alone(Runnable change) {
        while (!isAlone()) {
            persistence.ifPresent(p -> p.room().checkWritable());
        }
        try {
            change.run();
        } finally {
            changing.unlock();
        }
    }

    private boolean isAlone() {
        try {
            return changing.tryLock(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another change of the schema was under way", e);
        }
    }

    private void change(Supplier<SchemaChange> preparation, ProcedureSources with) {
        if (cluster == null) {
            change(preparation.get(), with);
        } else {
            changeEverywhere(preparation);
        }
    }

    private void change(SchemaChange change, ProcedureSources with) {
        persistence.ifPresent(p -> p.room().checkWritable());
        long bytes = persistence.map(p -> p.room().checkSize(change.record())).orElse(0L);
        byte[] image = persistence.isPresent() ? image(change.after(), with) : null;
        calls.run(() -> new SchemaChangeWork(change.record(), id -> {
                    persistence.ifPresent(p -> p.room().check(bytes));
                    install(change, 0, TransactionId.epochMicros(id));
                    sources.set(with);
                    persistence.ifPresent(p -> p.schemaChanged(change.after().catalog(), image));
                }))
                .orThrow();
    }

    /** While all partitions are held. */
    private void install(SchemaChange change, long transaction, long micros) {
        planning.exclude(() -> {
            change.apply(sites.partitions(), micros);
            planning.retireAll();
            meters.measure(change.after());
            // The schema is published before any partition goes on, so a call that is refused as stale finds the new
            // version.
            now.set(change.after().madeBy(transaction));
        });
    }

    // ---- In a cluster

    /** Makes the change at all nodes. A change without effect is tried again for some time. */
    private void changeEverywhere(Supplier<SchemaChange> preparation) {
        long begun = settings.clock().nanoTime();
        while (true) {
            SchemaCall.Ended ended = calls.await("the change of the schema", begin(preparation));
            if (ended.end() == SchemaCall.End.MADE) {
                return;
            }
            boolean again = ended.code() == ErrorCode.PARTITION_UNAVAILABLE
                    && settings.hasThreads()
                    && settings.clock().nanoTime() - begun < PATIENCE_NS;
            if (!again) {
                throw new ProcedureException(ended.code(), ended.message());
            }
            calls.await(
                    "the change of the schema",
                    new CompletableFuture<Void>().completeOnTimeout(null, LOOK_MS, TimeUnit.MILLISECONDS));
        }
    }

    /** Begins a change of a script at all nodes. The caller tries again if it had no effect because of the moment. */
    CompletableFuture<SchemaCall.Ended> begin(String script) {
        return begin(() -> SchemaChange.prepare(now.get(), script, sources.get().open(), statements));
    }

    private CompletableFuture<SchemaCall.Ended> begin(Supplier<SchemaChange> preparation) {
        persistence.ifPresent(p -> p.room().checkWritable());
        byte[] content = prepared.alone(() -> {
            SchemaChange change = preparation.get();
            persistence.ifPresent(p -> p.room().checkSize(change.record()));
            return ClusterChange.encode(change.before().transaction(), change.record());
        });
        prepare(content);
        return cluster.change(content);
    }

    boolean isPrepared(byte[] content) {
        return prepared.is(content);
    }

    /** Prepares a change that a node of the cluster has begun; throws if it is for another schema. */
    SchemaChange prepare(byte[] content) {
        return prepared.prepare(content);
    }

    /** Tries a prepared change at a partition that the caller owns, and takes it back. */
    void check(Partition partition, byte[] content, long transactionId) {
        SchemaChange change = prepared.change(content);
        planning.exclude(() -> change.check(partition, TransactionId.epochMicros(transactionId)));
    }

    /** Carries out a change that the cluster has committed, over all partitions of this node. */
    SchemaChangeWork carryingOut(byte[] content, long transaction, ClusterNode node) {
        SchemaChange change = prepare(content);
        return carryingOut(change, change.record().madeBy(transaction, false), sourcesWith(change), node);
    }

    /** Puts a whole schema in the place of this one, whose rows are not those of the cluster any more. */
    SchemaChangeWork replacing(byte[] whole, long transaction, ClusterNode node) {
        SchemaRecord record = SchemaRecord.decode(whole).madeBy(transaction, true);
        SchemaChange change = prepared.alone(() -> SchemaChange.instead(now.get(), record, statements));
        ProcedureSources with =
                new ProcedureSources(record.jars(), settings.schema().classLoaders());
        return carryingOut(change, record, with, node);
    }

    private ProcedureSources sourcesWith(SchemaChange change) {
        ProcedureSources with = sources.get();
        for (byte[] jar : change.record().jars()) {
            with = with.with(jar);
        }
        return with;
    }

    private SchemaChangeWork carryingOut(
            SchemaChange change, SchemaRecord record, ProcedureSources with, ClusterNode node) {
        long bytes = persistence.map(p -> p.room().checkSize(record)).orElse(0L);
        long transaction = record.transaction();
        return new SchemaChangeWork(record, id -> {
            persistence.ifPresent(p -> p.room().check(bytes));
            if (record.whole() && node.isCounted()) {
                throw new ProcedureException(
                        ErrorCode.PARTITION_UNAVAILABLE,
                        "a replica of this node is in sync, and will tell of the change");
            }
            install(change, transaction, TransactionId.epochMicros(transaction));
            sources.set(with);
            node.changed(transaction, record.whole());
            persistence.ifPresent(p -> p.schemaChanged(catalog(), image()));
        });
    }

    /** Before any transaction runs: carries out a change that the cluster had committed when this node ended. */
    void complete(List<Partition> partitions, byte[] content, long transaction, long transactionId) {
        SchemaChange change = prepare(content);
        change.apply(partitions, TransactionId.epochMicros(transaction));
        now.set(change.after().madeBy(transaction));
        sources.set(sourcesWith(change));
        meters.measure(now.get());
        persistence.ifPresent(p -> p.log(change.record().madeBy(transaction, false), transactionId));
    }
}
