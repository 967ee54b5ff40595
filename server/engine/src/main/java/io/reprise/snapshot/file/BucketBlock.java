package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.image.RowImageCodec;
import java.util.Arrays;

/**
 * The rows of one block of a bucket, read and checked, in memory of its own. One thread fills it, others insert its rows, then the first
 * fills it again.
 */
public final class BucketBlock implements AutoCloseable {
    private static final long START = Memory.PAGE;
    private static final long FULL = 256 << 10;

    private final Memory memory = Memory.reserve(BlockFormat.MOST_PAYLOAD + 2L * Memory.HUGE_PAGE);
    private int[] tables = new int[1024];
    private long[] rowIds = new long[1024];
    private long[] images = new long[1024];
    private int[] lengths = new int[1024];
    private int count;
    private long end;
    private String place = "";

    /** The filling thread: parts of its rows that others have. */
    private int away;

    /** Takes over the block that the reader has read. Counts its rows. */
    void take(BlockReader reader, BlockRows rows, ContentCheck check, String where) {
        place = where;
        count = 0;
        long moved = reader.copyPayload(memory, START);
        while (rows.next()) {
            check.add(rows);
            add(rows, moved);
        }
    }

    private void add(BlockRows rows, long moved) {
        add(rows.table(), rows.rowId(), rows.image() + moved, rows.length());
    }

    private void add(int table, long rowId, long image, int length) {
        if (count == tables.length) {
            int capacity = 2 * count;
            tables = Arrays.copyOf(tables, capacity);
            rowIds = Arrays.copyOf(rowIds, capacity);
            images = Arrays.copyOf(images, capacity);
            lengths = Arrays.copyOf(lengths, capacity);
        }
        tables[count] = table;
        rowIds[count] = rowId;
        images[count] = image;
        lengths[count] = length;
        count++;
    }

    /** Begins anew, for rows that {@link #add(int, long, RowImageCodec, long)} adds. */
    void begin(String where) {
        place = where;
        count = 0;
        end = START;
    }

    /** Whether it has as many rows as should be read at once. */
    boolean isFull() {
        return end - START >= FULL;
    }

    /** Adds the image of a row that lies in the codec's partition. */
    void add(int table, long rowId, RowImageCodec codec, long row) {
        long to = codec.writeRow(row, memory, end);
        add(table, rowId, end, (int) (to - end));
        end = to;
    }

    /** The filling thread: a part of its rows goes to another thread. */
    public void sent() {
        away++;
    }

    /** The filling thread: a part has come back. Returns whether all have. */
    public boolean cameBack() {
        away--;
        return away == 0;
    }

    /** The number of rows. */
    public int count() {
        return count;
    }

    /** The place of the block in the snapshot, for messages. */
    String place() {
        return place;
    }

    /** The memory of the images. */
    public Memory memory() {
        return memory;
    }

    /** The position in {@link Manifest#tables} of a row's table. */
    public int table(int row) {
        return tables[row];
    }

    /** The row's id. */
    public long rowId(int row) {
        return rowIds[row];
    }

    /** The address of a row's image; images follow each other. */
    public long image(int row) {
        return images[row];
    }

    /** The number of bytes of a row's image. */
    public int length(int row) {
        return lengths[row];
    }

    @Override
    public void close() {
        memory.close();
    }
}
