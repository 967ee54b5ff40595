package io.reprise.redo;

import io.reprise.catalog.Column;
import io.reprise.record.data.DataFormat;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.DuplicateRowException;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.ValueText;
import io.reprise.storage.image.ColumnWrites;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.HashLookups;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.BitSet;
import java.util.function.IntToLongFunction;

/**
 * The second half of redo: stores in a partition's tables what a {@link DataDecoder} has unpacked of data records, in the order of
 * the log, each once: rows in buckets that the partition owns, and all rows of replicated tables. How many partitions there
 * were when the record was written does not matter.
 *
 * <p>There is no undo: after an exception the partition is useless, and recovery stops. {@link DivergedReplayException} says
 * that records don't fit the rows. The partition's memory limit can be reached too, as by a transaction. No Java objects are made
 * for a record. Owned by the partition's thread.
 */
public final class DataRedo {
    /** How many rows are looked up together: enough to wait for once, few enough to be still in the cache when they are used. */
    private static final int LOOKED_UP = 48;

    private static final int OPERATION_SHIFT = 32;
    private static final int OPERATION = 0xFF;
    private static final int BUCKET_SHIFT = 40;

    private final PartitionStore store;
    private final ImageCursor in;
    private final HashLookups lookups;

    /** By lookup, where what is found goes, or 0. */
    private final long[] lookedUp = new long[LOOKED_UP];

    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private final PerTable<StoredTable> targets;
    private RedoBatch batch;
    private boolean saving;

    /** In the batch, of the operation that is being stored. */
    private int record;

    private int bucket;
    private long number;

    /**
     * For records to be applied to this store.
     *
     * @param patience after how many insertions into a table decoders are given places of it, at least
     */
    public DataRedo(PartitionStore store, long patience) {
        this.store = store;
        in = new ImageCursor(store.memory());
        lookups = new HashLookups(store.memory(), LOOKED_UP);
        targets = new PerTable<>(store, table -> new StoredTable(store, table, patience));
    }

    /** What decodes records for this partition, on another thread perhaps; there may be several. */
    public DataDecoder newDecoder() {
        return new DataDecoder(store);
    }

    /** Stores what is in a batch. */
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
     * While there is little memory left, none is taken for what only may come, and what was taken is given back: others could be refused
     * theirs otherwise, who got it when the transactions ran first.
     */
    private void saveMemory() {
        boolean little = store.isShortOfMemory();
        if (little && !saving) {
            targets.forEach(StoredTable::save);
        }
        saving = little;
    }

    /** For all insertions of the batch at once: what they add to an index is split from buckets that follow each other. */
    private void growIndexes() {
        for (int id = 0; id < batch.tables(); id++) {
            int insertions = batch.insertions(id);
            if (insertions != 0) {
                targets.of(id).expect(insertions, batch, saving, store.isObserved());
            }
        }
    }

    /**
     * Looks up the rows that the next operations need, many at a time: each would be waited for if it came by itself. What is found
     * goes where the hash was, for {@link #find} to look whether it is what is wanted. Returns behind which operation there are more.
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
            case RedoBatch.DELETE -> target.delete(find(target, memory, at, second & RedoBatch.FOUND, "deletes"));
            case RedoBatch.SPENT -> spend(target, memory.getLong(at));
            case RedoBatch.GIVEN_BACK -> target.giveBack(memory.getLong(at));
            case RedoBatch.PACKED -> packed(target, memory, at);
            default -> throw new IllegalStateException("a batch has an operation of kind " + kind);
        }
    }

    /** Rows that are in their places already. */
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
                    throw inserted(e);
                }
                row += target.codec.rowSize();
            }
        }
    }

    /** Rows that were written where the table was before all of its rows were deleted. */
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
            if ((hash & RedoBatch.HASHED) != 0) {
                target.writes.insertCopy(memory, at, target.hashed, (int) hash);
            } else {
                target.writes.insertCopy(memory, at);
            }
        } catch (DuplicateRowException e) {
            throw inserted(e);
        }
    }

    private DivergedReplayException inserted(DuplicateRowException e) {
        return diverged("it inserts a row that is there already. " + e.getMessage(), e);
    }

    private void update(StoredTable target, Memory memory, long at, long end, long candidate) {
        long touched = memory.getLong(at);
        long name = at + Long.BYTES;
        long row = find(target, memory, name, candidate, "changes");
        if (touched == 0) {
            target.writes.beforeChange(row);
            ColumnWrites.apply(memory, name + target.nameBytes, end, store.memory(), row);
            return;
        }
        target.writes.beginUpdate(row, touched);
        ColumnWrites.apply(memory, name + target.nameBytes, end, store.memory(), row);
        target.writes.endUpdate(row, touched);
    }

    private static void spend(StoredTable target, long rowId) {
        target.writes.raiseNextRowId(DirectWrites.bucket(rowId), DirectWrites.number(rowId) + 1);
    }

    /** Finds a row by its name; it may have been looked up already. */
    private long find(StoredTable target, Memory memory, long name, long candidate, String does) {
        long row = target.finder != null
                ? target.finder.find(memory, name, candidate)
                : target.writes.find(memory.getLong(name));
        return row != 0 ? row : missing(target, memory, name, does);
    }

    private long missing(StoredTable target, Memory memory, long name, String does) {
        if (target.finder == null) {
            throw missing(target, memory.getLong(name), does);
        }
        KeyLayout layout = target.finder.layout();
        IndexKey key = new IndexKey(layout);
        for (int i = 0; i < key.words.length; i++) {
            key.words[i] = memory.getLong(name + (long) i * Long.BYTES);
        }
        throw missing(target, does, i -> layout.value(key, i));
    }

    /** An operation that the decoder has left as it was. */
    private void packed(StoredTable target, Memory memory, long at) {
        long word = memory.getLong(at);
        int length = (int) word;
        bucket = (int) (word >>> BUCKET_SHIFT) - 1;
        number = memory.getLong(at + Long.BYTES);
        store.begin(batch.transaction(record));
        in.over(store.scratch().bringIn(memory, at + 2L * Long.BYTES, length), length);
        switch (packedOperation(word)) {
            case DataFormat.INSERT -> insert(target);
            case DataFormat.UPDATE -> update(target);
            case DataFormat.DELETE -> target.delete(find(target, "deletes"));
            default -> truncate(target);
        }
    }

    private static int packedOperation(long word) {
        return (int) (word >>> OPERATION_SHIFT) & OPERATION;
    }

    /** The first word of an operation that is left as it was. */
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
        } catch (DuplicateRowException e) {
            throw inserted(e);
        }
    }

    private void update(StoredTable target) {
        RowImageCodec codec = target.codec;
        long row = find(target, "changes");
        codec.sets().read(in, changed);
        long touched = codec.sets().indexesOf(changed);
        target.writes.beginUpdate(row, touched);
        codec.readColumns(in, changed, row);
        target.writes.endUpdate(row, touched);
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
            if (row != 0) {
                return row;
            }
            in.backTo(keyAt);
            throw missing(target, does, i -> target.codec.readValue(target.codec.keyColumn(i), in));
        }
        long rowId = readRowId(target);
        long row = target.writes.find(rowId);
        if (row == 0) {
            throw missing(target, rowId, does);
        }
        return row;
    }

    private DivergedReplayException missing(StoredTable target, long rowId, String does) {
        return diverged(
                "it " + does + " row " + DirectWrites.number(rowId) + " in bucket " + DirectWrites.bucket(rowId)
                        + " of table " + target.table.table().name() + ", which is not there.",
                null);
    }

    private DivergedReplayException missing(StoredTable target, String does, IntToLongFunction keyValues) {
        return diverged(
                "it " + does + " the row with " + keyText(target, keyValues) + " of table "
                        + target.table.table().name() + ", which is not there.",
                null);
    }

    private DivergedReplayException diverged(String what, Throwable cause) {
        long transactionId = batch.transaction(record);
        return new DivergedReplayException(
                transactionId,
                "Replay has come to other data than there was when transaction " + Long.toHexString(transactionId)
                        + " ran first: " + what,
                cause);
    }

    private String keyText(StoredTable target, IntToLongFunction keyValues) {
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < target.codec.keyColumnCount(); i++) {
            Column column = target.table.table().columns().get(target.codec.keyColumn(i));
            columns.append(i == 0 ? "" : ", ").append(column.name());
            values.append(i == 0 ? "" : ", ")
                    .append(ValueText.of(store.memory(), column.type(), keyValues.applyAsLong(i)));
        }
        return "(" + columns + ") = (" + values + ")";
    }
}
