package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;

/**
 * Rows on their way from a partition's thread to the snapshot's, as images. Filled by the one, then handed over and read
 * by the other, never both at once.
 *
 * <pre>
 *  0  4  bytes of the image
 *  4  4  table id
 *  8  8  row id: bucket and number in the bucket
 * 16     the image
 * </pre>
 */
public final class RowBatch {
    /** Bytes before an image. */
    public static final int ENTRY = 16;

    private final Memory memory;
    private final long start;
    private final long capacity;
    private long end;

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

    /** Where it begins. */
    public long start() {
        return start;
    }

    /** The end of the last entry. */
    public long end() {
        return end;
    }

    /** How many bytes it can hold. */
    public long capacity() {
        return capacity;
    }

    /** Whether there is nothing in it. */
    public boolean isEmpty() {
        return end == start;
    }

    /** Whether a row whose image has at most so many bytes has room. */
    public boolean fits(long imageBytes) {
        return end - start + ENTRY + imageBytes <= capacity;
    }

    /** Where the next image has to be written. */
    public long imageAddress() {
        return end + ENTRY;
    }

    /** Adds the row whose image was written. */
    public void add(int tableId, long rowId, long imageEnd) {
        memory.putInt(end, (int) (imageEnd - end - ENTRY));
        memory.putInt(end + 4, tableId);
        memory.putLong(end + 8, rowId);
        end = imageEnd;
    }

    /** Empties it. */
    public void clear() {
        end = start;
    }
}
