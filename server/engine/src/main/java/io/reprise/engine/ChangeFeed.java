package io.reprise.engine;

import io.reprise.catalog.Table;
import io.reprise.changes.Change;
import io.reprise.changes.ChangeCollector;
import io.reprise.changes.RowValues;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.work.StatementCollector;
import io.reprise.id.DatabaseId;
import io.reprise.log.DamagedLogException;
import io.reprise.log.GrowingLog;
import io.reprise.log.LogRecords;
import io.reprise.recovery.replay.Replay;
import io.reprise.recovery.replay.ReplayProgress;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.PageSources;
import io.reprise.snapshot.file.Manifest;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.util.List;
import java.util.Optional;

/**
 * The committed changes of a database, in log order, from its data directory: of a node that works or of one that has stopped. The
 * feed keeps a copy of the rows in its own memory. It loads a snapshot and replays the durable log one record after the other, so
 * it knows the values before and after each change, also of transactions that were logged as commands.
 *
 * <p>Nothing in the directory is changed or locked. A change is told once its log position is durable. A reader that begins again
 * behind the last position that it kept misses none. Confined to one thread.
 */
public final class ChangeFeed implements AutoCloseable {
    /** No limit: the node's rows have to fit. */
    private static final long MEMORY = 1L << 42;

    /** The consumer of the feed. */
    public interface Listener {
        /** A row of the snapshot that the feed begins with. */
        void row(LogPlace place, Table table, List<Object> values);

        /** A transaction that changed rows. */
        void transaction(LogPlace place, long id, List<Change> changes);

        /** A change of the schema. */
        void schema(LogPlace place, long id, String script);
    }

    private final DataDirectory directory;
    private final Listener listener;
    private final LogPlace from;
    private final EngineSettings settings;
    private final List<PartitionStore> stores;
    private final ReplayedSchema schema;
    private final ChangeCollector collector;
    private final ReplaySites sites;
    private final GrowingLog log;
    private final Replay replay;

    /**
     * A feed of what follows.
     *
     * @param begin the place behind which the changes are told; empty for all rows of the newest snapshot, and all changes behind it
     */
    public ChangeFeed(DataDirectory directory, Optional<LogPlace> begin, Listener listener) {
        this.directory = directory;
        this.listener = listener;
        DurablePosition.Found durable = DurablePosition.read(directory.files());
        if (durable.database().equals(DatabaseId.NONE)) {
            throw new IllegalStateException(
                    "the data directory does not name a durable position of its log; start a node there first");
        }
        settings = new FrozenOptions(Options.create()
                        .name("changes")
                        .partitions(1)
                        .threads(Options.Threads.CALLER)
                        .memoryPerPartition(MEMORY))
                .settings();
        Optional<Manifest> base = base(begin, durable.position());
        long start = base.map(manifest -> manifest.origin().logPosition()).orElse(0L);
        from = begin.orElse(new LogPlace(start, -1));
        BucketMap buckets = BucketMap.dealt(durable.database().buckets(), 1);
        stores = Recovered.emptyStores(settings, buckets, PageSources.NONE);
        try {
            List<Partition> partitions = Partition.over(stores, settings.layout());
            schema = new ReplayedSchema(partitions, new StatementCollector());
            collector = new ChangeCollector(stores.getFirst().memory());
            stores.forEach(PartitionStore::beginRecovery);
            RecoveryThreads threads = new RecoveryThreads(settings);
            base.ifPresent(manifest -> load(manifest, threads));
            sites = new ReplaySites(settings, threads, partitions, buckets, ReplaySettings.DEFAULTS);
            log = new GrowingLog(
                    directory.files(),
                    settings.durability().log(),
                    durable.database(),
                    start,
                    () -> durable(durable.database()));
            replay = new Replay(log, sites.lanes(), buckets, schema, sites::idle, ReplayProgress.NONE);
            replay.applyOneByOne(this::applied);
            if (begin.isEmpty()) {
                tellRows();
            }
            stores.getFirst().observeWrites(collector);
        } catch (RuntimeException | Error failure) {
            stores.forEach(PartitionStore::close);
            throw failure;
        }
    }

    /** The place behind all that is durable now. */
    public static LogPlace end(DataDirectory directory) {
        return new LogPlace(DurablePosition.read(directory.files()).position(), -1);
    }

    /** The snapshot before the beginning; empty if the log goes back to the database's first record. */
    private Optional<Manifest> base(Optional<LogPlace> begin, long durable) {
        long wanted = begin.map(LogPlace::frame).orElse(durable);
        if (wanted > durable) {
            throw new IllegalArgumentException("the log is durable up to position 0x" + Long.toHexString(durable)
                    + ", before the place " + begin.orElseThrow() + " at which the changes are to begin");
        }
        Optional<Manifest> base = directory.newestUpTo(wanted);
        if (base.isEmpty() && directory.segments().getFirst() > 0) {
            throw new IllegalStateException(
                    "the log behind " + begin.map(LogPlace::toString).orElse("its beginning")
                            + " is not there any more: no snapshot needs it. Begin anew without a place, and read all rows again");
        }
        if (base.filter(Manifest::isByPartition).isPresent()) {
            throw new IllegalStateException("the directory is that of a node of a cluster, whose partitions stand at"
                    + " different places of their streams; read the changes of a node that serves alone");
        }
        return base;
    }

    private void load(Manifest manifest, RecoveryThreads threads) {
        schema.change(manifest.origin().attachment(), manifest.identity().transactionId());
        SnapshotLoading.load(
                settings,
                threads,
                directory.files(),
                manifest,
                stores,
                false,
                new RecoveryReporter(settings.recovery().listener(), settings.clock()));
    }

    /** The position that the directory's file {@code database.durable} names, which lags by up to a second while the engine works. */
    private long durable(DatabaseId database) {
        DurablePosition.Found found = DurablePosition.read(directory.files());
        if (!found.database().equals(database)) {
            throw new IllegalStateException("the data directory is that of another database now, " + found.database()
                    + " instead of " + database);
        }
        return found.position();
    }

    void tellRows() {
        PartitionStore store = stores.getFirst();
        for (Table table : schema.schema().catalog().tables().values()) {
            TableStore rows = store.table(table.id());
            for (long row = rows.first(); row != 0; row = rows.next(row)) {
                listener.row(from, table, RowValues.of(store.memory(), rows, row));
            }
        }
    }

    /** Tells the listener of all changes that are durable by now. Returns the number of log frames that were read. */
    public int poll() {
        int frames = 0;
        try {
            while (replay.step()) {
                frames++;
            }
        } catch (DamagedLogException | MissingFileException e) {
            if (directory.hasRemovedLogAt(log.position())) {
                throw new StorageException(
                        "read the log from position 0x" + Long.toHexString(log.position()),
                        settings.durability().log().directory(),
                        "the engine that is at work there has removed this part, which no snapshot needs any more; begin"
                                + " anew without a place, and read all rows again",
                        e);
            }
            throw e;
        }
        return frames;
    }

    private void applied(LogRecords record) {
        LogPlace place = new LogPlace(record.framePosition(), record.index());
        boolean told = place.compareTo(from) > 0;
        switch (record.kind()) {
            case COMMAND, DATA -> {
                List<Change> changes = collector.take();
                if (told && !changes.isEmpty()) {
                    listener.transaction(place, record.transactionId(), changes);
                }
            }
            case CATALOG -> {
                collector.clear();
                if (told) {
                    listener.schema(
                            place,
                            record.transactionId(),
                            SchemaRecord.decode(record.payloadCopy()).script().strip());
                }
            }
            default -> collector.clear();
        }
    }

    @Override
    public void close() {
        try {
            sites.close();
            replay.close();
            log.close();
        } finally {
            stores.forEach(PartitionStore::close);
        }
    }
}
