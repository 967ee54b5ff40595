package io.reprise.log;

import io.reprise.runtime.memory.Memory;

/**
 * One frame of the log, decompressed: what a reader hands to other threads. Filled by {@link LogReader#next}, read by
 * any number of {@link LogRecords} at a time, filled again when all of them are done with it.
 */
public final class LogFrame implements AutoCloseable {
    static final long START = 64;
    private static final long LEAST_BYTES = 1 << 20;

    private Memory memory;
    private long capacity;
    private String file;
    private long segmentPosition;
    private long position;
    private long endPosition;
    private long firstTransaction;
    private int records;
    private int bytes;

    /** An empty frame, which takes its memory when it is filled. */
    public LogFrame() {}

    /** Its position in the log. */
    public long position() {
        return position;
    }

    /** The position behind it: a reader that starts there goes on with the next frame. */
    public long endPosition() {
        return endPosition;
    }

    /** How many records it has. */
    public int records() {
        return records;
    }

    /** How many bytes its records have. */
    public int bytes() {
        return bytes;
    }

    /** The transaction of the first record. */
    public long firstTransaction() {
        return firstTransaction;
    }

    /** Where the records are; only {@link LogRecords} says where exactly. */
    public Memory memory() {
        return memory;
    }

    DamagedLogException damaged(String what) {
        return new DamagedLogException(file, position - segmentPosition, what);
    }

    void fill(
            String newFile,
            long newSegmentPosition,
            long newPosition,
            long newEndPosition,
            long newFirstTransaction,
            int newRecords,
            int newBytes) {
        file = newFile;
        segmentPosition = newSegmentPosition;
        position = newPosition;
        endPosition = newEndPosition;
        firstTransaction = newFirstTransaction;
        records = newRecords;
        bytes = newBytes;
        if (newBytes > capacity) {
            close();
            capacity = Math.max(LEAST_BYTES, Long.highestOneBit(newBytes) * 2);
            memory = Memory.reserve(START + capacity + Memory.HUGE_PAGE);
        }
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
            capacity = 0;
        }
    }
}
