package io.reprise.log;

import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;

/**
 * One decompressed frame of the log. A {@link FrameSource} fills it, any number of {@link LogRecords} read it, then it is filled
 * again. The thread that has the frame owns it.
 */
public final class LogFrame implements AutoCloseable {
    private static final long START = 64;
    private static final long LEAST_BYTES = 1 << 20;

    /** Room behind the last byte, for readers of whole words. */
    private static final long SLACK = Memory.HUGE_PAGE;

    private Memory memory;

    /** Whether the memory is another's. */
    private boolean borrowed;

    private long start = START;
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

    /** Fills the frame with one record, as {@link RecordBuilder#copyTo} has made it. */
    public void holdRecord(byte[] record) {
        fill("the stream of a replicated partition", 0, 0, 0, 0, 1, record.length);
        memory.copyIn(MemorySegment.ofArray(record), 0, START, record.length);
    }

    /** Lends the frame one record, as {@link LogRecords#copyTo} has made it, in a memory that stays another's. */
    public void viewRecord(Memory source, long address, int length, long logPosition) {
        close();
        borrowed = true;
        memory = source;
        start = address;
        file = "the log";
        segmentPosition = 0;
        position = logPosition;
        endPosition = logPosition;
        firstTransaction = 0;
        records = 1;
        bytes = length;
    }

    /** Its position in the log. */
    public long position() {
        return position;
    }

    /** The position behind it, at which a reader goes on with the next frame. */
    public long endPosition() {
        return endPosition;
    }

    /** The number of records. */
    public int records() {
        return records;
    }

    /** The length of all records. */
    public int bytes() {
        return bytes;
    }

    /** The transaction id of the first record. */
    public long firstTransaction() {
        return firstTransaction;
    }

    /** The memory of the records; {@link LogRecords} knows their addresses. */
    public Memory memory() {
        return memory;
    }

    /** The address of the first record. */
    long start() {
        return start;
    }

    DamagedLogException damaged(String what) {
        return new DamagedLogException(file, position - segmentPosition, what);
    }

    /** Sets the header. The source then writes the records, which have so many bytes, from {@link #start} on. */
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
        if (borrowed) {
            close();
        }
        if (START + bytes > capacity) {
            close();
            capacity = Math.max(LEAST_BYTES, Long.highestOneBit(START + bytes) * 2);
            memory = Memory.reserve(capacity + SLACK);
        }
    }

    @Override
    public void close() {
        if (memory != null && !borrowed) {
            memory.close();
        }
        memory = null;
        borrowed = false;
        start = START;
        capacity = 0;
    }
}
