package io.reprise.recovery.replay;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * Gathers rows of a table into blocks of {@link PartitionImage}. Owned by the partition's thread.
 */
public final class RowBlocks implements AutoCloseable {
    private final RowImageCodec codec;
    private final TableStore table;
    private final Consumer<byte[]> blocks;
    private long capacity;
    private Memory scratch;
    private long at;

    /** Blocks of about {@code most} bytes. */
    public RowBlocks(PerTable<RowImageCodec> codecs, TableStore table, int most, Consumer<byte[]> blocks) {
        codec = codecs.of(table.id());
        this.table = table;
        this.blocks = blocks;
        capacity = most;
        scratch = reserve(most);
        at = begin(scratch, PartitionImage.ROWS, table.id());
    }

    /** Memory for a block of so many bytes. */
    static Memory reserve(long bytes) {
        return Memory.reserve(PartitionImage.START + bytes + Memory.HUGE_PAGE);
    }

    /** Begins a block. Returns the address behind its head. */
    static long begin(Memory scratch, byte kind, int table) {
        scratch.putByte(PartitionImage.START, kind);
        scratch.putInt(PartitionImage.START + 1, table);
        return PartitionImage.START + PartitionImage.HEAD;
    }

    /** Hands over a block that has more than its head. */
    static void pass(Memory scratch, long end, Consumer<byte[]> blocks) {
        if (end > PartitionImage.START + PartitionImage.HEAD) {
            blocks.accept(scratch.segment()
                    .asSlice(PartitionImage.START, end - PartitionImage.START)
                    .toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Adds a row as it is now. */
    public void add(long row) {
        long bytes = PartitionImage.ROW_HEAD + codec.bounds().ofRow(row) + RowImageCodec.SLACK;
        if (at - PartitionImage.START + bytes > capacity) {
            pass();
            if (PartitionImage.HEAD + bytes > capacity) {
                capacity = PartitionImage.HEAD + bytes;
                scratch.close();
                scratch = reserve(capacity);
                at = begin(scratch, PartitionImage.ROWS, table.id());
            }
        }
        long end = codec.writeRow(row, scratch, at + PartitionImage.ROW_HEAD);
        scratch.putLong(at, table.rowId(row));
        scratch.putInt(at + Long.BYTES, (int) (end - at - PartitionImage.ROW_HEAD));
        at = end;
    }

    /** Hands over the rows that are gathered. */
    public void pass() {
        pass(scratch, at, blocks);
        at = begin(scratch, PartitionImage.ROWS, table.id());
    }

    /** Frees its memory. */
    @Override
    public void close() {
        scratch.close();
    }
}
