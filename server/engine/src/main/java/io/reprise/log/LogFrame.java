package io.reprise.log;

import io.reprise.runtime.memory.Memory;

/**
 * One frame of the log, decompressed: what a reader hands to other threads. Filled by {@link LogReader#next}, read by
 * any number of {@link LogRecords} at a time, filled again when all of them are done with it.
 */
public final class LogFrame implements AutoCloseable {
    private final LogStretch room;
    private final boolean alone;
    private long start;
    private String file;
    private long segmentPosition;
    private long position;
    private long endPosition;
    private long firstTransaction;
    private int records;
    private int bytes;

    /** An empty frame, which takes its memory when it is filled. */
    public LogFrame() {
        room = new LogStretch();
        alone = true;
    }

    /** One that lies among others. */
    LogFrame(LogStretch room) {
        this.room = room;
        alone = false;
    }

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
        return room.memory();
    }

    /** Where the first record is. */
    long start() {
        return start;
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
        if (alone) {
            room.clear();
        }
        start = room.take(newBytes);
    }

    @Override
    public void close() {
        if (alone) {
            room.close();
        }
    }
}
