package io.reprise.recovery.replay;

import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * All that a partition holds, as blocks of bytes: rows with their ids, the next row id of each bucket, and the outcomes of
 * numbered calls. A replica whose log is no prefix of its leader's is loaded from it.
 *
 * <pre>
 *  1 kind, then by kind, all numbers little endian:
 *  ROWS      4 table | each: 8 row id, 4 bytes of the row's image, the image
 *  ROW_IDS   4 table | each: 4 bucket, 8 next number
 *  OUTCOMES  as {@link io.reprise.execution.Outcomes#decode} reads them
 * </pre>
 *
 * <p>Owned by the partition's thread, between transactions.
 */
public final class PartitionImage {
    static final byte ROWS = 1;
    private static final byte ROW_IDS = 2;
    private static final byte OUTCOMES = 3;
    static final long START = 64;
    static final int HEAD = 5;
    static final int ROW_HEAD = 12;
    private static final int ROW_ID_BYTES = 12;

    private final Partition partition;
    private final PartitionStore store;
    private final PerTable<RowImageCodec> codecs;
    private final ImageCursor in;

    /** An image of a partition, or for it. */
    public PartitionImage(Partition partition) {
        this.partition = partition;
        store = partition.store();
        codecs = PerTable.codecs(store);
        in = new ImageCursor(store.memory());
    }

    // ---- Writing

    /** Passes all that the partition holds to {@code blocks}, in blocks of about {@code most} bytes. */
    public void write(Collection<Table> tables, int most, Consumer<byte[]> blocks) {
        codecs.forgetChanged();
        for (Table table : tables) {
            writeRows(store.table(table.id()), most, blocks);
        }
        writeRest(tables, most, blocks);
    }

    /** Passes all but the rows. */
    public void writeRest(Collection<Table> tables, int most, Consumer<byte[]> blocks) {
        for (Table table : tables) {
            writeRowIds(store.table(table.id()), 0, store.table(table.id()).buckets(), blocks);
        }
        writeOutcomes(-1, most, blocks);
    }

    private void writeOutcomes(long since, int most, Consumer<byte[]> blocks) {
        partition.outcomes().encode(since, most, piece -> {
            byte[] block = new byte[1 + piece.length];
            block[0] = OUTCOMES;
            System.arraycopy(piece, 0, block, 1, piece.length);
            blocks.accept(block);
        });
    }

    /**
     * Passes the rows of some buckets, their next row ids, and outcomes to {@code blocks}, in blocks of about {@code most} bytes.
     *
     * @param rows gives the addresses of a table's rows in these buckets; 0 at the end
     * @param since outcomes of clients without calls behind this transaction are left out
     */
    public void write(
            Collection<Table> tables,
            BitSet buckets,
            Function<TableStore, LongSupplier> rows,
            long since,
            int most,
            Consumer<byte[]> blocks) {
        codecs.forgetChanged();
        for (Table each : tables) {
            if (!each.replicated()) {
                TableStore table = store.table(each.id());
                writeRows(table, rows.apply(table), most, blocks);
                for (int bucket = buckets.nextSetBit(0); bucket >= 0; bucket = buckets.nextSetBit(bucket + 1)) {
                    writeRowIds(table, bucket, bucket + 1, blocks);
                }
            }
        }
        writeOutcomes(since, most, blocks);
    }

    /** The addresses of the rows of some buckets, found by a pass over all rows; 0 at the end. */
    public static LongSupplier rowsOf(TableStore table, BitSet buckets) {
        long[] last = new long[1];
        return () -> {
            long row = last[0] == 0 ? table.first() : table.next(last[0]);
            while (row != 0 && !buckets.get(DirectWrites.bucket(table.rowId(row)))) {
                row = table.next(row);
            }
            last[0] = row;
            return row;
        };
    }

    /**
     * Passes some rows of a table, and the next row ids of a range of its buckets, to {@code blocks}.
     *
     * @param rows gives their addresses; 0 at the end
     */
    public void write(
            TableStore table, LongSupplier rows, int firstBucket, int endBucket, int most, Consumer<byte[]> blocks) {
        codecs.forgetChanged();
        writeRows(table, rows, most, blocks);
        writeRowIds(table, firstBucket, endBucket, blocks);
    }

    private void writeRows(TableStore table, int most, Consumer<byte[]> blocks) {
        long[] last = new long[1];
        writeRows(table, () -> last[0] = last[0] == 0 ? table.first() : table.next(last[0]), most, blocks);
    }

    private void writeRows(TableStore table, LongSupplier rows, int most, Consumer<byte[]> blocks) {
        try (RowBlocks gathered = new RowBlocks(codecs, table, most, blocks)) {
            for (long row = rows.getAsLong(); row != 0; row = rows.getAsLong()) {
                gathered.add(row);
            }
            gathered.pass();
        }
    }

    private static void writeRowIds(TableStore table, int first, int end, Consumer<byte[]> blocks) {
        try (Memory scratch = RowBlocks.reserve(HEAD + (long) ROW_ID_BYTES * (end - first))) {
            long at = RowBlocks.begin(scratch, ROW_IDS, table.id());
            for (int bucket = first; bucket < end; bucket++) {
                if (table.nextRowId(bucket) > 0) {
                    scratch.putInt(at, bucket);
                    scratch.putLong(at + Integer.BYTES, table.nextRowId(bucket));
                    at += ROW_ID_BYTES;
                }
            }
            RowBlocks.pass(scratch, at, blocks);
        }
    }

    // ---- Loading

    /** Empties the partition. */
    public void clear(Collection<Table> tables) {
        clearRows(tables);
        partition.outcomes().clear();
    }

    /** Does what a move says: deletes the rows of buckets that leave, or adds those of buckets that come. */
    public void move(Collection<Table> tables, BucketMove move) {
        move(tables, move, DirectWrites::truncate);
    }

    /** The same in a replay. Many moves cost one pass over all rows. */
    public void replay(Collection<Table> tables, BucketMove move) {
        move(tables, move, DirectWrites::truncateInReplay);
    }

    private void move(Collection<Table> tables, BucketMove move, BiConsumer<DirectWrites, BitSet> delete) {
        if (move.comes()) {
            move.blocks().forEach(this::load);
            return;
        }
        for (Table table : tables) {
            if (!table.replicated()) {
                delete.accept(store.table(table.id()).directWrites(), move.buckets());
            }
        }
    }

    /**
     * Deletes the rows of buckets that leave.
     *
     * @param rows gives the addresses of a table's rows in these buckets; 0 at the end
     */
    public void remove(Collection<Table> tables, BitSet buckets, Function<TableStore, LongSupplier> rows) {
        for (Table each : tables) {
            if (!each.replicated()) {
                TableStore table = store.table(each.id());
                table.directWrites().truncate(buckets, rows.apply(table));
            }
        }
    }

    /** Takes all rows of the partition away, and forgets which row ids were given out. */
    public void clearRows(Collection<Table> tables) {
        BitSet all = new BitSet();
        all.set(0, store.buckets().count());
        for (Table table : tables) {
            DirectWrites writes = store.table(table.id()).directWrites();
            writes.truncate(all);
            writes.forgetNextRowIds();
        }
    }

    /** Adds a block to the partition. */
    public void load(byte[] block) {
        if (block[0] == OUTCOMES) {
            partition.outcomes().decode(java.util.Arrays.copyOfRange(block, 1, block.length));
            return;
        }
        codecs.forgetChanged();
        try (Memory scratch = RowBlocks.reserve(block.length)) {
            scratch.copyIn(MemorySegment.ofArray(block), 0, START, block.length);
            TableStore table = store.table(scratch.getInt(START + 1));
            long at = START + HEAD;
            long end = START + block.length;
            while (at < end) {
                at = block[0] == ROWS ? loadRow(scratch, at, table) : loadRowId(scratch, at, table);
            }
        }
    }

    private long loadRow(Memory scratch, long at, TableStore table) {
        long rowId = scratch.getLong(at);
        int length = scratch.getInt(at + Long.BYTES);
        store.begin(store.transactionId());
        in.over(store.scratch().bringIn(scratch, at + ROW_HEAD, length), length);
        long row = table.allocate();
        try {
            codecs.of(table.id()).readRow(in, row);
        } catch (RuntimeException e) {
            table.abandon(row);
            throw e;
        }
        table.directWrites().insert(row, rowId);
        return at + ROW_HEAD + length;
    }

    private static long loadRowId(Memory scratch, long at, TableStore table) {
        table.directWrites().raiseNextRowId(scratch.getInt(at), scratch.getLong(at + Integer.BYTES));
        return at + ROW_ID_BYTES;
    }
}
