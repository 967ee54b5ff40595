package io.reprise.engine;

import io.reprise.recovery.demand.TailIndex;
import io.reprise.snapshot.file.StoreRows;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * The rows of one bucket as they are at a position of the log, made in memory of its own: rows of a snapshot, and behind them the records
 * of the bucket. Commands over several buckets run again too, so their buckets are rebuilt with it as far as they are needed. The log
 * is read in steps, so that the last step can be short.
 *
 * <p>Confined to one thread. Throws {@link RebuildException}, and exceptions for damaged snapshots and logs.
 */
final class BucketRebuild implements AutoCloseable {
    private final RebuildBase base;
    private final int bucket;
    private final long memory;

    /** The rows; null until the log has been read once. */
    private RebuildBase.Rebuilt rebuilt;

    private final BitSet owned = new BitSet();

    /** Records that were applied, each with its part. */
    private final Set<Long> applied = new HashSet<>();

    /**
     * Nothing yet.
     *
     * @param base is closed with this
     * @param memory the most bytes of rows that a rebuilding may take
     */
    BucketRebuild(RebuildBase base, int bucket, long memory) {
        this.base = base;
        this.bucket = bucket;
        this.memory = memory;
    }

    /** Brings the bucket to a position that is known to be durable. */
    void advance(long end) {
        base.readTo(end);
        TailIndex.Closure closure = closure();
        BitSet missing = (BitSet) closure.buckets().clone();
        missing.andNot(owned);
        if (rebuilt == null || !missing.isEmpty()) {
            base.tail().forgetApplied();
            closure = closure();
            load(closure.buckets());
        }
        for (int i = 0; i < closure.records().length; i++) {
            int record = closure.records()[i];
            int part = closure.parts()[i];
            if (applied.add((long) record << Integer.SIZE | part & 0xFFFF_FFFFL)) {
                rebuilt.applier().apply(record, part);
            }
        }
        base.tail().allApplied(bucket);
    }

    /** The records to apply that were not applied before, and some that were. */
    private TailIndex.Closure closure() {
        TailIndex.Closure closure = base.tail().closureOfCommands(bucket);
        closure.buckets().set(bucket);
        return closure;
    }

    private void load(BitSet buckets) {
        if (base.bytes(buckets.cardinality()) > memory) {
            throw new RebuildException("bucket " + bucket + " depends on " + buckets.cardinality()
                    + " buckets by commands over several of them, which are too large to be rebuilt in memory beside the rows."
                    + " Restart the node");
        }
        giveBack();
        owned.clear();
        owned.or(buckets);
        applied.clear();
        rebuilt = base.load(owned);
    }

    /** The number of buckets that were rebuilt for it. */
    int buckets() {
        return owned.cardinality();
    }

    /** The rows, and the numbers that come next. */
    StoreRows rows() {
        return new StoreRows(base.manifest(), rebuilt.store());
    }

    private void giveBack() {
        if (rebuilt != null) {
            rebuilt.close();
            rebuilt = null;
        }
    }

    @Override
    public void close() {
        giveBack();
        base.close();
    }
}
