package io.reprise.redo;

import io.reprise.record.data.DataFormat;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.QuickImages;
import io.reprise.storage.image.RowImageCodec;

/**
 * The first half of redo: decodes data records, and unpacks the operations on one partition's rows into {@link RedoBatch}es for its
 * {@link DataRedo}. It touches no row of a table, so it may run on another thread than the partition's. New rows it writes where they
 * stay, as long as it has places ({@link Placement}).
 *
 * <p>Table definitions must not change while a batch is under way. {@link DamagedImageException} means that the bytes are no data record;
 * a batch may have a part of it then.
 */
public final class DataDecoder {
    private static final long MOST_KEY_BYTES = 16L << 10;

    private final PartitionStore store;

    /** The partition's memory. */
    private final Memory rows;

    private final long[] changed = new long[DataFormat.MOST_COLUMN_WORDS];
    private final PerTable<DecodedTable> targets;
    private final int bucketCount;
    private final RedoOutput out;
    private Memory memory;
    private ImageCursor in;
    private int bucket;
    private boolean owned;
    private long number;

    /** The only bucket whose operations are unpacked; -1: all that the partition owns. */
    private int only = -1;

    DataDecoder(PartitionStore store) {
        this.store = store;
        bucketCount = store.buckets().count();
        rows = store.memory();
        out = new RedoOutput(rows);
        targets = new PerTable<>(store, table -> new DecodedTable(store, table));
    }

    /** From now on only operations of one bucket are unpacked; -1: those of all buckets that the partition owns. */
    void confineTo(int newOnly) {
        only = newOnly;
    }

    private boolean unpacks(int of) {
        return (only < 0 || only == of) && store.owns(of);
    }

    /** Decodes a payload. A full batch goes to {@code batches}, which returns an empty one. Returns the batch under construction. */
    public RedoBatch decode(
            long transactionId, Memory source, long address, long length, RedoBatch into, RedoBatches batches) {
        if (memory != source) {
            memory = source;
            in = new ImageCursor(source);
        }
        in.over(address, length);
        bucket = -1;
        targets.forgetChanged();
        out.begin(transactionId, into, batches);
        try {
            groups();
        } catch (DamagedImageException e) {
            DamagedImageException named = new DamagedImageException(
                    "The data record of transaction " + transactionId + " is none. " + e.getMessage());
            named.initCause(e);
            throw named;
        }
        return out.batch();
    }

    /**
     * Gives back all places. Every decoder must do so before the partition is used for anything but redo, and the last batch must be told
     * to {@linkplain RedoBatch#settle settle}.
     */
    public void giveBack(RedoBatch into, RedoBatches batches) {
        out.giveBack(into, batches, table -> true);
    }

    /** Gives back the places that the partition wants back. Called once a frame. */
    public void giveBackWhatIsWanted(RedoBatch into, RedoBatches batches) {
        out.giveBack(into, batches, RedoOutput::isWantedBack);
    }

    /** From now on it takes places that the partition gives away, or none. */
    public void takePlaces(boolean value) {
        out.takePlaces(value);
    }

    /** Whether it has places. */
    public boolean hasPlaces() {
        return out.hasPlaces(table -> true);
    }

    /** Whether it has places that the partition wants back. */
    public boolean isWantedBack() {
        return out.hasPlaces(RedoOutput::isWantedBack);
    }

    private void groups() {
        DecodedTable group = quickOperations(null);
        while (group != null || in.hasNext()) {
            if (group == null) {
                group = readTarget();
                begin(group);
            }
            group = quickOperations(operation(group) ? group : null);
        }
    }

    private void begin(DecodedTable target) {
        number = 0;
        owned = target.replicated || bucket >= 0 && unpacks(bucket);
        if (only >= 0 && target.replicated) {
            throw in.damaged("a record of several buckets has rows of replicated table "
                    + target.table.table().name());
        }
    }

    /**
     * The fast path: decodes insertions into places and updates of rows that are found by words, with one bounds check for each. It stops
     * before any other operation, which {@link #operation} decodes.
     *
     * @param within the table of the current group; null between groups
     * @return the same at the place where it stops
     */
    private DecodedTable quickOperations(DecodedTable within) {
        Memory source = memory;
        long end = in.end();
        long at = in.at();
        DecodedTable target = within;
        while (at < end) {
            if (target == null) {
                // Null for an id of more than one byte, and for a table that comes for the first time.
                target = targets.made(source.getByte(at));
                if (target == null) {
                    break;
                }
                at++;
                begin(target);
            } else {
                if (source.size() - at < target.reach) {
                    break;
                }
                int operation = source.getByte(at);
                if (operation == DataFormat.END) {
                    at++;
                    target = null;
                } else {
                    long next = quickOperation(target, operation, at + 1, end);
                    if (next < 0) {
                        break;
                    }
                    at = next;
                }
            }
        }
        in.backTo(at);
        return target;
    }

    private long quickOperation(DecodedTable target, int operation, long from, long end) {
        long at = from;
        if ((operation & DataFormat.BUCKET) != 0) {
            long word = memory.getLong(at);
            int size = Varint.sizeInWord(word);
            long read = Varint.ofWord(word, size);
            if (size > 3 || read >= bucketCount || target.replicated) {
                return QuickImages.OTHERWISE;
            }
            at += size;
            bucket = (int) read;
            owned = unpacks(bucket);
            number = 0;
        }
        return switch (operation & ~DataFormat.BUCKET) {
            case DataFormat.INSERT -> quickInsert(target, at, end);
            case DataFormat.UPDATE -> quickUpdate(target, at, end);
            default -> QuickImages.OTHERWISE;
        };
    }

    private long quickInsert(DecodedTable target, long at, long end) {
        out.makeRoom();
        if (!owned || bucket < 0 && !target.replicated || !out.hasPlace(target)) {
            return QuickImages.OTHERWISE;
        }
        long word = memory.getLong(at);
        int size = Varint.sizeInWord(word);
        long rowNumber = number + Varint.unfold(Varint.ofWord(word, size));
        if (size > Integer.BYTES || DirectWrites.number(rowNumber) != rowNumber) {
            return QuickImages.OTHERWISE;
        }
        long row = target.placement.next();
        long next = target.quick.row(memory, at + size, rows, row);
        if (next < at || next > end) {
            return QuickImages.OTHERWISE;
        }
        number = rowNumber;
        out.placed(target, bucket, number, row);
        return next;
    }

    private long quickUpdate(DecodedTable target, long at, long end) {
        QuickImages quick = target.quick;
        if (!owned || target.layout == null || !quick.readsKeys()) {
            return QuickImages.OTHERWISE;
        }
        out.makeRoom();
        long setAt = quick.key(memory, at, target.key);
        long set = setAt < at ? QuickImages.OTHERWISE : quick.set(memory, setAt);
        if (set < 0) {
            return QuickImages.OTHERWISE;
        }
        RedoBatch batch = out.batch();
        long to = batch.begin(target.mostUpdateBytes);
        Memory into = batch.memory();
        into.putLong(to, quick.indexesOf(set));
        long writes = putKey(target, into, to + Long.BYTES);
        long next = quick.columns(memory, setAt + quick.setBytes(), set, into, writes);
        if (next < at || next > end) {
            return QuickImages.OTHERWISE;
        }
        batch.end(RedoBatch.UPDATE, target.id, target.hashedKeyWord(), writes + quick.writesOf(set));
        return next;
    }

    /** Decodes any operation. Returns false at the end of the group. */
    private boolean operation(DecodedTable target) {
        int operation = in.unsignedByte();
        if (operation == DataFormat.END) {
            return false;
        }
        if ((operation & DataFormat.BUCKET) != 0) {
            changeBucket(target);
        }
        out.makeRoom();
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

    private DecodedTable readTarget() {
        int tableId = in.varintUpTo(Integer.MAX_VALUE, "a table's id");
        if (!targets.has(tableId)) {
            throw in.damaged("there is no table " + tableId);
        }
        return targets.of(tableId);
    }

    private void changeBucket(DecodedTable target) {
        if (target.replicated) {
            throw in.damaged("a row of replicated table " + target.table.table().name() + " has a bucket");
        }
        bucket = in.varintUpTo(bucketCount - 1, "a bucket");
        owned = unpacks(bucket);
        number = 0;
    }

    /** Reads a row's number and makes its row id. */
    private long readRowId(DecodedTable target) {
        number += in.signedVarint();
        if (DirectWrites.number(number) != number) {
            throw in.damaged("a row has number " + number);
        }
        checkHasBucket(target);
        return target.replicated ? number : DirectWrites.rowId(bucket, number);
    }

    private void insert(DecodedTable target) {
        long start = in.at();
        long before = number;
        long rowId = readRowId(target);
        if (!owned) {
            target.codec.skipRow(in);
            return;
        }
        boolean hasPlace = target.unpacksRows && out.hasPlace(target);
        if (hasPlace && place(target)) {
            return;
        }
        out.batch().countInsertion(target.id);
        // A row that can't be unpacked into its place can't be unpacked anywhere.
        if (!target.unpacksRows || hasPlace || !out.putInsert(target, in, rowId)) {
            in.backTo(start);
            in.signedVarint();
            long hash = hashOrSkipRow(target);
            pack(target, DataFormat.INSERT, start, before, hash);
        }
    }

    private long hashOrSkipRow(DecodedTable target) {
        if (target.hashes != null) {
            return RedoBatch.hashed(target.hashes.ofRow(in));
        }
        target.codec.skipRow(in);
        return 0;
    }

    private boolean place(DecodedTable target) {
        long row = target.placement.next();
        if (!target.codec.unpackRow(in, rows, row)) {
            return false;
        }
        out.placed(target, bucket, number, row);
        return true;
    }

    private void checkHasBucket(DecodedTable target) {
        if (bucket < 0 && !target.replicated) {
            throw in.damaged("a row has no bucket");
        }
    }

    private void update(DecodedTable target) {
        checkHasBucket(target);
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
            RedoBatch batch = out.batch();
            long at = batch.begin(target.mostUpdateBytes);
            long writes = putRowName(target, at + Long.BYTES);
            readChanged(target);
            batch.memory().putLong(at, codec.sets().indexesOf(changed));
            long end = codec.unpackColumns(in, changed, batch.memory(), writes);
            if (end >= 0) {
                batch.end(RedoBatch.UPDATE, target.id, target.hashedKeyWord(), end);
                return;
            }
            in.backTo(start);
        }
        long hash = skipOrHashRowName(target, before);
        readChanged(target);
        codec.skipColumns(in, changed);
        pack(target, DataFormat.UPDATE, start, before, hash);
    }

    private void readChanged(DecodedTable target) {
        target.codec.sets().read(in, changed);
        if (target.codec.sets().hasUnique(changed)) {
            throw in.damaged("a unique key of table " + target.table.table().name() + " changes in place");
        }
    }

    private void delete(DecodedTable target) {
        checkHasBucket(target);
        long start = in.at();
        long before = number;
        if (!owned) {
            skipRowName(target);
            return;
        }
        RedoBatch batch = out.batch();
        target.placed.end();
        if (target.findsByWords()) {
            long at = batch.begin(MOST_KEY_BYTES);
            long end = putRowName(target, at);
            batch.end(RedoBatch.DELETE, target.id, target.hashedKeyWord(), end);
        } else {
            long hash = skipOrHashRowName(target, before);
            pack(target, DataFormat.DELETE, start, before, hash);
        }
    }

    /** Decodes the row's name into the batch: the words of its primary key, or its row id. */
    private long putRowName(DecodedTable target, long address) {
        Memory to = out.batch().memory();
        if (target.layout == null) {
            to.putLong(address, readRowId(target));
            return address + Long.BYTES;
        }
        target.codec.readKey(in, target.layout, target.key);
        return putKey(target, to, address);
    }

    /** Puts the words of the last key and returns the address behind them. */
    private static long putKey(DecodedTable target, Memory to, long address) {
        long at = address;
        for (long word : target.key.words) {
            to.putLong(at, word);
            at += Long.BYTES;
        }
        return at;
    }

    private void skipRowName(DecodedTable target) {
        if (target.codec.hasKey()) {
            target.codec.skipKey(in);
        } else {
            readRowId(target);
        }
    }

    /** Passes over the name of a row that is not found by words. Returns the second word of its operation. */
    private long skipOrHashRowName(DecodedTable target, long numberBefore) {
        number = numberBefore;
        if (target.hashes != null) {
            return RedoBatch.hashed(target.hashes.ofKey(in));
        }
        skipRowName(target);
        return 0;
    }

    private void spend(DecodedTable target) {
        long rowId = readRowId(target);
        if (owned) {
            out.putSpent(target, rowId);
        }
    }

    private void truncate(DecodedTable target) {
        target.placed.end();
        long start = in.at();
        if (!target.replicated) {
            in.skip(bucketCount / 8);
        }
        if (only >= 0) {
            throw in.damaged("a record of several buckets truncates table "
                    + target.table.table().name());
        }
        pack(target, DataFormat.TRUNCATE, start, number, 0);
    }

    /** Leaves an operation encoded. */
    private void pack(DecodedTable target, int operation, long start, long numberBefore, long hash) {
        long word = DataRedo.packed(in.at() - start, operation, bucket);
        out.putPacked(target, word, numberBefore, memory, start, in.at(), hash);
    }
}
