package io.reprise.recovery.rebuild;

import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.demand.TailIndex;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.file.BucketBlock;
import io.reprise.snapshot.file.BucketInserter;
import io.reprise.snapshot.file.BucketSource;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.snapshot.file.TableContents;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A run of the closure of some buckets in a shadow: needed rows of the snapshot first, then the needed transactions in log order. Where runs of the
 * sorted log have data records behind the snapshot, buckets get all of their rows and these records. It goes step by step, a bucket or a frame at a
 * time. Confined to one thread.
 */
final class RebuildRun implements AutoCloseable {
    private static final int RECORDS_AT_ONCE = 1 << 10;

    private final RebuildHistory history;
    private final RebuildHistory.Plan plan;
    private final ShadowStore shadow;
    private final Manifest manifest;
    private final long below;
    private final TailIndex sorted;
    private final LogReader log;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private final BucketBlock block = new BucketBlock();
    private BucketSource source;
    private BucketInserter inserter;
    private int bucket;
    private final BitSet touched = new BitSet();

    /** The records to apply; null before all rows are loaded. */
    private int[] numbers;

    private int nextNumber;
    private int entry;
    private long rows;
    private long foreignRows;
    private long commands;
    private long dataRecords;

    /**
     * A run.
     *
     * @param base the snapshot; empty if the log goes back to the database's first record
     * @param sorted data records behind the snapshot; null if there are none
     * @param log reads the log from a position to the fence
     * @param from the position of the first frame behind the snapshot and the data records
     * @param below transactions from this id on came after the fence
     * @param fresh whether the shadow is empty
     */
    RebuildRun(
            RebuildHistory history,
            RebuildHistory.Plan plan,
            ShadowStore shadow,
            FileStore files,
            Optional<Manifest> base,
            TailIndex sorted,
            LongFunction<LogReader> log,
            long from,
            long below,
            boolean fresh) {
        this.history = history;
        this.plan = plan;
        this.shadow = shadow;
        this.below = below;
        this.sorted = sorted;
        manifest = base.orElse(null);
        this.log = log.apply(from);
        if (!fresh) {
            shadow.clear();
        }
        if (manifest != null) {
            int buckets = shadow.buckets().buckets().count();
            source = new BucketSource(files, manifest, buckets);
            inserter = new BucketInserter(manifest, shadow.store());
            loadReplicated(files);
        }
    }

    private void loadReplicated(FileStore files) {
        try (SnapshotLoader loader =
                new SnapshotLoader(files, manifest, shadow.store(), new LoadProgress(), of -> false)) {
            loader.run();
        }
    }

    /** Loads a bucket or runs a frame. Returns false if there is nothing left to do. */
    boolean step() {
        if (manifest != null && bucket < shadow.buckets().buckets().count()) {
            int next = bucket++;
            if (plan.rows().touches(next)) {
                load(next);
                touched.set(next);
            }
            return true;
        }
        if (sorted != null && applySorted()) {
            return true;
        }
        if (!log.next(frame)) {
            return false;
        }
        records.wrap(frame);
        while (records.next()) {
            apply();
        }
        return true;
    }

    /** Applies some of the data records of the touched buckets, and of replicated tables. Returns false behind the last one. */
    private boolean applySorted() {
        if (numbers == null) {
            sorted.take(touched);
            numbers = sorted.recordsOf(touched);
        }
        if (nextNumber == numbers.length) {
            return false;
        }
        int to = Math.min(numbers.length, nextNumber + RECORDS_AT_ONCE);
        shadow.apply(sorted, numbers, nextNumber, to, touched);
        nextNumber = to;
        return true;
    }

    private void load(int of) {
        shadow.fill(of);
        source.open(of);
        while (source.next(block)) {
            int row = 0;
            while (row < block.count()) {
                int end = row;
                while (end < block.count() && isNeeded(end)) {
                    end++;
                }
                if (end > row) {
                    inserter.insert(block, row, end);
                    rows += end - row;
                    foreignRows += plan.buckets().get(of) ? 0 : end - row;
                }
                row = end + 1;
            }
        }
        for (TableContents table : manifest.tables()) {
            if (!table.replicated()) {
                shadow.store().table(table.id()).directWrites().raiseNextRowId(of, table.nextRowId(of));
            }
        }
    }

    private boolean isNeeded(int row) {
        return sorted != null
                || plan.rows().needs(manifest.tables().get(block.table(row)).id(), block.rowId(row)) != 0;
    }

    private void apply() {
        switch (records.kind()) {
            case COMMAND, DATA, BOUNDARY, CALLS -> {
                int parts = records.parts();
                for (int part = 0; part < parts; part++) {
                    records.showPart(part);
                    applyTransaction();
                }
            }
            case CATALOG -> {
                shadow.change(records.payloadCopy(), records.transactionId());
                entry++;
            }
            case RECOVERY_CHOICE ->
                throw new IllegalStateException(
                        "the log behind the snapshot has the choice of a recovery, which a rebuild does"
                                + " not follow; make a snapshot first, or start the node again");
            default -> {}
        }
    }

    private void applyTransaction() {
        LoggedTransaction logged = entry < history.size() ? history.logged(entry) : null;
        if (logged != null
                && logged.id() == records.transactionId()
                && logged.isData() == (records.kind() == RecordKind.DATA)) {
            apply(logged, plan.needed().get(entry));
            entry++;
        }
    }

    private void apply(LoggedTransaction logged, boolean needed) {
        if (Long.compareUnsigned(logged.id(), below) >= 0) {
            throw new IllegalStateException("a transaction behind the fence is in the history");
        }
        if (!needed) {
            shadow.skip(logged);
            return;
        }
        shadow.run(records, logged);
        if (records.kind() == RecordKind.DATA) {
            dataRecords++;
        } else {
            commands++;
        }
    }

    long rows() {
        return rows;
    }

    long foreignRows() {
        return foreignRows;
    }

    long commands() {
        return commands;
    }

    long dataRecords() {
        return dataRecords;
    }

    @Override
    public void close() {
        if (source != null) {
            source.close();
        }
        log.close();
        frame.close();
        block.close();
    }
}
