package io.reprise.redo;

import io.reprise.record.data.DataFormat;
import io.reprise.record.data.RowSum;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.DuplicateRowException;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ColumnWrites;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.HashLookups;
import java.util.BitSet;

/**
 * The second half of redo: applies to a partition's tables the operations that a {@link DataDecoder} has unpacked, in log order and each
 * once. They are about rows in buckets that the partition owns, and all rows of replicated tables, whatever the number of partitions was
 * when the records were written.
 *
 * <p>There is no undo: after an exception the partition must not be used. {@link DivergedReplayException} means that a record does not fit
 * the rows. The partition's memory limit applies as to a transaction. Allocates no object for a record. Owned by the partition's thread.
 */
public final class DataRedo {
    /** The number of rows that are looked up together: their cache misses overlap, and they stay in the cache until they are used. */
    private static final int LOOKED_UP = 48;

    private static final int OPERATION_SHIFT = 32;
    private static final int OPERATION = 0xFF;
    private static final int BUCKET_SHIFT = 40;

    private final PartitionStore store;
    private final ImageCursor in;
    private final HashLookups lookups;

    /** By lookup, the address that gets the found row, or 0. */
    private final long[] lookedUp = new long[LOOKED_UP];

    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private final PerTable<StoredTable> targets;
    private final boolean partial;
    private final RowSum rows;
    private RedoBatch batch;
    private boolean saving;

    /** The number in the batch of the record that is being applied. */
    private int record;

    private int bucket;
    private long number;

    /**
     * Redo for a store.
     *
     * @param patience the least number of insertions into a table before decoders are given places of it
     */
    public DataRedo(PartitionStore store, long patience) {
        this(store, patience, false, new RowSum(false));
    }

    /**
     * Redo for a store.
     *
     * @param partial whether the store may lack rows, so that changes and deletions of these are left out
     * @param rows gets the rows, unless a decoder wrote them where they stay
     */
    DataRedo(PartitionStore store, long patience, boolean partial, RowSum rows) {
        this.store = store;
        this.rows = rows;
        this.partial = partial;
        in = new ImageCursor(store.memory());
        lookups = new HashLookups(store.memory(), LOOKED_UP);
        targets = new PerTable<>(store, table -> new StoredTable(store, table, patience));
    }

    /** A decoder for this partition, which may run on another thread. There may be several. */
    public DataDecoder newDecoder() {
        return new DataDecoder(store);
    }

    /** Applies a batch. */
    public void apply(RedoBatch whole) {
        batch = whole;
        targets.forgetChanged();
        saveMemory();
        growIndexes();
        Memory memory = batch.memory();
        long end = batch.end();
        long lookedUpTo = RedoBatch.START;
        long at = RedoBatch.START;
        while (at < end) {
            if (at >= lookedUpTo) {
                lookedUpTo = lookUp(memory, at, end);
            }
            long head = memory.getLong(at);
            long next = at + RedoBatch.bytes(head);
            operation(memory, head, at + RedoBatch.HEAD, next);
            at = next;
        }
        targets.forEach(StoredTable::freePlaces);
        if (batch.settles()) {
            targets.forEach(StoredTable::settle);
        }
    }

    /**
     * Gives back memory that was reserved for likely rows while memory is short. Rows that fitted when the transactions ran first must fit
     * again.
     */
    private void saveMemory() {
        boolean little = store.isShortOfMemory();
        if (little && !saving) {
            targets.forEach(StoredTable::save);
        }
        saving = little;
    }

    /** Grows indexes for all insertions of the batch at once, so that splits pass over neighbouring buckets. */
    private void growIndexes() {
        for (int id = 0; id < batch.tables(); id++) {
            int insertions = batch.insertions(id);
            if (insertions != 0) {
                targets.of(id).expect(insertions, batch, saving, store.isObserved());
            }
        }
    }

    /**
     * Looks up the rows of the next operations together, so that their cache misses overlap. A found row replaces the hash in the batch;
     * {@link #find} checks its key. Returns the address of the first operation that was not looked up.
     */
    private long lookUp(Memory memory, long from, long end) {
        lookups.clear();
        boolean rowsMove = false;
        long at = from;
        while (at < end && !lookups.isFull() && !rowsMove) {
            long head = memory.getLong(at);
            long hash = memory.getLong(at + Long.BYTES);
            int kind = RedoBatch.kind(head);
            if ((hash & RedoBatch.HASHED) != 0) {
                HashIndex index = targets.of(RedoBatch.tableId(head)).hash;
                lookedUp[lookups.count()] = kind == RedoBatch.UPDATE || kind == RedoBatch.DELETE ? at + Long.BYTES : 0;
                if (kind == RedoBatch.INSERT) {
                    lookups.insert(index, (int) hash);
                } else {
                    lookups.find(index, (int) hash);
                }
            }
            rowsMove = kind == RedoBatch.PACKED
                    && packedOperation(memory.getLong(at + RedoBatch.HEAD)) == DataFormat.TRUNCATE;
            at += RedoBatch.bytes(head);
        }
        lookups.run();
        for (int i = 0; i < lookups.count(); i++) {
            if (lookedUp[i] != 0) {
                long record = memory.getLong(lookedUp[i]) & ~RedoBatch.FOUND;
                memory.putLong(lookedUp[i], record | lookups.row(i));
            }
        }
        return at;
    }

    private void operation(Memory memory, long head, long at, long end) {
        int kind = RedoBatch.kind(head);
        long second = memory.getLong(at - Long.BYTES);
        record = RedoBatch.recordNumber(second);
        StoredTable target = targets.of(RedoBatch.tableId(head));
        switch (kind) {
            case RedoBatch.PLACED -> placed(target, memory, at);
            case RedoBatch.INSERT -> insertCopy(target, memory, at, second);
            case RedoBatch.UPDATE -> update(target, memory, at, end, second & RedoBatch.FOUND);
            case RedoBatch.DELETE -> delete(target, find(target, memory, at, second & RedoBatch.FOUND, "deletes"));
            case RedoBatch.SPENT -> spend(target, memory.getLong(at));
            case RedoBatch.GIVEN_BACK -> target.giveBack(memory.getLong(at));
            case RedoBatch.PACKED -> packed(target, memory, at);
            default -> throw new IllegalStateException("a batch has an operation of kind " + kind);
        }
    }

    /** Enters rows that the decoder wrote where they stay. */
    private void placed(StoredTable target, Memory memory, long at) {
        long row = memory.getLong(at);
        int count = (int) memory.getLong(at + Long.BYTES);
        if (target.writes.placesAhead().isRetired(row)) {
            copyPlaced(target, memory, at, row, count);
            return;
        }
        target.writes.occupy(row, count);
        if (!target.indexed) {
            return;
        }
        int hashed = target.hash == null ? -1 : target.hashed;
        long words = at + RedoBatch.PLACED_HEAD;
        for (int from = 0; from < count; from += LOOKED_UP) {
            int to = Math.min(from + LOOKED_UP, count);
            if (hashed >= 0) {
                fetchBuckets(target.hash, memory, words, from, to);
            }
            for (int i = from; i < to; i++) {
                long word = memory.getLong(words + (long) i * Long.BYTES);
                record = (int) (word >>> Integer.SIZE);
                try {
                    target.writes.enter(row, hashed, (int) word);
                } catch (DuplicateRowException e) {
                    throw RedoDivergence.inserted(transactionId(), e);
                }
                row += target.codec.rowSize();
            }
        }
    }

    /** Copies rows that were written into memory which the table has lost by a truncation since. */
    private void copyPlaced(StoredTable target, Memory memory, long at, long first, int count) {
        long row = first;
        for (int i = 0; i < count; i++) {
            if (target.indexed) {
                record = (int) (memory.getLong(at + RedoBatch.PLACED_HEAD + (long) i * Long.BYTES) >>> Integer.SIZE);
            }
            insertCopy(target, store.memory(), row, 0);
            row += target.codec.rowSize();
        }
        target.writes.placesAhead().copied(first, row);
    }

    private void fetchBuckets(HashIndex index, Memory memory, long words, int from, int to) {
        lookups.clear();
        for (int i = from; i < to; i++) {
            lookups.insert(index, (int) memory.getLong(words + (long) i * Long.BYTES));
        }
        lookups.run();
    }

    private void insertCopy(StoredTable target, Memory memory, long at, long hash) {
        try {
            long row = (hash & RedoBatch.HASHED) != 0
                    ? target.writes.insertCopy(memory, at, target.hashed, (int) hash)
                    : target.writes.insertCopy(memory, at);
            rows.written(target.table, row);
        } catch (DuplicateRowException e) {
            throw RedoDivergence.inserted(transactionId(), e);
        }
    }

    private void update(StoredTable target, Memory memory, long at, long end, long candidate) {
        long touched = memory.getLong(at);
        long name = at + Long.BYTES;
        long row = find(target, memory, name, candidate, "changes");
        if (row == 0) {
            return;
        }
        if (touched == 0) {
            target.writes.beforeChange(row);
            ColumnWrites.apply(memory, name + target.nameBytes, end, store.memory(), row);
        } else {
            target.writes.beginUpdate(row, touched);
            ColumnWrites.apply(memory, name + target.nameBytes, end, store.memory(), row);
            target.writes.endUpdate(row, touched);
        }
        rows.written(target.table, row);
    }

    private void delete(StoredTable target, long row) {
        if (row != 0) {
            rows.deleted(target.table, row);
            target.delete(row);
        }
    }

    private static void spend(StoredTable target, long rowId) {
        target.writes.raiseNextRowId(DirectWrites.bucket(rowId), DirectWrites.number(rowId) + 1);
    }

    /** Finds a row by its name, first at the place that the lookup has found; 0 if a partial store lacks it. */
    private long find(StoredTable target, Memory memory, long name, long candidate, String does) {
        long row = target.finder != null
                ? target.finder.find(memory, name, candidate)
                : target.writes.find(memory.getLong(name));
        if (row == 0 && !partial) {
            throw RedoDivergence.missing(transactionId(), target, store.memory(), memory, name, does);
        }
        return row;
    }

    /** Applies an operation that the decoder has left encoded. */
    private void packed(StoredTable target, Memory memory, long at) {
        long word = memory.getLong(at);
        int length = (int) word;
        bucket = (int) (word >>> BUCKET_SHIFT) - 1;
        number = memory.getLong(at + Long.BYTES);
        store.begin(transactionId());
        in.over(store.scratch().bringIn(memory, at + 2L * Long.BYTES, length), length);
        switch (packedOperation(word)) {
            case DataFormat.INSERT -> insert(target);
            case DataFormat.UPDATE -> update(target);
            case DataFormat.DELETE -> delete(target, find(target, "deletes"));
            default -> truncate(target);
        }
    }

    private static int packedOperation(long word) {
        return (int) (word >>> OPERATION_SHIFT) & OPERATION;
    }

    /** The first word of a PACKED operation. */
    static long packed(long length, int operation, int bucket) {
        return length | (long) operation << OPERATION_SHIFT | bucket + 1L << BUCKET_SHIFT;
    }

    /** Reads a row's number and makes its row id. */
    private long readRowId(StoredTable target) {
        number += in.signedVarint();
        return target.replicated ? number : DirectWrites.rowId(bucket, number);
    }

    private void insert(StoredTable target) {
        long rowId = readRowId(target);
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
            rows.written(table, row);
        } catch (DuplicateRowException e) {
            throw RedoDivergence.inserted(transactionId(), e);
        }
    }

    private void update(StoredTable target) {
        RowImageCodec codec = target.codec;
        long row = find(target, "changes");
        if (row == 0) {
            return;
        }
        codec.sets().read(in, changed);
        long touched = codec.sets().indexesOf(changed);
        target.writes.beginUpdate(row, touched);
        codec.readColumns(in, changed, row);
        target.writes.endUpdate(row, touched);
        rows.written(target.table, row);
    }

    private void truncate(StoredTable target) {
        int count = store.buckets().count();
        BitSet buckets = new BitSet(count);
        if (target.replicated) {
            buckets.set(0);
        } else {
            for (int first = 0; first < count; first += 8) {
                int bits = in.unsignedByte();
                for (int i = 0; i < 8; i++) {
                    buckets.set(first + i, (bits >> i & 1) != 0);
                }
            }
        }
        target.wantPlacesBack();
        target.freePlaces();
        target.writes.truncate(buckets);
    }

    private long find(StoredTable target, String does) {
        long keyAt = in.at();
        if (target.finder != null) {
            long row = target.finder.find(in);
            if (row != 0 || partial) {
                return row;
            }
            in.backTo(keyAt);
            throw RedoDivergence.missing(
                    transactionId(),
                    target,
                    store.memory(),
                    does,
                    i -> target.codec.readValue(target.codec.keyColumn(i), in));
        }
        long rowId = readRowId(target);
        long row = target.writes.find(rowId);
        if (row == 0 && !partial) {
            throw RedoDivergence.missing(transactionId(), target, rowId, does);
        }
        return row;
    }

    private long transactionId() {
        return batch.transaction(record);
    }
}
