package io.reprise.log.physiological;

import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ColumnWrites;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.KeyHashes;
import io.reprise.storage.image.QuickImages;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The first half of redo: reads data records and unpacks what is in them about one partition's rows, into {@link RedoBatch}es
 * for its {@link DataRedo}. Redo waits for memory, and this doesn't, because it touches no row that anyone else knows of; so it may be
 * another thread's than the partition's, and the two share the work. New rows it writes where they stay, if it can ({@link Placement}).
 *
 * <p>It needs the tables' definitions, which must not change meanwhile. {@link DamagedImageException} says that the bytes can't be
 * a data record; a part of it may be in a batch then.
 */
public final class DataDecoder {
    private static final long MOST_KEY_BYTES = 16L << 10;

    /** Of what comes before an image: kind, bucket, number. */
    private static final long OPERATION_REACH = 3 * Long.BYTES;

    private final PartitionStore store;

    /** The partition's memory. */
    private final Memory rows;

    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private final PerTable<Target> targets;

    /** Tables whose rows are written where they stay. */
    private final List<Target> placing = new ArrayList<>();

    private Memory memory;
    private ImageCursor in;
    private RedoBatches batches;
    private RedoBatch batch;
    private long transactionId;
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
        private final boolean indexed;
        private final Placement placement;

        /** Of the primary key, if words of it tell rows apart; or null. */
        private final KeyLayout layout;

        private final IndexKey key;

        /** The primary key's, or null. */
        private final HashIndex hash;

        private final IndexKey hashedKey;

        /** Of the primary key, if only its strings tell rows apart; or null. */
        private final KeyHashes hashes;

        /** Null where the table is not one for it. */
        private final QuickImages quick;

        /** How far from where an operation begins bytes are read, whatever they are. */
        private final long reach;

        private final long mostUpdateBytes;

        private Target(PartitionStore store, TableStore table, long patience) {
            this.table = table;
            id = table.id();
            codec = new RowImageCodec(store, table);
            replicated = table.table().replicated();
            unpacksRows = codec.unpacks();
            indexed = !table.table().indexes().isEmpty();
            placement = new Placement(table, replicated ? 1 : Buckets.COUNT, patience);
            int primary = table.table().primaryKey().map(key -> key.position()).orElse(-1);
            KeyLayout keyLayout = primary < 0 ? null : table.rowIndex(primary).layout();
            layout = keyLayout == null || keyLayout.inexact() ? null : keyLayout;
            key = layout == null ? null : new IndexKey(layout);
            hash = primary < 0 ? null : table.hashIndex(primary);
            hashedKey = hash == null ? null : new IndexKey(hash.layout());
            hashes = KeyHashes.of(codec);
            quick = codec.quickImages();
            reach = quick == null ? 0 : OPERATION_REACH + quick.reach();
            mostUpdateBytes = 2L * Long.BYTES
                    + (key == null ? 0 : (long) key.words.length * Long.BYTES)
                    + ColumnWrites.most(codec.columnCount());
        }

        /** Whether a row is found by words that are in the record, and not by strings. */
        private boolean findsByWords() {
            return layout != null || !codec.hasKey();
        }
    }

    DataDecoder(PartitionStore store, long patience) {
        this.store = store;
        rows = store.memory();
        targets = new PerTable<>(store, table -> new Target(store, table, patience));
    }

    /** Decodes a record's payload. What becomes full on the way goes to the batches' owner, who gives another one. */
    public RedoBatch decode(
            long ofTransaction, Memory source, long address, long length, RedoBatch into, RedoBatches exchange) {
        if (memory != source) {
            memory = source;
            in = new ImageCursor(source);
        }
        in.over(address, length);
        bucket = -1;
        batch = into;
        batches = exchange;
        transactionId = ofTransaction;
        targets.forgetChanged();
        batch.record(transactionId);
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
        return batch;
    }

    /**
     * From now on the partition's thread takes places for rows itself: to be called before it is sent anything else than this decoder's
     * batches, and before what it has stored is looked at.
     */
    public RedoBatch settle(RedoBatch into, RedoBatches exchange) {
        batch = into;
        batches = exchange;
        batch.record(transactionId);
        while (!placing.isEmpty()) {
            stopPlacing(placing.getLast());
        }
        return batch;
    }

    /** Whether there is anything to {@linkplain #settle}. */
    public boolean isPlacing() {
        return !placing.isEmpty();
    }

    private void stopPlacing(Target target) {
        if (!target.placement.isOver()) {
            placing.remove(target);
            endPlacement(target);
        }
    }

    /** What rows have left behind comes after them, for the redo. */
    private void endPlacement(Target target) {
        Placement placement = target.placement;
        placement.end();
        batch.endPlaced(target.id);
        for (int i = 0; i < placement.buckets(); i++) {
            long highest = placement.takeHighestNumber(i);
            if (highest >= 0) {
                exchangeIfFull();
                putSpent(target, target.replicated ? highest : DirectWrites.rowId(i, highest));
            }
        }
        exchangeIfFull();
        batch.end(RedoBatch.RELEASE, target.id, 0, batch.begin(0));
    }

    private void group() {
        Target target = readTarget();
        number = 0;
        owned = target.replicated || bucket >= 0 && store.owns(bucket);
        while (target.quick == null || !quickOperations(target)) {
            if (!operation(target)) {
                return;
            }
        }
    }

    /**
     * Goes through the group as long as its operations are insertions that are {@linkplain Placement placed} and updates that are found by
     * words, as nearly all are: the same as {@link #operation} does, in fewer steps, because what could be wrong is asked once for each and
     * not for each byte. Stops before anything else, as if it had not begun with it. Returns whether the group has ended.
     */
    private boolean quickOperations(Target target) {
        Memory source = memory;
        long end = in.end();
        long at = in.at();
        while (at < end && source.size() - at >= target.reach) {
            int operation = source.getByte(at);
            if (operation == DataFormat.END) {
                in.backTo(at + 1);
                return true;
            }
            long from = at;
            at++;
            if ((operation & DataFormat.BUCKET) != 0) {
                long word = source.getLong(at);
                int size = Varint.sizeInWord(word);
                long read = Varint.ofWord(word, size);
                if (size > 2 || read >= Buckets.COUNT || target.replicated) {
                    in.backTo(from);
                    return false;
                }
                at += size;
                bucket = (int) read;
                owned = store.owns(bucket);
                number = 0;
            }
            at = switch (operation & ~DataFormat.BUCKET) {
                case DataFormat.INSERT -> quickInsert(target, at, end);
                case DataFormat.UPDATE -> quickUpdate(target, at, end);
                default -> QuickImages.OTHERWISE;
            };
            if (at < 0) {
                in.backTo(from);
                return false;
            }
        }
        in.backTo(at);
        return false;
    }

    private long quickInsert(Target target, long at, long end) {
        Placement placement = target.placement;
        makeRoom();
        if (!owned || !placement.hasRoom() || bucket < 0 && !target.replicated) {
            return QuickImages.OTHERWISE;
        }
        long word = memory.getLong(at);
        int size = Varint.sizeInWord(word);
        long rowNumber = number + Varint.unfold(Varint.ofWord(word, size));
        if (size > Integer.BYTES || DirectWrites.number(rowNumber) != rowNumber) {
            return QuickImages.OTHERWISE;
        }
        long row = placement.next();
        long next = target.quick.row(memory, at + size, rows, row);
        if (next < at || next > end) {
            return QuickImages.OTHERWISE;
        }
        number = rowNumber;
        placed(target, row);
        return next;
    }

    private long quickUpdate(Target target, long at, long end) {
        QuickImages quick = target.quick;
        if (!owned || target.layout == null || !quick.readsKeys()) {
            return QuickImages.OTHERWISE;
        }
        makeRoom();
        long setAt = quick.key(memory, at, target.key);
        long set = setAt < at ? QuickImages.OTHERWISE : quick.set(memory, setAt);
        if (set < 0) {
            return QuickImages.OTHERWISE;
        }
        long to = batch.begin(target.mostUpdateBytes);
        Memory into = batch.memory();
        into.putLong(to, quick.indexesOf(set));
        long writes = to + Long.BYTES;
        for (long word : target.key.words) {
            into.putLong(writes, word);
            writes += Long.BYTES;
        }
        long next = quick.columns(memory, setAt + quick.setBytes(), set, into, writes);
        if (next < at || next > end) {
            return QuickImages.OTHERWISE;
        }
        batch.end(RedoBatch.UPDATE, target.id, hashOfKey(target), writes + quick.writesOf(set));
        return next;
    }

    /** Reads an operation, whatever it is. Returns false at the end of the group. */
    private boolean operation(Target target) {
        int operation = in.unsignedByte();
        if (operation == DataFormat.END) {
            return false;
        }
        if ((operation & DataFormat.BUCKET) != 0) {
            changeBucket(target);
        }
        makeRoom();
        switch (operation & ~DataFormat.BUCKET) {
            case DataFormat.INSERT -> insert(target);
            case DataFormat.UPDATE -> update(target);
            case DataFormat.DELETE -> delete(target);
            case DataFormat.SPENT -> spend(target);
            case DataFormat.TRUNCATE -> truncate(target);
            default -> throw in.damaged("there is no operation " + (operation & ~DataFormat.BUCKET));
        }
        return true;
    }

    /** For another operation. */
    private void makeRoom() {
        if (exchangeIfFull()) {
            for (int i = placing.size() - 1; i >= 0; i--) {
                if (placing.get(i).placement.isWantedBack()) {
                    stopPlacing(placing.get(i));
                }
            }
        }
    }

    private boolean exchangeIfFull() {
        if (!batch.isFull()) {
            return false;
        }
        batch = batches.exchange(batch);
        batch.record(transactionId);
        return true;
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
        if (target.unpacksRows && placesNext(target) && place(target)) {
            return;
        }
        batch.countInsertion(target.id);
        if (!target.unpacksRows || !target.placement.isOver() || !unpackInsert(target, rowId)) {
            stopPlacing(target);
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

    /** Whether the next row is written where it stays. */
    private boolean placesNext(Target target) {
        Placement placement = target.placement;
        if (placement.isOver()) {
            if (!placement.wantsToBegin()) {
                return false;
            }
            drain();
            placement.begin();
            placing.add(target);
        } else if (!placement.hasRoom()) {
            drain();
        }
        if (!placement.hasRoom()) {
            stopPlacing(target);
            return false;
        }
        return true;
    }

    private void drain() {
        batch = batches.drain(batch);
        batch.record(transactionId);
    }

    private boolean place(Target target) {
        long row = target.placement.next();
        if (!target.codec.unpackRow(in, rows, row)) {
            return false;
        }
        placed(target, row);
        return true;
    }

    /** The row with this number lies in its place, but for its header. */
    private void placed(Target target, long row) {
        rows.putLong(row, (target.replicated ? number : DirectWrites.rowId(bucket, number)) | RowLayout.LIVE);
        batch.countInsertion(target.id);
        batch.place(target.id, row, target.codec.rowSize(), target.indexed, hashOfRow(target, rows, row));
        target.placement.take(target.replicated ? 0 : bucket, number);
    }

    /** Of its primary key, if that is hashed. */
    private static int hashOfRow(Target target, Memory memory, long row) {
        if (target.hash == null) {
            return 0;
        }
        target.codec.keyOfRow(memory, row, target.hash.layout(), target.hashedKey);
        return target.hash.hashOf(target.hashedKey);
    }

    private boolean unpackInsert(Target target, long rowId) {
        int rowSize = target.codec.rowSize();
        long row = batch.begin(rowSize);
        Memory to = batch.memory();
        to.putLong(row, rowId | RowLayout.LIVE);
        if (!target.codec.unpackRow(in, to, row)) {
            return false;
        }
        int hash = hashOfRow(target, to, row);
        batch.end(RedoBatch.INSERT, target.id, target.hash == null ? 0 : hashed(hash), row + rowSize);
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
            long at = batch.begin(target.mostUpdateBytes);
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
            return;
        }
        stopPlacing(target);
        if (target.findsByWords()) {
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
            putSpent(target, rowId);
        }
    }

    private void putSpent(Target target, long rowId) {
        long at = batch.begin(Long.BYTES);
        batch.memory().putLong(at, rowId);
        batch.end(RedoBatch.SPENT, target.id, 0, at + Long.BYTES);
    }

    private void truncate(Target target) {
        stopPlacing(target);
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
