package io.reprise.log.physiological;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ColumnWrites;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.KeyHashes;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.row.RowLayout;

/**
 * The first half of redo: reads data records and unpacks what is in them about one partition's rows, into {@link RedoBatch}es
 * for its {@link DataRedo}. Redo waits for memory, and this doesn't, because it touches no row; so it may be another thread's than
 * the partition's, and the two share the work.
 *
 * <p>It needs the tables' definitions, which must not change meanwhile. {@link DamagedImageException} says that the bytes can't be
 * a data record; a part of it may be in a batch then.
 */
public final class DataDecoder {
    private static final long MOST_KEY_BYTES = 16L << 10;

    private final PartitionStore store;
    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private final PerTable<Target> targets;
    private Memory memory;
    private ImageCursor in;
    private RedoBatch batch;
    private int bucket;
    private boolean owned;
    private long number;

    /** What is needed for the rows of one table. */
    private static final class Target {
        private final TableStore table;
        private final int id;
        private final RowImageCodec codec;
        private final boolean replicated;
        private final boolean unpacksRows;

        /** Of the primary key, if words of it tell rows apart; or null. */
        private final KeyLayout layout;

        private final IndexKey key;

        /** The primary key's, or null. */
        private final HashIndex hash;

        private final IndexKey hashedKey;

        /** Of the primary key, if only its strings tell rows apart; or null. */
        private final KeyHashes hashes;

        private Target(PartitionStore store, TableStore table) {
            this.table = table;
            id = table.id();
            codec = new RowImageCodec(store, table);
            replicated = table.table().replicated();
            unpacksRows = codec.unpacks();
            int primary = table.table().primaryKey().map(key -> key.position()).orElse(-1);
            KeyLayout keyLayout = primary < 0 ? null : table.rowIndex(primary).layout();
            layout = keyLayout == null || keyLayout.inexact() ? null : keyLayout;
            key = layout == null ? null : new IndexKey(layout);
            hash = primary < 0 ? null : table.hashIndex(primary);
            hashedKey = hash == null ? null : new IndexKey(hash.layout());
            hashes = KeyHashes.of(codec);
        }

        /** Whether a row is found by words that are in the record, and not by strings. */
        private boolean findsByWords() {
            return layout != null || !codec.hasKey();
        }
    }

    DataDecoder(PartitionStore store) {
        this.store = store;
        targets = new PerTable<>(store, table -> new Target(store, table));
    }

    /** Decodes a record's payload. What becomes full on the way goes to the batches' owner, who gives another one. */
    public RedoBatch decode(
            long transactionId, Memory source, long address, long length, RedoBatch into, RedoBatches batches) {
        if (memory != source) {
            memory = source;
            in = new ImageCursor(source);
        }
        in.over(address, length);
        bucket = -1;
        batch = into;
        targets.forgetChanged();
        record(transactionId);
        try {
            while (in.hasNext()) {
                group(transactionId, batches);
            }
        } catch (DamagedImageException e) {
            DamagedImageException named = new DamagedImageException(
                    "The data record of transaction " + transactionId + " is none. " + e.getMessage());
            named.initCause(e);
            throw named;
        }
        return batch;
    }

    private void record(long transactionId) {
        long at = batch.begin(Long.BYTES);
        batch.memory().putLong(at, transactionId);
        batch.end(RedoBatch.RECORD, 0, 0, at + Long.BYTES);
    }

    private void group(long transactionId, RedoBatches batches) {
        Target target = readTarget();
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
            if (batch.isFull()) {
                batch = batches.exchange(batch);
                record(transactionId);
            }
            switch (operation & ~DataFormat.BUCKET) {
                case DataFormat.INSERT -> insert(target);
                case DataFormat.UPDATE -> update(target);
                case DataFormat.DELETE -> delete(target);
                case DataFormat.SPENT -> spend(target);
                case DataFormat.TRUNCATE -> truncate(target);
                default -> throw in.damaged("there is no operation " + (operation & ~DataFormat.BUCKET));
            }
        }
    }

    private Target readTarget() {
        int tableId = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
        if (!targets.has(tableId)) {
            throw in.damaged("there is no table " + tableId);
        }
        return targets.of(tableId);
    }

    private void changeBucket(Target target) {
        if (target.replicated) {
            throw in.damaged("a row of replicated table " + target.table.table().name() + " has a bucket");
        }
        bucket = in.varintUpTo(Buckets.COUNT - 1, "a bucket");
        owned = store.owns(bucket);
        number = 0;
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
        long start = in.at();
        long before = number;
        long rowId = readRowId(target);
        if (!owned) {
            target.codec.skipRow(in);
            return;
        }
        batch.countInsertion(target.id);
        if (!target.unpacksRows || !unpackInsert(target, rowId)) {
            in.backTo(start);
            in.signedVarint();
            long hash = hashOrSkipRow(target);
            pack(target, DataFormat.INSERT, start, before, hash);
        }
    }

    private long hashOrSkipRow(Target target) {
        if (target.hashes != null) {
            return hashed(target.hashes.ofRow(in));
        }
        target.codec.skipRow(in);
        return 0;
    }

    private boolean unpackInsert(Target target, long rowId) {
        int rowSize = target.codec.rowSize();
        long row = batch.begin(rowSize);
        Memory to = batch.memory();
        to.putLong(row, rowId | RowLayout.LIVE);
        if (!target.codec.unpackRow(in, to, row)) {
            return false;
        }
        long hash = 0;
        if (target.hash != null) {
            target.codec.keyOfRow(to, row, target.hash.layout(), target.hashedKey);
            hash = hashed(target.hash.hashOf(target.hashedKey));
        }
        batch.end(RedoBatch.INSERT, target.id, hash, row + rowSize);
        return true;
    }

    private static long hashed(int hash) {
        return RedoBatch.HASHED | hash & 0xFFFF_FFFFL;
    }

    private void update(Target target) {
        long start = in.at();
        long before = number;
        RowImageCodec codec = target.codec;
        if (!owned) {
            skipRowName(target);
            codec.sets().read(in, changed);
            codec.skipColumns(in, changed);
            return;
        }
        if (target.findsByWords()) {
            long at = batch.begin(2L * Long.BYTES
                    + (target.key == null ? 0 : (long) target.key.words.length * Long.BYTES)
                    + ColumnWrites.most(codec.columnCount()));
            long writes = putRowName(target, at + Long.BYTES);
            readChanged(target);
            batch.memory().putLong(at, codec.sets().indexesOf(changed));
            long end = codec.unpackColumns(in, changed, batch.memory(), writes);
            if (end >= 0) {
                batch.end(RedoBatch.UPDATE, target.id, hashOfKey(target), end);
                return;
            }
            in.backTo(start);
        }
        long hash = skipOrHashRowName(target, before);
        readChanged(target);
        codec.skipColumns(in, changed);
        pack(target, DataFormat.UPDATE, start, before, hash);
    }

    private void readChanged(Target target) {
        target.codec.sets().read(in, changed);
        if (target.codec.sets().hasUnique(changed)) {
            throw in.damaged("a unique key of table " + target.table.table().name() + " changes in place");
        }
    }

    private void delete(Target target) {
        long start = in.at();
        long before = number;
        if (!owned) {
            skipRowName(target);
        } else if (target.findsByWords()) {
            long at = batch.begin(MOST_KEY_BYTES);
            long end = putRowName(target, at);
            batch.end(RedoBatch.DELETE, target.id, hashOfKey(target), end);
        } else {
            long hash = skipOrHashRowName(target, before);
            pack(target, DataFormat.DELETE, start, before, hash);
        }
    }

    /** Reads the primary key and puts its words, or the number and puts the row id. */
    private long putRowName(Target target, long address) {
        Memory to = batch.memory();
        if (target.layout == null) {
            to.putLong(address, readRowId(target));
            return address + Long.BYTES;
        }
        target.codec.readKey(in, target.layout, target.key);
        long at = address;
        for (long word : target.key.words) {
            to.putLong(at, word);
            at += Long.BYTES;
        }
        return at;
    }

    private static long hashOfKey(Target target) {
        return target.hash == null ? 0 : hashed(target.hash.hashOf(target.key));
    }

    private void skipRowName(Target target) {
        if (target.codec.hasKey()) {
            target.codec.skipKey(in);
        } else {
            readRowId(target);
        }
    }

    /** The same again, if need be, of a row that is not found by words. */
    private long skipOrHashRowName(Target target, long numberBefore) {
        number = numberBefore;
        if (target.hashes != null) {
            return hashed(target.hashes.ofKey(in));
        }
        skipRowName(target);
        return 0;
    }

    private void spend(Target target) {
        long rowId = readRowId(target);
        if (owned) {
            long at = batch.begin(Long.BYTES);
            batch.memory().putLong(at, rowId);
            batch.end(RedoBatch.SPENT, target.id, 0, at + Long.BYTES);
        }
    }

    private void truncate(Target target) {
        long start = in.at();
        if (!target.replicated) {
            in.skip(Buckets.COUNT / 8);
        }
        pack(target, DataFormat.TRUNCATE, start, number, 0);
    }

    /** Leaves an operation as it is: for the redo to read. */
    private void pack(Target target, int operation, long start, long numberBefore, long hash) {
        long length = in.at() - start;
        long at = batch.begin(2L * Long.BYTES + length);
        Memory to = batch.memory();
        to.putLong(at, DataRedo.packed(length, operation, bucket));
        to.putLong(at + Long.BYTES, numberBefore);
        to.copyFrom(memory, start, at + 2L * Long.BYTES, length);
        batch.end(RedoBatch.PACKED, target.id, hash, at + 2L * Long.BYTES + length);
    }
}
