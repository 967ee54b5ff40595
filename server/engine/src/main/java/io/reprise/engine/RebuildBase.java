package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.execution.work.StatementCollector;
import io.reprise.log.LogReader;
import io.reprise.log.LogSettings;
import io.reprise.recovery.demand.TailApplier;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.redo.NamedRows;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowSplitter;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.storage.PartitionStore;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A snapshot and the log behind it, from which rows are made again beside the engine: {@link #readTo} indexes the log, {@link #load} makes
 * partitions with the snapshot's rows of some buckets. Confined to one thread.
 */
final class RebuildBase implements AutoCloseable {
    private final FileStore files;
    private final LogSettings log;
    private final Manifest manifest;
    private final StatementCollector collector;
    private final long memory;

    /** All buckets in one partition. */
    private final BucketMap map;

    private final TailIndex tail;

    /** Says how far commands reach; its partition has no rows. */
    private final PartitionStore empty;

    private final RebuiltSchema emptySchema;
    private final DemandIndex index;
    private final RunTaking runs;
    private long position;

    /**
     * A base whose log has not been read.
     *
     * @param without the numbers of runs that turned out to be damaged
     * @param memory the most bytes of rows that one partition may take
     * @param logBytes the length of the log behind the snapshot, roughly
     */
    RebuildBase(
            FileStore files,
            LogSettings log,
            Manifest manifest,
            StatementCollector collector,
            Set<Long> without,
            long memory,
            long logBytes) {
        this.files = files;
        this.log = log;
        this.manifest = manifest;
        this.collector = collector;
        this.memory = memory;
        runs = new RunTaking(files, log, manifest.identity().database(), without, e -> {});
        position = manifest.origin().logPosition();
        map = BucketMap.dealt(manifest.identity().database().buckets(), 1);
        tail = new TailIndex(map.buckets().count(), TailIndex.room(logBytes));
        PartitionStore planned = null;
        try {
            planned = StoreOptions.openFor(new BitSet(), map.buckets(), memory);
            emptySchema = new RebuiltSchema(planned);
            index = new DemandIndex(map, emptySchema.partitions, emptySchema.replayed, tail);
        } catch (RuntimeException | Error failure) {
            tail.close();
            if (planned != null) {
                planned.close();
            }
            throw failure;
        }
        empty = planned;
    }

    /** The schema of the snapshot over one store. */
    private final class RebuiltSchema implements CommandSchema {
        private final List<Partition> partitions;
        private final ReplayedSchema replayed;

        RebuiltSchema(PartitionStore store) {
            partitions = Partition.over(List.of(store));
            replayed = new ReplayedSchema(partitions, collector);
            replayed.change(manifest.origin().attachment(), manifest.identity().transactionId());
        }

        @Override
        public Work procedure(int version) {
            return replayed.procedure(version);
        }

        @Override
        public Work statement(String text) {
            return replayed.statement(text);
        }

        @Override
        public BucketMap buckets() {
            return map;
        }
    }

    /**
     * Some buckets in a partition of their own, and an applier of records to it. The owner closes it.
     *
     * @param store has the snapshot's rows of the buckets, and all replicated tables
     */
    record Rebuilt(PartitionStore store, TailApplier applier) implements AutoCloseable {
        @Override
        public void close() {
            applier.close();
            store.close();
        }
    }

    /** Indexes the log up to a position that is known to be durable. */
    void readTo(long end) {
        if (end <= position) {
            return;
        }
        if (position == manifest.origin().logPosition()) {
            position = runs.take(index, tail, position, end);
        }
        if (end <= position) {
            return;
        }
        try (LogReader reader = LogReader.upTo(files, log, manifest.identity().database(), position, end)) {
            if (!index.scan(reader)) {
                throw new RebuildException("the log behind snapshot "
                        + SnapshotDirectory.name(manifest.identity().transactionId())
                        + " has a change of the schema, or more records than fit into memory");
            }
        }
        position = end;
    }

    /** Makes a partition of these buckets as they were at the snapshot's moment. */
    Rebuilt load(BitSet owned) {
        Rebuilt rebuilt = begin(owned);
        try (SnapshotLoader loader = new SnapshotLoader(files, manifest, rebuilt.store(), new LoadProgress())) {
            loader.run();
            return rebuilt;
        } catch (RuntimeException | Error failure) {
            rebuilt.close();
            throw failure;
        }
    }

    /** Makes a partition of these buckets without rows. */
    Rebuilt begin(BitSet owned) {
        PartitionStore store = StoreOptions.openFor((BitSet) owned.clone(), map.buckets(), memory);
        try {
            store.beginRecovery();
            RebuiltSchema schema = new RebuiltSchema(store);
            return new Rebuilt(store, new TailApplier(schema.partitions.getFirst(), tail, schema));
        } catch (RuntimeException | Error failure) {
            store.close();
            throw failure;
        }
    }

    /** A pass over the snapshot's rows of some buckets; chosen ones go into the partition. */
    RowSplitter split(Rebuilt into, IntPredicate buckets, RowSplitter.Choice choice, boolean passesReplicated) {
        return new RowSplitter(files, manifest, into.store(), buckets, choice, passesReplicated);
    }

    /** The rows that are named by records: none yet. */
    NamedRows named() {
        return new NamedRows(empty);
    }

    /** An estimate of the rows' bytes of so many buckets. */
    long bytes(int buckets) {
        return (long) ((double) manifest.bytes() * buckets / map.buckets().count());
    }

    Manifest manifest() {
        return manifest;
    }

    TailIndex tail() {
        return tail;
    }

    /** The position up to which the log has been indexed. */
    long position() {
        return position;
    }

    /** The highest transaction id up to there. */
    long lastId() {
        return Math.max(manifest.identity().transactionId(), index.lastId());
    }

    /** The outcomes of the numbered calls in the log behind the snapshot. */
    Partition outcomes() {
        return emptySchema.partitions.getFirst();
    }

    @Override
    public void close() {
        empty.close();
        tail.close();
    }
}
