package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.recovery.demand.BucketDetacher;
import io.reprise.snapshot.file.BucketBlock;
import io.reprise.snapshot.file.BucketInserter;
import io.reprise.snapshot.file.StoreRows;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.PartitionStore;
import java.util.function.Consumer;

/**
 * The exchange of a bucket's rows in a partition for rebuilt ones, as a series of short tasks: rows are deleted, rebuilt ones inserted, and
 * at last the next row numbers set to those of a replay. One task runs at a time. Owned by the repair's thread; tasks run on the
 * partition's.
 */
final class BucketExchange {
    private static final int ROWS = 128;

    private final int bucket;
    private final StoreRows rows;
    private final BucketDetacher detacher;
    private final BucketInserter inserter;
    private final BucketBlock block;
    private boolean moreToDetach = true;
    private boolean isOpen;
    private boolean isEnded;
    private int nextRow;
    private long inserted;

    /**
     * An exchange that has not begun.
     *
     * @param rows the rebuilt rows
     * @param store the partition's
     * @param block room for rows on their way
     */
    BucketExchange(int bucket, StoreRows rows, PartitionStore store, BucketBlock block) {
        this.bucket = bucket;
        this.rows = rows;
        this.block = block;
        detacher = new BucketDetacher(rows.manifest(), store, bucket);
        inserter = new BucketInserter(rows.manifest(), store);
    }

    /** The next task; null behind the last one. The one before has run. */
    Consumer<Partition> next() {
        if (moreToDetach) {
            return at -> moreToDetach = detacher.step();
        }
        if (!isOpen) {
            isOpen = true;
            rows.open(bucket);
            return fill();
        }
        if (isEnded) {
            return null;
        }
        return nextRow < block.count() ? insert() : fill();
    }

    /** Reads rebuilt rows. Behind the last ones the numbers are set. */
    private Consumer<Partition> fill() {
        nextRow = 0;
        if (rows.next(block)) {
            return insert();
        }
        isEnded = true;
        return at -> setNextRowIds(at.store());
    }

    private Consumer<Partition> insert() {
        int from = nextRow;
        int to = Math.min(from + ROWS, block.count());
        nextRow = to;
        inserted += to - from;
        return at -> inserter.insert(block, from, to);
    }

    private void setNextRowIds(PartitionStore store) {
        store.scope().have(bucket);
        for (int i = 0; i < rows.manifest().tables().size(); i++) {
            TableContents table = rows.manifest().tables().get(i);
            if (!table.replicated()) {
                store.table(table.id()).directWrites().setNextRowId(bucket, rows.nextRowId(i, bucket));
            }
        }
    }

    /** The number of rows that were taken out. */
    long deleted() {
        return detacher.rows();
    }

    /** The number of rows that were put in. */
    long inserted() {
        return inserted;
    }
}
