package io.reprise.recovery.rebuild;

import io.reprise.catalog.Table;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.RowMasks;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The reading half of a rebuild: the fence, what must run again behind the snapshot, and batches of buckets that are rebuilt in a shadow one after
 * the other. Owned by the rebuild's thread, but for {@link #held}.
 */
final class RebuildJob implements AutoCloseable {
    /** Each batch has so many times the buckets of the one before. */
    private static final int GROWTH = 4;

    private final RebuildPorts ports;
    private final BitSet left;
    private final int buckets;
    private long below;
    private long end;
    private long from;
    private Optional<Manifest> base = Optional.empty();

    /** The place of the log from the snapshot to {@link #from}; null if it is read. */
    private SortedRecords sorted;

    private RebuildHistory history;
    private int neededInAll;
    private ShadowStore shadow;
    private RebuildRun run;
    private RebuildHistory.Plan plan;
    private int batchSize = 1;
    private int batches;
    private long commands;
    private long dataRecords;
    private long rows;
    private long foreignRows;

    RebuildJob(RebuildPorts ports, BitSet buckets) {
        this.ports = ports;
        this.left = (BitSet) buckets.clone();
        this.buckets = buckets.cardinality();
    }

    /** While all partitions are held: nothing of the partition is under way, unless this comes again. */
    void held(long transactionId) {
        below = transactionId;
        ports.mark();
    }

    /** Makes the shadow with the schema of the newest snapshot, while the fence is on its way. */
    void prepare() {
        ports.holdLog(0);
        begin(newest());
    }

    private Optional<Manifest> newest() {
        return new SnapshotReader(ports.files()).choose().newest();
    }

    private void begin(Optional<Manifest> newest) {
        base = newest;
        shadow = new ShadowStore(ports.shadow());
        base.ifPresent(manifest -> shadow.change(
                manifest.origin().attachment(), manifest.identity().transactionId()));
    }

    /** A snapshot that has ended since may have taken the place of the base. */
    private void prepareAgain() {
        Optional<Manifest> newest = newest();
        if (!newest.map(Manifest::identity).equals(base.map(Manifest::identity))) {
            shadow.close();
            shadow = null;
            begin(newest);
        }
    }

    /** Finds what must run again. The log is durable up to the fence, and no snapshot is under way. */
    void plan(long blockBytes) {
        prepareAgain();
        end = ports.durable();
        long first = ports.firstPosition();
        sorted = base.flatMap(ports::sorted).orElse(null);
        from = sorted == null
                ? base.map(manifest -> manifest.origin().logPosition()).orElse(first)
                : sorted.end();
        if (base.isEmpty() && first > 0 || from < first) {
            throw new IllegalStateException("the log begins at position " + first
                    + ", and there is no undamaged snapshot from which it goes on; start the node again");
        }
        long[] indexed = indexed();
        history = new RebuildHistory(
                new LogHistory(position -> ports.read(position, end), from, blockBytes),
                left,
                below,
                table -> table < indexed.length ? indexed[table] : 0);
        if (sorted != null) {
            // A damaged one fails the rebuild before anything is changed.
            sorted.records().take(left);
        }
        ports.holdLog(from);
        plan = history.plan(left);
        neededInAll = plan.needed().cardinality();
    }

    private long[] indexed() {
        long[] indexed = new long[16];
        for (Table table : ports.catalog().tables().values()) {
            if (table.id() >= indexed.length) {
                indexed = Arrays.copyOf(indexed, 2 * table.id());
            }
            indexed[table.id()] = RowMasks.of(table).indexed();
        }
        return indexed;
    }

    /**
     * Begins the next batch: some buckets that calls wait for, if these need few of the transactions, else all that are left.
     *
     * @param asked buckets that calls wait for, the first one first
     */
    void begin(List<Integer> asked) {
        plan = few(asked);
        if (plan == null) {
            plan = history.plan(left);
        }
        left.andNot(plan.buckets());
        boolean fresh = batches == 0;
        batches++;
        run = new RebuildRun(
                history,
                plan,
                shadow,
                ports.files(),
                base,
                sorted == null ? null : sorted.records(),
                position -> ports.read(position, end),
                from,
                below,
                fresh);
    }

    private RebuildHistory.Plan few(List<Integer> asked) {
        BitSet first = new BitSet();
        for (int bucket : asked) {
            if (left.get(bucket) && first.cardinality() < batchSize) {
                first.set(bucket);
            }
        }
        // The shadow can't go back to an earlier schema.
        if (first.isEmpty() || history.changesSchema()) {
            return null;
        }
        // Each batch reads the log, so later ones take other buckets too.
        for (int bucket = left.nextSetBit(0);
                batchSize > 1 && bucket >= 0 && first.cardinality() < batchSize;
                bucket = left.nextSetBit(bucket + 1)) {
            first.set(bucket);
        }
        batchSize *= GROWTH;
        RebuildHistory.Plan of = history.plan(first);
        return 2 * of.needed().cardinality() > neededInAll ? null : of;
    }

    /** Goes on with the batch. Returns false if it stands rebuilt in the shadow. */
    boolean step() {
        if (run.step()) {
            return true;
        }
        commands += run.commands();
        dataRecords += run.dataRecords();
        rows += run.rows();
        foreignRows += run.foreignRows();
        run.close();
        run = null;
        return false;
    }

    /** The rows of the batch. */
    BucketRows rows() {
        return new BucketRows(shadow.catalog(), shadow.partition(), plan.buckets());
    }

    /** The buckets of the batch. */
    BitSet batch() {
        return plan.buckets();
    }

    RebuildReport report(int partition, long fencedNs, long closureNs, long firstBucketNs, long allNs) {
        return new RebuildReport(
                partition,
                buckets,
                history.transactions(),
                commands,
                dataRecords,
                rows,
                foreignRows,
                batches,
                fencedNs,
                closureNs,
                firstBucketNs,
                allNs);
    }

    @Override
    public void close() {
        if (run != null) {
            run.close();
        }
        if (shadow != null) {
            shadow.close();
        }
        if (sorted != null) {
            sorted.close();
        }
        ports.holdLog(Long.MAX_VALUE);
    }
}
