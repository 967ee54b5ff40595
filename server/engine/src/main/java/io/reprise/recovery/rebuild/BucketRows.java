package io.reprise.recovery.rebuild;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.TableStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/** The rows of some buckets of a store, which does not change any more, as blocks by bucket. Confined to one thread. */
final class BucketRows {
    private static final int BLOCK_BYTES = 32 << 10;

    private final Catalog catalog;
    private final Partition partition;
    private final PartitionImage image;
    private final List<Sorted> tables = new ArrayList<>();

    /**
     * Rows of a table, bucket by bucket.
     *
     * @param begins by bucket, the place of the first of its rows; behind the last bucket the end
     */
    private record Sorted(TableStore table, int[] begins, long[] rows) {}

    BucketRows(Catalog catalog, Partition partition, BitSet buckets) {
        this.catalog = catalog;
        this.partition = partition;
        image = new PartitionImage(partition);
        for (Table table : catalog.tables().values()) {
            if (!table.replicated()) {
                tables.add(sort(partition.store().table(table.id()), buckets));
            }
        }
    }

    private static Sorted sort(TableStore table, BitSet buckets) {
        int[] begins = new int[table.buckets() + 1];
        for (long row = table.first(); row != 0; row = table.next(row)) {
            int bucket = DirectWrites.bucket(table.rowId(row));
            begins[bucket + 1] += buckets.get(bucket) ? 1 : 0;
        }
        for (int bucket = 0; bucket < table.buckets(); bucket++) {
            begins[bucket + 1] += begins[bucket];
        }
        long[] rows = new long[begins[table.buckets()]];
        int[] next = begins.clone();
        for (long row = table.first(); row != 0; row = table.next(row)) {
            int bucket = DirectWrites.bucket(table.rowId(row));
            if (buckets.get(bucket)) {
                rows[next[bucket]++] = row;
            }
        }
        return new Sorted(table, begins, rows);
    }

    /** The blocks of a bucket. */
    Deque<byte[]> ofBucket(int bucket) {
        Deque<byte[]> blocks = new ArrayDeque<>();
        for (Sorted sorted : tables) {
            int[] at = {sorted.begins()[bucket]};
            int end = sorted.begins()[bucket + 1];
            LongSupplier rows = () -> at[0] == end ? 0 : sorted.rows()[at[0]++];
            image.write(sorted.table(), rows, bucket, bucket + 1, BLOCK_BYTES, blocks::add);
        }
        return blocks;
    }

    /** The blocks of all replicated tables. */
    Deque<byte[]> ofReplicated() {
        Deque<byte[]> blocks = new ArrayDeque<>();
        for (Table table : catalog.tables().values()) {
            if (table.replicated()) {
                TableStore store = partition.store().table(table.id());
                long[] last = new long[1];
                LongSupplier rows = () -> last[0] = last[0] == 0 ? store.first() : store.next(last[0]);
                image.write(store, rows, 0, store.buckets(), BLOCK_BYTES, blocks::add);
            }
        }
        return blocks;
    }
}
