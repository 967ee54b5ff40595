package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.image.RowImageCodec;

/**
 * Rows on their way from a partition's thread to the snapshot's, as copies of which the latter makes images, or as images. Filled by
 * the one, then handed over and read by the other, never both at once.
 *
 * <pre>
 *  0  4  how many bytes follow the entry's head
 *  4  4  table id; the highest bit says that it is a copy
 *  8  8  row id: bucket and number in the bucket
 * 16     the row: copied by {@link io.reprise.storage.row.RowCarrier}, or its image
 * </pre>
 */
public final class RowBatch {
    /** Bytes before a row. */
    static final int ENTRY = 16;

    /** Larger rows have to be images: the maker of images from copies has room for so much. */
    public static final long MOST_COPY = 1 << 20;

    private static final int COPY = 1 << 31;

    private final Memory memory;
    private final long start;
    private final long capacity;
    private long end;
    private RowImageCodec[] codecs;

    /** An empty batch in a range of memory. */
    public RowBatch(Memory memory, long start, long capacity) {
        this.memory = memory;
        this.start = start;
        this.capacity = capacity;
        this.end = start;
    }

    /** The memory that it is in. */
    public Memory memory() {
        return memory;
    }

    /** The address of its beginning. */
    public long start() {
        return start;
    }

    /** The end of the last entry. */
    public long end() {
        return end;
    }

    /** The number of bytes it can hold. */
    public long capacity() {
        return capacity;
    }

    /** Whether there is nothing in it. */
    public boolean isEmpty() {
        return end == start;
    }

    /** The room that a row of so many bytes needs. */
    public static long bytesWith(long rowBytes) {
        return ENTRY + rowBytes;
    }

    /** Whether a row of at most so many bytes has room. */
    public boolean fits(long rowBytes) {
        return end - start + ENTRY + rowBytes <= capacity;
    }

    /** The address for the next row. */
    public long rowAddress() {
        return end + ENTRY;
    }

    /** Says what makes images of the copies, by table id. Any thread may use them. */
    public void copiedFor(RowImageCodec... byTableId) {
        codecs = byTableId;
    }

    /** Adds the row that was copied. */
    public void addCopy(int tableId, long rowId, long rowEnd) {
        add(tableId | COPY, rowId, rowEnd);
    }

    /** Adds the row whose image was written. */
    public void addImage(int tableId, long rowId, long rowEnd) {
        add(tableId, rowId, rowEnd);
    }

    private void add(int table, long rowId, long rowEnd) {
        memory.putInt(end, (int) (rowEnd - end - ENTRY));
        memory.putInt(end + 4, table);
        memory.putLong(end + 8, rowId);
        end = rowEnd;
    }

    /** The address of the entry behind this one. */
    long next(long entry) {
        return entry + ENTRY + memory.getInt(entry);
    }

    /** The table of the row in an entry. */
    int table(long entry) {
        return memory.getInt(entry + 4) & ~COPY;
    }

    /** The row's id. */
    long rowId(long entry) {
        return memory.getLong(entry + 8);
    }

    /** The address of the row. */
    long row(long entry) {
        return entry + ENTRY;
    }

    /** The number of its bytes. */
    int length(long entry) {
        return memory.getInt(entry);
    }

    /** Whether it is a copy. */
    boolean isCopy(long entry) {
        return memory.getInt(entry + 4) < 0;
    }

    /** Writes the image of a copied row; returns the address behind it. */
    long writeImage(long entry, Memory target, long address) {
        return codecs[table(entry)].writeCopy(memory, entry + ENTRY, target, address);
    }

    /** Empties it. */
    public void clear() {
        end = start;
    }
}
