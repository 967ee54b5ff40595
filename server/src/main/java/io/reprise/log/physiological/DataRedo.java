package io.reprise.log.physiological;

import io.reprise.catalog.Column;
import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.DuplicateRowException;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.ValueText;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.KeyFinder;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.row.RowLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Applies the payloads of data records to a partition's tables, in the order of the log, each once: rows in buckets that
 * the partition owns, and all rows of replicated tables. How many partitions there were when the record was written does
 * not matter.
 *
 * <p>There is no undo: after an exception the partition is useless, and recovery stops. {@link DamagedImageException} says
 * that the bytes can't be a data record, {@link DivergedReplayException} that they don't fit the rows. The
 * partition's memory limit can be reached too, as by a transaction. No Java objects are made for a record. Owned by the partition's
 * thread.
 */
public final class DataRedo {
    private final PartitionStore store;
    private final ImageCursor in;
    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private Target[] targets = new Target[16];

    private long transactionId;
    private int bucket;
    private boolean owned;
    private long number;

    /** What is needed for the rows of one table. */
    private static final class Target {
        private final TableStore table;
        private final DirectWrites writes;
        private final RowImageCodec codec;
        private final KeyFinder finder;

        /** The primary key's, or null. */
        private final HashIndex hash;

        private final boolean replicated;

        private Target(PartitionStore store, TableStore table) {
            this.table = table;
            writes = table.directWrites();
            codec = new RowImageCodec(store, table);
            finder = codec.hasKey() ? new KeyFinder(codec) : null;
            hash = table.table()
                    .primaryKey()
                    .map(key -> table.hashIndex(key.position()))
                    .orElse(null);
            replicated = table.table().replicated();
        }
    }

    /** For records to be applied to this store. */
    public DataRedo(PartitionStore store) {
        this.store = store;
        in = new ImageCursor(store.memory());
    }

    /** What looks through records for this partition on another thread, before they are applied here. */
    public DataScout newScout() {
        return new DataScout(store);
    }

    /**
     * Begins to bring rows into the processor's cache that records will need which are applied soon.
     *
     * @param from the first of the lookups
     * @param to the end of them
     */
    public void fetch(Lookups lookups, int from, int to) {
        for (int i = from; i < to; i++) {
            int tableId = lookups.tableId(i);
            if (store.hasTable(tableId)) {
                HashIndex hash = target(tableId).hash;
                if (hash != null) {
                    hash.prefetchHash(lookups.hash(i));
                }
            }
        }
        store.readAhead().fetch();
    }

    /** Applies a record's payload. */
    public void apply(long recordsTransactionId, MemorySegment source, long offset, long length) {
        store.begin(recordsTransactionId);
        apply(recordsTransactionId, store.bringIn(source, offset, length), length);
    }

    /** Applies a record's payload. */
    public void apply(long recordsTransactionId, Memory source, long address, long length) {
        store.begin(recordsTransactionId);
        apply(recordsTransactionId, store.bringIn(source, address, length), length);
    }

    private void apply(long recordsTransactionId, long address, long length) {
        transactionId = recordsTransactionId;
        in.over(address, length);
        bucket = -1;
        try {
            while (in.hasNext()) {
                group();
            }
        } catch (DamagedImageException e) {
            DamagedImageException named = new DamagedImageException(
                    "The data record of transaction " + transactionId + " is none. " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    private void group() {
        int tableId = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
        if (!store.hasTable(tableId)) {
            throw in.damaged("there is no table " + tableId);
        }
        Target target = target(tableId);
        number = 0;
        owned = target.replicated || bucket >= 0 && store.owns(bucket);
        while (true) {
            int operation = in.unsignedByte();
            if (operation == DataFormat.END) {
                return;
            }
            if ((operation & DataFormat.BUCKET) != 0) {
                changeBucket(target);
            }
            apply(operation & ~DataFormat.BUCKET, target);
        }
    }

    private Target target(int tableId) {
        TableStore table = store.table(tableId);
        if (tableId >= targets.length) {
            targets = Arrays.copyOf(targets, Math.max(tableId + 1, 2 * targets.length));
        }
        Target target = targets[tableId];
        if (target == null || !target.codec.isFor(table)) {
            target = new Target(store, table);
            targets[tableId] = target;
        }
        return target;
    }

    private void changeBucket(Target target) {
        if (target.replicated) {
            throw in.damaged("a row of replicated table " + target.table.table().name() + " has a bucket");
        }
        bucket = in.varintUpTo(Buckets.COUNT - 1, "a bucket");
        owned = store.owns(bucket);
        number = 0;
    }

    private void apply(int operation, Target target) {
        switch (operation) {
            case DataFormat.INSERT -> insert(target);
            case DataFormat.UPDATE -> update(target);
            case DataFormat.DELETE -> delete(target);
            case DataFormat.SPENT -> spend(target);
            case DataFormat.TRUNCATE -> truncate(target);
            default -> throw in.damaged("there is no operation " + operation);
        }
    }

    /** Reads a row's number and makes its row id. */
    private long readRowId(Target target) {
        number += in.signedVarint();
        if (DirectWrites.number(number) != number) {
            throw in.damaged("a row has number " + number);
        }
        if (bucket < 0 && !target.replicated) {
            throw in.damaged("a row has no bucket");
        }
        return target.replicated ? number : DirectWrites.rowId(bucket, number);
    }

    private void insert(Target target) {
        long rowId = readRowId(target);
        if (!owned) {
            target.codec.skipRow(in);
            return;
        }
        TableStore table = target.table;
        long row = table.allocate();
        try {
            target.codec.readRow(in, row);
        } catch (RuntimeException e) {
            table.abandon(row);
            throw e;
        }
        try {
            target.writes.insert(row, rowId);
        } catch (DuplicateRowException e) {
            throw new DivergedReplayException(
                    diverges() + "it inserts a row that is there already. " + e.getMessage(), e);
        }
    }

    private void update(Target target) {
        RowImageCodec codec = target.codec;
        if (!owned) {
            skipKeyOrNumber(target);
            codec.readColumnSet(in, changed);
            codec.skipColumns(in, changed);
            return;
        }
        long row = find(target, "changes");
        codec.readColumnSet(in, changed);
        if (codec.hasUnique(changed)) {
            throw in.damaged("a unique key of table " + target.table.table().name() + " changes in place");
        }
        long touched = codec.indexesOf(changed);
        target.writes.beginUpdate(row, touched);
        codec.readColumns(in, changed, row);
        target.writes.endUpdate(row, touched);
    }

    private void delete(Target target) {
        if (owned) {
            target.writes.delete(find(target, "deletes"));
        } else {
            skipKeyOrNumber(target);
        }
    }

    private void spend(Target target) {
        long rowId = readRowId(target);
        if (owned) {
            target.writes.raiseNextRowId(DirectWrites.bucket(rowId), DirectWrites.number(rowId) + 1);
        }
    }

    private void truncate(Target target) {
        BitSet buckets = new BitSet(Buckets.COUNT);
        if (target.replicated) {
            buckets.set(0);
        } else {
            for (int first = 0; first < Buckets.COUNT; first += 8) {
                int bits = in.unsignedByte();
                for (int i = 0; i < 8; i++) {
                    buckets.set(first + i, (bits >> i & 1) != 0);
                }
            }
        }
        target.writes.truncate(buckets);
    }

    private void skipKeyOrNumber(Target target) {
        if (target.finder != null) {
            target.codec.skipKey(in);
        } else {
            readRowId(target);
        }
    }

    private long find(Target target, String does) {
        long keyAt = in.at();
        if (target.finder != null) {
            long row = target.finder.find(in);
            if (row != 0) {
                return row;
            }
            in.backTo(keyAt);
            throw new DivergedReplayException(diverges() + "it " + does + " the row with " + keyText(target)
                    + " of table " + target.table.table().name() + ", which is not there.");
        }
        long rowId = readRowId(target);
        long row = target.writes.find(rowId);
        if (row == 0) {
            throw new DivergedReplayException(diverges() + "it " + does + " row " + number + " in bucket "
                    + (rowId >>> RowLayout.SEQUENCE_BITS) + " of table "
                    + target.table.table().name()
                    + ", which is not there.");
        }
        return row;
    }

    private String diverges() {
        return "Replay has come to other data than there was when transaction " + transactionId + " ran first: ";
    }

    private String keyText(Target target) {
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < target.codec.keyColumnCount(); i++) {
            Column column = target.table.table().columns().get(target.codec.keyColumn(i));
            columns.append(i == 0 ? "" : ", ").append(column.name());
            values.append(i == 0 ? "" : ", ")
                    .append(ValueText.of(store.memory(), column.type(), target.codec.readValue(column.position(), in)));
        }
        return "(" + columns + ") = (" + values + ")";
    }
}
