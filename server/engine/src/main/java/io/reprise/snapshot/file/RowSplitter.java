package io.reprise.snapshot.file;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.RowImageCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Passes over the rows of a snapshot's buckets, block by block. Chosen rows go into a partition; images of the others go to the writer of the
 * next snapshot as they are. A block without chosen rows is written as it is stored. {@link #read} and {@link #pass} alternate.
 *
 * <p>Owned by one thread, which owns the partition too.
 */
public final class RowSplitter implements AutoCloseable {
    private final Manifest manifest;
    private final PartitionStore store;
    private final IntPredicate buckets;
    private final Choice choice;
    private final boolean passesReplicated;
    private final BlockReader reader;
    private final BlockRows rows = new BlockRows();
    private final ContentCheck check;
    private final ImageCursor image;
    private final TableStore[] tables;
    private final RowImageCodec[] codecs;

    private int nextFile;
    private int[] blocks = new int[0];
    private int nextBlock;

    /** Whether the block has rows of replicated tables. */
    private boolean replicated;

    /** The rows of the block that are to be passed on. */
    private int count;

    private int[] tableOf = new int[1024];
    private long[] rowIds = new long[1024];
    private long[] images = new long[1024];
    private int[] lengths = new int[1024];
    private long[] hashes = new long[1024];

    /** The number of the block, and whether the partition has any of its rows. */
    private int block;

    private boolean isChosen;

    /** Chooses rows for the partition. */
    @FunctionalInterface
    public interface Choice {
        /** Whether the row with this id and image goes into the partition. */
        boolean loads(int tableId, long rowId, Memory memory, long image, int length);
    }

    /**
     * A pass over some buckets and the replicated tables.
     *
     * @param store a partition with the snapshot's tables, that owns the buckets
     * @param passesReplicated whether rows of replicated tables that are not chosen are passed on
     */
    public RowSplitter(
            FileStore files,
            Manifest manifest,
            PartitionStore store,
            IntPredicate buckets,
            Choice choice,
            boolean passesReplicated) {
        this.manifest = manifest;
        this.store = store;
        this.buckets = buckets;
        this.choice = choice;
        this.passesReplicated = passesReplicated;
        check = new ContentCheck(manifest);
        image = new ImageCursor(store.memory());
        int size = manifest.tables().size();
        tables = new TableStore[size];
        codecs = new RowImageCodec[size];
        for (int i = 0; i < size; i++) {
            tables[i] = store.table(manifest.tables().get(i).id());
            codecs[i] = new RowImageCodec(store, tables[i]);
        }
        reader = new BlockReader(files, manifest);
    }

    /** Reads a block and inserts its chosen rows. False behind the last one, when all rows have been found right. */
    public boolean read() {
        while (nextBlock == blocks.length) {
            if (nextFile == manifest.files().size()) {
                check.check(buckets);
                spendNumbers();
                return false;
            }
            reader.open(manifest.files().get(nextFile++));
            chooseBlocks();
        }
        block = blocks[nextBlock++];
        replicated = reader.bucket(block) < 0;
        reader.read(block, rows);
        long moved = 0;
        isChosen = false;
        count = 0;
        while (rows.next()) {
            long hash = check.add(rows);
            int table = rows.table();
            if (!choice.loads(tables[table].id(), rows.rowId(), rows.memory(), rows.image(), rows.length())) {
                keep(table, hash);
                continue;
            }
            if (!isChosen) {
                moved = reader.bringInto(store);
                isChosen = true;
            }
            insert(table, rows.image() + moved);
        }
        return true;
    }

    private void chooseBlocks() {
        blocks = IntStream.range(0, reader.blocks())
                .filter(block -> reader.bucket(block) < 0 || buckets.test(reader.bucket(block)))
                .toArray();
        nextBlock = 0;
    }

    private void keep(int table, long hash) {
        if (count == tableOf.length) {
            int capacity = 2 * count;
            tableOf = Arrays.copyOf(tableOf, capacity);
            rowIds = Arrays.copyOf(rowIds, capacity);
            images = Arrays.copyOf(images, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
            hashes = Arrays.copyOf(hashes, capacity);
        }
        tableOf[count] = tables[table].id();
        rowIds[count] = rows.rowId();
        images[count] = rows.image();
        lengths[count] = rows.length();
        hashes[count] = hash;
        count++;
    }

    private void insert(int table, long address) {
        long row = tables[table].allocate();
        image.over(address, rows.length());
        try {
            codecs[table].readRow(image, row);
            if (image.hasNext()) {
                throw image.damaged("there is more than the row");
            }
        } catch (DamagedImageException e) {
            tables[table].abandon(row);
            throw rows.damaged(e);
        } catch (RuntimeException e) {
            tables[table].abandon(row);
            throw e;
        }
        tables[table].directWrites().insert(row, rows.rowId());
    }

    /** Row numbers that were given out at the snapshot's moment are not given out again. */
    private void spendNumbers() {
        for (int i = 0; i < tables.length; i++) {
            TableContents contents = manifest.tables().get(i);
            for (int bucket = 0; bucket < contents.buckets(); bucket++) {
                if (contents.replicated() || buckets.test(bucket)) {
                    tables[i].directWrites().raiseNextRowId(bucket, contents.nextRowId(bucket));
                }
            }
        }
    }

    /**
     * Writes the rows of the last block that were not chosen.
     *
     * @param fileOf the data file of a bucket
     */
    public void pass(SnapshotWriter writer, IntUnaryOperator fileOf) {
        if (replicated && !passesReplicated) {
            return;
        }
        ByteBuffer stored = isChosen || count == 0 ? null : reader.storedBlock(block);
        if (stored != null && isOfOneFile()) {
            int file = fileOf(0, fileOf);
            writer.addStored(file, stored);
            for (int i = 0; i < count; i++) {
                writer.count(file, tableOf[i], rowIds[i], lengths[i], hashes[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            writer.add(fileOf(i, fileOf), tableOf[i], rowIds[i], reader.memory(), images[i], lengths[i]);
        }
    }

    private int fileOf(int row, IntUnaryOperator fileOf) {
        return replicated ? tableOf[row] % manifest.partitions() : fileOf.applyAsInt(DirectWrites.bucket(rowIds[row]));
    }

    /** Rows of one bucket are; replicated tables may belong to several. */
    private boolean isOfOneFile() {
        for (int i = 1; replicated && i < count; i++) {
            if (tableOf[i] % manifest.partitions() != tableOf[0] % manifest.partitions()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        reader.close();
    }
}
